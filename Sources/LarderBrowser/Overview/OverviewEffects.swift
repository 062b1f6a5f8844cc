package import LarderModel
package import LarderOperations
import Harmony

extension EffectSlot {
  static let overview = EffectSlot("overview", isOfTab: true)
  static let overviewChange = EffectSlot("overview change", isOfTab: true, isInBackground: true)
}

/// Summarizes the entries of a store and reports progress.
package struct SummarizeStore: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let delimiter: String?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .overview }

  /// The progress or the result of the scan.
  package enum Reply: Sendable {
    /// The totals so far.
    case progress(Overview)
    /// The totals of all entries.
    case whole(Overview)
    /// The scan failed with the given error.
    case failed(StoreError)
  }

  /// The number of largest entries to list.
  package static let largestCount = 10
  /// The interval between progress reports.
  private static let interval = Duration.milliseconds(200)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var overview = Overview(
      prefix: prefix, delimiter: delimiter, largestCount: Self.largestCount,
      at: runner.environment.date())
    var told: ContinuousClock.Instant?
    do {
      try await overview.read(
        from: try runner.opened(store).store, guessing: { TreeModel.delimiter(of: $0) }
      ) { sums in
        let now = ContinuousClock.now
        guard told.map({ now - $0 >= Self.interval }) ?? true else { return }
        told = now
        await reply(.progress(sums))
      }
      await reply(.whole(overview))
    } catch {
      await reply(.progress(overview))
      await reply(.failed(StoreError(error)))
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .progress(let overview): state.overviewGrew(overview)
    case .whole(let overview):
      state.overviewGrew(overview)
      state.overviewEnded(nil)
    case .failed(let error): state.overviewEnded(error)
    }
    return []
  }
}

/// Waits until the store changes.
package struct AwaitStoreChange: BrowserEffect {
  package let store: StoreReference
  package let ticket: Ticket?
  package var slot: EffectSlot? { .overviewChange }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard let feed = runner.registry.store(store)?.store.changeFeed?() else { return }
    do {
      // The first event only signals that observation has started.
      try await feed.next()
      try await feed.next()
    } catch {
      return
    }
    await reply(())
  }

  package func receive(_ reply: Void, in state: inout BrowserState) -> Effects {
    state.overview?.isChanged = true
    return []
  }
}
