package import Foundation
package import LarderModel
import Harmony

extension EffectSlot {
  static let watch = EffectSlot("watch", isOfTab: true, isInBackground: true)
}

/// Tells what others change in a store, until it is cancelled or the store is gone.
package struct WatchStore: BrowserEffect {
  package let store: StoreReference
  package let ticket: Ticket?
  package var slot: EffectSlot? { .watch }

  /// What is told.
  package enum Reply: Sendable {
    /// From now on changes are told, as far as the extent and the limitation say.
    case began(StoreWatcher.Extent, _ limitation: String?)
    case changes(WatchReport)
    /// The store cannot be read as it is; it is looked at again once it is changed.
    case paused(StoreError)
    /// No change is told any more.
    case ended(StoreError)
  }

  /// The maximum number of changes that are told at once.
  private static let maximumReport = 10_000

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let own = runner.registry.own
    do {
      var watcher = StoreWatcher(try runner.opened(store).store, sleep: runner.environment.sleep)
      let extent = try await watcher.begin()
      own.begin(store)
      await reply(.began(extent, watcher.limitation))
      while true {
        var report = WatchReport(at: runner.environment.date())
        report.isPartial = try await watcher.next { error in
          await reply(.paused(error))
        } _: { difference in
          if own.takes(difference, of: store) { return }
          report.counts[difference.change, default: 0] += 1
          if report.differences.count < Self.maximumReport {
            report.differences.append(difference)
          }
        }
        if report.isPartial { report.isOwn = own.mayHaveMade(aChangeOf: store) }
        own.endLook(at: store)
        report.time = runner.environment.date()
        try Task.checkCancellation()
        if report.isPartial || !report.differences.isEmpty { await reply(.changes(report)) }
      }
    } catch {
      let error = StoreError(error)
      if error != .cancelled { await reply(.ended(error)) }
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .began(let extent, let limitation): return state.watchBegan(extent, limitation)
    case .changes(let report): return state.othersChanged(report)
    case .paused(let error):
      state.say("still watching, but \(error.message)", .warning)
    case .ended(let error):
      state.keys?.watch = nil
      state.say("not watching any more: \(error.message)", .error)
    }
    return []
  }
}

/// What others changed since the last report.
package struct WatchReport: Sendable, Equatable {
  /// The changes, or the first of very many.
  package var differences: [EntryDifference] = []
  /// How many there were of each kind.
  package var counts: [EntryDifference.Change: Int] = [:]
  /// Whether there was more that cannot be told one by one.
  package var isPartial = false
  /// Whether what cannot be told may be the browser's own change.
  package var isOwn = false
  /// When they were seen.
  package var time: Date

  package init(at time: Date = .distantPast) {
    self.time = time
  }
}
