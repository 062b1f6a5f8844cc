import LarderModel
import LarderOperations

extension BrowserState {
  /// Asks for the prefix of the keys to delete, or for confirmation if the prefix is given.
  mutating func askToDeletePrefix(_ typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    let deletion = PrefixDeletionModel(
      store: store.reference, place: storeTitle, keyStyle: store.keyStyle)
    overlay = .prompt(
      PromptModel(deletion, text: typed.isEmpty ? suggestedPrefix : typed))
    let effects = prefixTyped()
    return typed.isEmpty ? effects : effects + takePrefix()
  }

  /// The suggested prefix, which is the filter if the selected key begins with it, or else the key
  /// up to its last separator.
  private var suggestedPrefix: String {
    guard let model = keys else { return "" }
    if let branch = model.selectedBranch { return branch }
    let filter = model.filter?.suggestedPrefix
    // While a new filter loads, the selected key is still from the old list.
    guard model.load?.replacement == nil, let key = model.selected?.key else { return filter ?? "" }
    let text =
      switch key {
      case .text(let text): text
      case .malformedText: ""
      default: key.notation(.typed)
      }
    if let filter, text.utf8.starts(with: filter.utf8) { return filter }
    for delimiter in model.tree.map({ [$0.delimiter] }) ?? TreeModel.delimiters {
      if let branch = EntryKey.text(text).branches(by: delimiter).last { return branch }
    }
    return model.scope
  }

  /// Counts the entries that the typed prefix would delete.
  mutating func prefixTyped() -> Effects {
    guard case .prompt(var prompt) = overlay, var deletion = prompt[PrefixDeletionModel.self] else {
      return []
    }
    deletion.problem = nil
    var effects: Effects = []
    if deletion.prefix == nil {
      deletion.match = nil
      deletion.counting = nil
      if prompt.buffer.text.isEmpty {
        deletion.problem = Messages.emptyPrefix
        effects = [Cancel(.prefix)]
      } else {
        let ticket = ticket { $0.typedLine?[PrefixDeletionModel.self]?.counting }
        deletion.counting = ticket.token
        effects = [
          MatchPrefix(store: deletion.store, prefix: prompt.buffer.text, ticket: ticket)
        ]
      }
    }
    prompt[PrefixDeletionModel.self] = deletion
    overlay = .prompt(prompt)
    return effects
  }

  mutating func prefixMatched(_ result: Answer<PrefixDeletionModel.Match>) -> Effects {
    guard case .prompt(var prompt) = overlay, var deletion = prompt[PrefixDeletionModel.self] else {
      return []
    }
    deletion.counting = nil
    switch result {
    case .success(let match): deletion.match = match
    case .failure(.cancelled): break
    case .failure(let error): deletion.problem = error.message
    }
    prompt[PrefixDeletionModel.self] = deletion
    if deletion.match?.count ?? 0 == 0 { prompt.goBackToPrefix() }
    overlay = .prompt(prompt)
    return []
  }

  /// Submits the prefix, or the typed number, and deletes the entries if the number is right.
  mutating func takePrefix() -> Effects {
    guard case .prompt(var prompt) = overlay, var deletion = prompt[PrefixDeletionModel.self],
      deletion.deleting == nil
    else { return [] }
    var effects: Effects = []
    if let prefix = deletion.prefix {
      guard let match = deletion.match else { return [] }
      if Thousands.digits(typed: prompt.buffer.text) == String(match.count) {
        let ticket = ticket { $0.typedLine?[PrefixDeletionModel.self]?.deleting }
        guard begin(BulkChangeModel(token: ticket.token, total: match.count)) else { return [] }
        deletion.deleting = ticket.token
        deletion.problem = nil
        effects = [
          DeletePrefix(store: deletion.store, prefix: prefix, match: match, question: ticket)
        ]
      } else {
        deletion.problem = Messages.wrongNumber(match.count)
        prompt.replaceText(with: "")
      }
      prompt[PrefixDeletionModel.self] = deletion
    } else if prompt.buffer.text.isEmpty {
      deletion.problem = Messages.emptyPrefix
      prompt[PrefixDeletionModel.self] = deletion
    } else if deletion.problem == nil, deletion.match?.count != 0 {
      deletion.hidesSome = keys?.hidesSome(of: prompt.buffer.text) == true
      prompt[PrefixDeletionModel.self] = deletion
      prompt.askForCount()
    }
    overlay = .prompt(prompt)
    return effects
  }

  mutating func prefixDeleted(_ result: OperationAnswer<PrefixDeletionModel.Outcome>) -> Effects {
    guard case .prompt(var prompt) = overlay, var deletion = prompt[PrefixDeletionModel.self] else {
      return []
    }
    let token = deletion.deleting
    deletion.deleting = nil
    if let count = endWork(token, result.failure?.reason) {
      overlay = nil
      return count == 0 ? [] : listChanged(deletion.store)
    }
    switch result {
    case .success(.deleted(let count)):
      overlay = nil
      say(Messages.deleted(count, withPrefix: deletion.prefix ?? "") + undoHint)
      return listChanged(deletion.store)
    case .success(.found(let match)):
      deletion.match = match
      deletion.problem = Messages.otherNumber(match.count)
      prompt[PrefixDeletionModel.self] = deletion
      prompt.replaceText(with: "")
      if match.count == 0 { prompt.goBackToPrefix() }
      overlay = .prompt(prompt)
      return []
    case .failure(let failure):
      deletion.problem = failure.message
      prompt[PrefixDeletionModel.self] = deletion
      overlay = .prompt(prompt)
      // Stores without transactions may have deleted some of the entries.
      return listChanged(deletion.store)
    }
  }

  /// Reloads the list after a bulk change.
  ///
  /// - Parameters:
  ///   - store: The changed store.
  ///   - key: The key to select, or the next one if it no longer exists; `nil` for the selected
  ///     key.
  ///   - keepsMarks: Whether entries that still exist stay marked.
  /// - Returns: The effects that reload the list, which are empty if another store is shown.
  mutating func listChanged(
    _ store: StoreReference, around key: EntryKey? = nil, keepsMarks: Bool = false
  ) -> Effects {
    let marks = keepsMarks ? readMarksAgain(of: store) : nil
    if marks == nil { loseMarks(of: store) }
    guard keys?.store.reference == store else { return [] }
    renewChoice()
    guard let model = keys else { return [] }
    return seekAgain(key ?? model.selected?.key) + countKeys() + (marks ?? [])
  }
}
