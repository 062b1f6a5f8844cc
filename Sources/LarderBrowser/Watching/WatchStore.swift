package import Foundation
package import LarderModel
import Harmony

extension EffectSlot {
  static let watch = EffectSlot("watch", isOfTab: true, isInBackground: true)
}

/// Reports changes by other programs in a store until it is canceled or the store becomes
/// unavailable.
package struct WatchStore: BrowserEffect {
  package let store: StoreReference
  package let ticket: Ticket?
  package var slot: EffectSlot? { .watch }

  /// An event of the watch.
  package enum Reply: Sendable {
    /// Watching has begun, with the given level of detail and limitation.
    case began(StoreWatcher.Extent, _ limitation: String?)
    case changes(WatchReport)
    /// The store cannot be read now; another attempt follows after its next change.
    case paused(StoreError)
    /// Watching has ended because of an error.
    case ended(StoreError)
  }

  /// The maximum number of changes in one report.
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
        report.recorded = await recorded(report.differences, runner)
        try Task.checkCancellation()
        if report.isPartial || !report.differences.isEmpty { await reply(.changes(report)) }
      }
    } catch {
      let error = StoreError(error)
      if error != .cancelled { await reply(.ended(error)) }
    }
  }

  /// The maximum number of changes in a report that are looked up in the journal.
  private static let maximumLookup = 500

  /// Returns the number of changes of each kind that larder made in another tab or process.
  private func recorded(
    _ differences: [EntryDifference], _ runner: EffectRunner
  ) async -> [EntryDifference.Change: Int] {
    // A value that is too large to be read cannot be looked up.
    let changes = differences.filter {
      $0.change == .removed || $0.change != .expired && $0.value != nil
    }
    guard !changes.isEmpty, changes.count <= Self.maximumLookup else { return [:] }
    let entries = changes.map { difference in
      difference.value.map { Entry(key: difference.key, value: $0) } ?? Entry(key: difference.key)
    }
    let steps = await runner.steps(leaving: entries, in: store)
    return changes.filter { steps[$0.key] != nil }.reduce(into: [:]) {
      $0[$1.change, default: 0] += 1
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .began(let extent, let limitation): return state.watchBegan(extent, limitation)
    case .changes(let report): return state.othersChanged(report)
    case .paused(let error):
      state.say(Messages.stillWatching(error.message), .warning)
    case .ended(let error):
      state.keys?.watch = nil
      state.say(Messages.stoppedWatching(error.message), .error)
    }
    return []
  }
}

/// The changes by other programs since the last report.
package struct WatchReport: Sendable, Equatable {
  /// The changes, or the first of them if there are too many.
  package var differences: [EntryDifference] = []
  /// The number of changes of each kind.
  package var counts: [EntryDifference.Change: Int] = [:]
  /// The number of those that the journal records as made by larder, in another tab or process.
  package var recorded: [EntryDifference.Change: Int] = [:]
  /// Whether there were changes that cannot be reported individually.
  package var isPartial = false
  /// Whether such changes may be the browser's own.
  package var isOwn = false
  /// The date on which the changes were detected.
  package var time: Date

  package init(at time: Date = .distantPast) {
    self.time = time
  }
}
