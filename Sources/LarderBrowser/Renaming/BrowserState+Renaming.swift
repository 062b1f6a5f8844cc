import LarderModel

extension BrowserState {
  /// Asks for the new key of the selected entry or of its copy, or for the new prefix of the marked
  /// keys.
  ///
  /// If the new name is given, it is applied without asking.
  mutating func askToRename(to typed: String, isCopy: Bool = false) -> Effects {
    guard let store = keys?.store else { return [] }
    if !isCopy, let chosen = chosenEntries {
      if case .prefix(let prefix) = chosen { return askToRenameBranch(prefix, to: typed) }
      if keys?.marked.isEmpty == false { return askToRenameMarked(to: typed) }
    }
    do {
      let entry = try wholeEntry()
      guard let fingerprint = entry.fingerprint else {
        say(Messages.incomplete(text(of: entry.key), isCopy ? "copied" : "renamed"), .warning)
        return []
      }
      var rename = RenameModel(
        store: store.reference, key: entry.key, title: text(of: entry.key), expecting: fingerprint)
      rename.isCopy = isCopy
      let prompt = PromptModel(
        rename, text: typed.isEmpty ? entry.key.notation(store.keyStyle) : typed)
      overlay = .prompt(prompt)
      return typed.isEmpty ? [] : self.rename(with: prompt)
    } catch {
      say(error.message, .error)
      return []
    }
  }

  /// Checks in advance whether the typed key is available.
  mutating func newKeyTyped() -> Effects {
    guard case .prompt(var prompt) = overlay, var rename = prompt[RenameModel.self],
      let store = keys?.store
    else { return [] }
    let key = store.key(typed: prompt.buffer.text)
    rename.problem = nil
    rename.checking = nil
    defer {
      prompt[RenameModel.self] = rename
      overlay = .prompt(prompt)
    }
    rename.problem = store.fault(inTyped: prompt.buffer.text)
    guard !prompt.buffer.text.isEmpty, key != rename.key, rename.problem == nil else {
      return [Cancel(.newKey)]
    }
    let ticket = ticket { $0.typedLine?[RenameModel.self]?.checking }
    rename.checking = ticket.token
    return [CheckKey(store: rename.store, key: key, ticket: ticket)]
  }

  /// Handles the result of the check of the typed key.
  mutating func keyChecked(_ result: Answer<Entry>) -> Effects {
    guard case .prompt(var prompt) = overlay, var rename = prompt[RenameModel.self] else {
      return newKeyChecked(result)
    }
    rename.checking = nil
    switch result {
    case .success: rename.problem = Messages.keyTaken
    case .failure(.notFound), .failure(.cancelled): break
    case .failure(let error): rename.problem = error.message
    }
    prompt[RenameModel.self] = rename
    overlay = .prompt(prompt)
    return []
  }

  /// Renames or copies the entry, unless the typed key is its own.
  mutating func rename(with prompt: PromptModel) -> Effects {
    guard var rename = prompt[RenameModel.self], rename.renaming == nil, let store = keys?.store
    else { return [] }
    var prompt = prompt
    let key = store.key(typed: prompt.buffer.text)
    guard key != rename.key else {
      overlay = nil
      say(Messages.sameKey(rename.title, rename.verb))
      return [Cancel(.newKey)]
    }
    var effects: Effects = [Cancel(.newKey)]
    rename.checking = nil
    if prompt.buffer.text.isEmpty {
      rename.problem = Messages.typeKey
    } else if let fault = store.fault(inTyped: prompt.buffer.text) {
      rename.problem = fault
    } else {
      let ticket = ticket { $0.typedLine?[RenameModel.self]?.renaming }
      rename.renaming = ticket.token
      rename.problem = nil
      let query = RenameQuery(rename.key, to: key, expecting: rename.expecting)
      effects.append(
        RenameEntry(store: rename.store, query: query, isCopy: rename.isCopy, ticket: ticket))
    }
    prompt[RenameModel.self] = rename
    overlay = .prompt(prompt)
    return effects
  }

  mutating func renamed(_ result: Answer<Entry>) -> Effects {
    guard case .prompt(var prompt) = overlay, var rename = prompt[RenameModel.self] else {
      return []
    }
    rename.renaming = nil
    var effects: Effects = []
    switch result {
    case .success(let entry):
      overlay = nil
      say(
        Messages.renamed(rename.title, to: text(of: entry.key), isCopy: rename.isCopy)
          + undoHint)
      loseMarks(of: rename.store)
      guard keys?.store.reference == rename.store else { return [] }
      return seekAgain(entry.key)
    case .failure(.conflict(let theirs?))
    where theirs.key == rename.key && theirs.fingerprint != rename.expecting:
      rename.problem = Messages.renameConflict(
        changedByOthers(rename.title, theirs), isCopy: rename.isCopy,
        isInBackingStore: isInBackingStore(theirs))
      if let fingerprint = theirs.fingerprint { rename.expecting = fingerprint }
      // The list shows the cached version, which does not tell what would be renamed.
      effects = isInBackingStore(theirs) ? [] : readSelected(through: .fresh)
    case .failure(.conflict(nil)):
      rename.problem = Messages.nothing(
        rename.verb, since: Messages.deletedByOthers(rename.title))
      effects = readSelected(through: .fresh)
    case .failure(.conflict):
      rename.problem = Messages.nothing(rename.verb, since: Messages.keyTaken)
    case .failure(let error): rename.problem = error.message
    }
    prompt[RenameModel.self] = rename
    overlay = .prompt(prompt)
    return effects
  }
}
