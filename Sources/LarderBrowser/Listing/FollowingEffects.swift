package import LarderModel
import Harmony

extension EffectSlot {
  static let follow = EffectSlot("follow", isOfTab: true, isInBackground: true)
}

/// Waits before the next poll of a live process.
package struct WaitToPoll: BrowserEffect {
  package let pause: Duration
  package let ticket: Ticket?
  package var slot: EffectSlot? { .follow }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(pause)) != nil else { return }
    await reply(())
  }

  package func receive(_ reply: Void, in state: inout BrowserState) -> Effects {
    state.pollContents()
  }
}

/// Polls a live process: reads the given rows, counts all entries, and reads the entry whose value
/// is shown.
package struct PollEntries: BrowserEffect {
  package let store: StoreReference
  package let request: PollResult.Request?
  package let key: EntryKey?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .follow }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let start = runner.environment.clock.now
    let source = runner.registry.store(store)?.store.source
    var result = PollResult(entries: nil, entry: nil, duration: .zero)
    // If the process does not answer the first query, a second one would only wait again.
    do {
      if let request {
        let query: any Query =
          switch request {
          case .rows(let query), .list(let query): query
          case .tree(let query): query
          }
        result.entries = try await source?.getAll(query).getCancelling()
        let answer = await runner.answer(CountQuery(prefix: request.prefix), in: store)
        if case .integer(let count)? = answer?.value { result.count = Int(count) }
      }
      if let key { result.entry = try await source?.entry(key) }
    } catch {
      result.failure = StoreError(error)
    }
    result.duration = runner.environment.clock.now - start
    guard !Task.isCancelled else { return }
    await reply(result)
  }

  package func receive(_ result: PollResult, in state: inout BrowserState) -> Effects {
    state.followed(result)
  }
}
