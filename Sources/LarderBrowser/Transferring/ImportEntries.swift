import LarderModel
package import LarderOperations
import LarderFiles
import Harmony

/// Imports the entries of a file, which `larder export` or `:export` wrote.
package struct ImportEntries: BrowserEffect {
  package let store: StoreReference
  package let path: String
  package let replaces: Bool
  /// The token of the operation.
  package let token: Int
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.changing(store, below: "", token, reply.send) { opened, scan in
        // Cancelling this task does not stop the import halfway.
        try await Future {
          defer { opened.cache.evictAll() }
          do {
            let path = HomePath.expanded(path)
            let lines = try EntryLineReader(
              path: path, name: path.split(separator: "/").last.map(String.init), isFile: true,
              scan: scan)
            return try await Import(lines, into: opened.store, replaces: replaces).run()
          } catch let error as InputError {
            throw error.failure
          }
        }.get()
      })
  }

  package func receive(
    _ reply: OperationAnswer<Import.Outcome>, in state: inout BrowserState
  ) -> Effects {
    state.imported(into: store, token: token, replaces: replaces, reply)
  }
}

extension BrowserState {
  /// Imports the entries of a file into the collection shown.
  mutating func importEntries(from typed: String) -> Effects {
    guard let store = keys?.store, let (path, replaces) = file(typed, for: "import") else {
      return []
    }
    guard !isProtected else {
      say(Messages.noImportIntoProtected, .error)
      return []
    }
    guard !replaces || store.capabilities.contains(.undo) else {
      say(Messages.noUndoOfReplacing, .error)
      return []
    }
    let token = newToken()
    guard begin(BulkChangeModel(token: token, total: nil, .import)) else { return [] }
    return [
      ImportEntries(store: store.reference, path: path, replaces: replaces, token: token)
    ]
  }

  mutating func imported(
    into store: StoreReference, token: Int, replaces: Bool,
    _ result: OperationAnswer<Import.Outcome>
  ) -> Effects {
    let changed = work?.report.token == token ? work?.report.changed ?? 0 : 0
    if endWork(token, result.failure?.reason) != nil { return listChanged(store) }
    switch result {
    case .success(let outcome):
      let remarks = remarks(
        on: outcome.left, otherExpiries: outcome.otherExpiries.count, same: outcome.same)
      var text = Messages.imported(outcome.count) + remarks.text
      if let key = outcome.unreadable { text += "; \(self.text(of: key)) \(Store.unreadable)" }
      if let problem = outcome.expiryProblem { text += "; " + Messages.expiriesNotSet(problem) }
      let isWhole =
        remarks.areNone && outcome.unreadable == nil && outcome.expiryProblem == nil
      say(text + (outcome.count > 0 ? undoHint : ""), isWhole ? .info : .warning)
    case .failure(let failure):
      let isOther = failure.isTaken && !replaces
      say(
        failure.message + (isOther ? Messages.importReplaces : changed > 0 ? undoHint : ""), .error)
    }
    return listChanged(store)
  }
}
