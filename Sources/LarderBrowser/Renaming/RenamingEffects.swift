package import LarderModel
package import LarderOperations
import LarderDocuments
import Foundation
import Harmony

/// Renames or copies an entry, if it is unchanged since it was read.
package struct RenameEntry: BrowserEffect {
  package let store: StoreReference
  package let query: RenameQuery
  package let isCopy: Bool
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let own = runner.registry.own
    let result = await runner.result {
      let opened = try runner.opened(store)
      return try await own.noting(
        (isCopy ? [] : [(query.entryKey, nil)]) + [(query.newKey, query.expecting)], in: store
      ) { try await isCopy ? duplicate(opened) : rename(opened) }
    }
    if case .success(let entry) = result { own.note(entry, in: store) }
    await reply(result)
  }

  /// Renames an entry after checking the new key, so that an invalid or existing key is rejected
  /// before the change is recorded.
  private func rename(_ opened: StoreRegistry.Opened) async throws -> Entry {
    if let taken = try await opened.store.source.entry(query.newKey) {
      throw StoreError.conflict(current: taken)
    }
    do {
      return try await opened.cache.put(nil, in: query).get()
    } catch is CoreError.QueryNotSupported {
      throw StoreError.notSupported(Messages.noRename)
    }
  }

  /// Copies an entry to an unused key.
  private func duplicate(_ opened: StoreRegistry.Opened) async throws -> Entry {
    let source = opened.store.source
    guard let entry = try await source.entry(query.entryKey, readsFiles: true),
      let value = entry.value,
      entry.fingerprint == query.expecting
    else { throw StoreError.conflict(current: try await source.entry(query.entryKey)) }
    if let obstacle = entry.copyObstacle {
      throw StoreError.notSupported(Messages.notDuplicated(entry.key.spoken, obstacle))
    }
    if let taken = try await source.entry(query.newKey) {
      throw StoreError.conflict(current: taken)
    }
    var copy = Entry(key: query.newKey, value: value, expires: entry.expires, form: entry.form)
    copy = try await opened.store.imported([copy]).first ?? copy
    let stored = try await opened.cache.put(copy, in: ReplaceQuery(query.newKey, expecting: nil))
      .get()
    var left = TransferReport()
    if let problem = await opened.store.setExpiries(of: [stored], as: [copy], leaving: &left) {
      opened.store.warnings?.add(Messages.expiriesNotSet(problem))
    }
    opened.cache.evictAll()
    return try await source.entry(stored.key) ?? stored
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.renamed(reply)
  }
}

/// Lists the keys of a branch in order to rename them.
package struct ListBranch: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  /// The new prefix, or an empty string to ask for it.
  package let typed: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .asking }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let query = EntryPageQuery(prefix: prefix, limit: KeysModel.maximumMarkCount)
    await reply(await runner.result { try await runner.listing(query, in: runner.opened(store)) })
  }

  package func receive(_ reply: Answer<KeyListing>, in state: inout BrowserState) -> Effects {
    state.branchListed(reply, of: prefix, typed: typed)
  }
}

/// Renames several entries in one change, if they are unchanged since they were marked.
package struct RenameMarked: BrowserEffect {
  package let store: StoreReference
  package let items: [Rename.Item]
  package let question: Ticket
  package var ticket: Ticket? { question }
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.changing(store, question.token, reply.send) { opened, scan in
        let rename = Rename(in: opened.store)
        let renames = try await rename.renames(of: items, scan)
        defer { opened.cache.evictAll() }
        return try await rename.run(renames, scan).map(\.key)
      })
  }

  package func receive(
    _ reply: OperationAnswer<[EntryKey]>, in state: inout BrowserState
  ) -> Effects {
    state.markedRenamed(reply)
  }
}
