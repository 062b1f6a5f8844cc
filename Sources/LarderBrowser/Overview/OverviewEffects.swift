package import LarderModel
package import LarderOperations
import Harmony

extension EffectSlot {
  static let overview = EffectSlot("overview", isOfTab: true)
  static let overviewChange = EffectSlot("overview change", isOfTab: true, isInBackground: true)
}

/// Sums up the entries of a store, and tells how far it is.
package struct SummarizeStore: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let delimiter: String?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .overview }

  /// What is told.
  package enum Reply: Sendable {
    /// The sums so far.
    case progress(Overview)
    /// The sums of all entries.
    case whole(Overview)
    /// Why there are no more.
    case failed(StoreError)
  }

  /// How many large entries are shown.
  package static let largestCount = 10
  /// How often the sums are told.
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
      // The first only says that from now on no change is missed.
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
