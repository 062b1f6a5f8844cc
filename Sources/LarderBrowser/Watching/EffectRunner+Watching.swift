import LarderModel
import Harmony

extension EffectRunner {
  /// The greatest number of changes that are told at once.
  private static let greatestReport = 10_000

  /// Tells what others change in a store, until it is cancelled or the store is gone.
  func watch(_ reference: StoreReference, token: Int, send: Send) async {
    do {
      let store = try opened(reference).store
      var watcher = StoreWatcher(store, sleep: environment.sleep)
      let extent = try await watcher.begin()
      registry.own.begin(reference)
      await send(.watchBegan(token: token, extent, watcher.limitation))
      while true {
        var report = WatchReport(token: token)
        report.isPartial = try await watcher.next { error in
          await send(.watchPaused(token: token, error))
        } _: { difference in
          if registry.own.takes(difference, of: reference) { return }
          report.counts[difference.change, default: 0] += 1
          if report.differences.count < Self.greatestReport {
            report.differences.append(difference)
          }
        }
        if report.isPartial { report.isOwn = registry.own.mayHaveMade(aChangeOf: reference) }
        registry.own.endLook(at: reference)
        try Task.checkCancellation()
        if report.isPartial || !report.differences.isEmpty { await send(.othersChanged(report)) }
      }
    } catch {
      let error = StoreError(error)
      if error != .cancelled { await send(.watchEnded(token: token, error)) }
    }
  }
}

/// What others changed since the last report.
package struct WatchReport: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// The changes, or the first of very many.
  package var differences: [EntryDifference] = []
  /// How many there were of each kind.
  package var counts: [EntryDifference.Change: Int] = [:]
  /// Whether there was more that cannot be told one by one.
  package var isPartial = false
  /// Whether what cannot be told may be the browser's own change.
  package var isOwn = false

  package init(token: Int) {
    self.token = token
  }
}
