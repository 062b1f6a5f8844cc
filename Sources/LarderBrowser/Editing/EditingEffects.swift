package import LarderModel
import LarderOperations
import Harmony

extension EffectSlot {
  static let typedCheck = EffectSlot("typed check")
  static let newKey = EffectSlot("new key")
}

/// Writes an entry if the store still holds what was read: with what the editor has, or without one
/// of its members.
package struct WriteEntry: BrowserEffect {
  package let store: StoreReference
  package let entry: Entry
  package let query: ReplaceQuery
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let own = runner.registry.own
    own.note(entry.key, entry.fingerprint, in: store)
    var warnings: [String] = []
    let result = await runner.result {
      let opened = try runner.opened(store)
      let stored = try await opened.cache.put(entry, in: query).get()
      own.note(entry.key, stored.fingerprint, in: store)
      let now = runner.environment.date()
      warnings = opened.store.warnings(ofWriting: entry, as: stored, at: now)
      return opened.store.hidesValues ? stored.concealed : stored
    }
    await reply(result)
    if !warnings.isEmpty { await reply.send(.remarked(warnings.joined(separator: "; "))) }
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.question == nil ? state.wrote(reply) : state.deletedMember(reply)
  }
}

/// Deletes an entry if the store still holds what was read.
package struct DeleteEntry: BrowserEffect {
  package let store: StoreReference
  package let query: EntryQuery
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.own.note(query.entryKey, nil, in: store)
    await reply(
      await runner.result { try await runner.opened(store).cache.delete(query).get() })
  }

  package func receive(_ reply: Answer<Void>, in state: inout BrowserState) -> Effects {
    state.deleted(query.entryKey, reply.failure)
  }
}

/// Finds out whether an entry can be added under a key.
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

/// Finds out what is wrong with a large text that is typed.
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
