package import LarderModel

/// The prompt for renaming or copying an entry.
package struct RenameModel: PromptPurpose {
  /// The store of the entry.
  package var store: StoreReference
  /// The current key of the entry.
  package var key: EntryKey
  /// The current key, as displayed.
  package var title: String
  /// The fingerprint that the stored entry must have.
  package var expecting: Fingerprint
  /// Whether to copy the entry to the new key instead of renaming it.
  package var isCopy = false
  /// The reason why the typed key cannot be used, if it is known.
  package var problem: String?
  /// The token of the check of the typed key.
  package var checking: Int?
  /// The token of the change, once it has started.
  package var renaming: Int?

  package var label: String { isCopy ? Messages.Label.copyToKey : Messages.Label.rename }
  package var isLeftByBackspace: Bool { false }
  package var isTaken: Bool { renaming != nil }
  package var draftLine: Draft.Line? { isCopy ? .copy : .rename }

  /// The past participle for messages.
  var verb: String { isCopy ? "copied" : "renamed" }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if renaming != nil {
      return PromptModel.Notice(text: isCopy ? Messages.copying : Messages.renaming)
    }
    return problem.map { PromptModel.Notice(text: $0, isProblem: true) }
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.newKeyTyped() + state.scheduleAutosave()
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.rename(with: line)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.kept(title, verb))
    return [Cancel(.newKey)]
  }
}
