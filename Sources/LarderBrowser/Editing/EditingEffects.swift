package import LarderModel
import LarderOperations
package import LarderFormats
import Harmony

extension EffectSlot {
  static let typedCheck = EffectSlot("typed check")
  static let newKey = EffectSlot("new key")
}

/// Writes an entry if it is unchanged since it was read: with the value from the editor, or without
/// one of its members.
package struct WriteEntry: BrowserEffect {
  package let store: StoreReference
  package let entry: Entry
  package let query: ReplaceQuery
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await runner.write(query, in: store, reply) { _ in entry }
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.question == nil ? state.wrote(reply) : state.deletedMember(reply)
  }
}

/// Adds a row to a table, with a given key or one that the store chooses.
package struct AddRow: BrowserEffect {
  package let store: StoreReference
  /// The key, or `nil` if the store chooses it.
  package let key: EntryKey?
  package let value: StoredValue
  /// The expiry of the row, or `nil` if it is in the columns or there is none.
  package let expiry: ExpiryText?
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await runner.write(nil, in: store, reply) { opened in
      var entry = Entry(key: key ?? .null, value: value)
      if key == nil, let newKey = opened.newKey { entry.key = try await newKey() }
      guard let expiry, let service = opened.expiry else { return entry }
      return try await service.entry(
        entry, expiring: expiry.date(from: runner.environment.date()))
    }
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.addedRow(reply)
  }
}

extension EffectRunner {
  /// Writes an entry and replies with the stored entry.
  ///
  /// - Parameters:
  ///   - query: The expected content of the store, or `nil` to require that the key is free.
  ///   - reference: The store.
  ///   - reply: The closure that receives the answer.
  ///   - make: A closure that returns the entry to write.
  fileprivate func write<Effect: BrowserEffect>(
    _ query: ReplaceQuery?, in reference: StoreReference, _ reply: Replies<Effect>,
    _ make: (Store) async throws -> Entry
  ) async where Effect.Reply == Answer<Entry> {
    let own = registry.own
    var warnings: [String] = []
    let result = await result {
      let opened = try opened(reference)
      let entry = try await make(opened.store)
      let query = query ?? ReplaceQuery(entry.key, expecting: nil)
      let stored = try await own.noting([(entry.key, entry.fingerprint)], in: reference) {
        try await opened.cache.put(entry, in: query).get()
      }
      own.note(entry.key, stored.fingerprint, in: reference)
      warnings = opened.store.warnings(ofWriting: entry, as: stored, at: environment.date())
      return opened.store.hidesValues ? stored.concealed : stored
    }
    await reply(result)
    if !warnings.isEmpty { await reply.send(.warned(warnings.joined(separator: "; "))) }
  }
}

/// Deletes an entry if it is unchanged since it was read.
package struct DeleteEntry: BrowserEffect {
  package let store: StoreReference
  package let query: EntryQuery
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        try await runner.registry.own.noting([(query.entryKey, nil)], in: store) {
          try await runner.opened(store).cache.delete(query).get()
        }
      })
  }

  package func receive(_ reply: Answer<Void>, in state: inout BrowserState) -> Effects {
    state.deleted(query.entryKey, reply.failure)
  }
}

/// Checks whether an entry can be added under a key.
package struct CheckKey: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  package let ticket: Ticket?
  package var slot: EffectSlot? { .newKey }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.opened(store).store.source.present(key) })
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.keyChecked(reply)
  }
}

/// Validates a typed text that is too large to check at every key press.
package struct CheckTyped: BrowserEffect {
  package let editor: EditorModel
  package let ticket: Ticket?
  package var slot: EffectSlot? { .typedCheck }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let problem = await Background.runCancelling(isAlone: true) { _ in
      var editor = editor
      editor.check()
      return editor.problem
    }
    guard let problem, !Task.isCancelled else { return }
    await reply(problem)
  }

  package func receive(_ problem: String?, in state: inout BrowserState) -> Effects {
    state.typedChecked(problem)
  }
}

/// Finds the recorded change that left an entry as it is now.
package struct FindAuthor: BrowserEffect {
  package let store: StoreReference
  /// The entry, without a value if it was deleted.
  package let entry: Entry
  package let ticket: Ticket?

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.steps(leaving: [entry], in: store)[entry.key]?.number)
  }

  package func receive(_ number: Int64?, in state: inout BrowserState) -> Effects {
    state.authorFound(number)
  }
}

extension EffectRunner {
  /// Returns the recorded changes that left entries as they are now, or none if the journal cannot
  /// be read.
  func steps(
    leaving entries: [Entry], in reference: StoreReference
  ) async -> [EntryKey: ChangeSummary] {
    let history = try? opened(reference).store.history
    return (try? await history?.steps(leaving: entries)) ?? [:]
  }
}
