package import LarderModel
import Harmony

extension EffectSlot {
  static let marking = EffectSlot("marking", isOfTab: true)
  static let marks = EffectSlot("marks")
}

/// Lists keys, to mark them.
package struct ListKeys: BrowserEffect {
  package let store: StoreReference
  package let query: EntryPageQuery
  package let ticket: Ticket?
  package var slot: EffectSlot? { .marking }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.listing(query, in: runner.opened(store)) })
  }

  package func receive(_ reply: Answer<KeyListing>, in state: inout BrowserState) -> Effects {
    state.keysListed(reply)
  }
}

/// Reads what is under keys that are marked, which may be in a tab that is not shown by then.
package struct ReadMarks: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  /// The token of the list that asks.
  package let token: Int
  package var slot: EffectSlot? { .marks }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.deletions(of: keys, in: store) })
  }

  package func receive(_ reply: Answer<EntriesToDelete>, in state: inout BrowserState) -> Effects {
    state.marksRead(try? reply.get().changes, token: token)
  }
}

extension EffectRunner {
  /// Lists keys, up to the limit of a query.
  ///
  /// - Throws: ``StoreError`` also where it cannot be told of an entry whether it belongs to the list.
  func listing(_ query: EntryPageQuery, in opened: StoreRegistry.Opened) async throws -> KeyListing
  {
    var keys: [EntryKey] = []
    var page = query
    // In another order than that of the keys each page costs a look at all entries.
    page.limit = query.inKeyOrder == nil ? query.limit + 1 : 2_000
    let scan = Scan()
    page.scan = scan
    for try await found in EntryPages(of: opened.store.source, page) {
      // What is done to all that match is not to be done to some of them.
      if let (key, reason) = scan.unreadable.first {
        throw StoreError.failed(
          "it cannot be told whether \(key.spoken) matches (\(reason.message)); no key was marked")
      }
      keys += found.map(\.key)
      guard keys.count <= query.limit else {
        return KeyListing(keys: Array(keys.prefix(query.limit)), isWhole: false)
      }
    }
    return KeyListing(keys: keys, isWhole: true)
  }
}
