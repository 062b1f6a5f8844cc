package import LarderModel
import Harmony

extension EffectSlot {
  static let marking = EffectSlot("marking", isOfTab: true)
  static let marks = EffectSlot("marks")
}

/// Lists keys in order to mark them.
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

/// Reads marked entries, even if their tab is not visible any more.
package struct ReadMarks: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  /// The token of the list that requested them.
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
  /// - Throws: `StoreError`, including if it is not known whether an entry matches the query.
  func listing(_ query: EntryPageQuery, in opened: StoreRegistry.Opened) async throws -> KeyListing
  {
    var keys: [EntryKey] = []
    var page = query
    // In another order, the store examines all entries for each page.
    page.limit = query.inKeyOrder == nil ? query.limit + 1 : 2_000
    let scan = Scan()
    page.scan = scan
    for try await found in EntryPages(of: opened.store.source, page) {
      // A change of all matching entries must not be applied to only some of them.
      if let (key, reason) = scan.unreadable.first {
        throw StoreError.failed(Messages.undecided(key.spoken, reason.message))
      }
      keys += found.map(\.key)
      guard keys.count <= query.limit else {
        return KeyListing(keys: Array(keys.prefix(query.limit)), isWhole: false)
      }
    }
    return KeyListing(keys: keys, isWhole: true)
  }
}
