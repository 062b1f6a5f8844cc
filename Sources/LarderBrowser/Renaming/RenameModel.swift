package import LarderModel

/// An entry whose new key is being typed, or the key of its copy.
package struct RenameModel: PromptPurpose {
  /// The store of the entry.
  package var store: StoreReference
  /// The key that the entry has.
  package var key: EntryKey
  /// The key that it has, as it is shown.
  package var title: String
  /// What the store has to hold under it.
  package var expecting: Fingerprint
  /// Whether the entry stays, and a copy gets the key.
  package var isCopy = false
  /// Why the entry cannot get the key that is typed, as far as is known.
  package var problem: String?
  /// The token of the look at the key that is typed.
  package var checking: Int?
  /// The token of the change, once it is under way.
  package var renaming: Int?

  package var label: String { isCopy ? "copy to key: " : "rename: " }
  package var isLeftByBackspace: Bool { false }
  package var isTaken: Bool { renaming != nil }
  package var draftLine: Draft.Line? { isCopy ? .copy : .rename }

  /// What is done to the entry.
  var verb: String { isCopy ? "copied" : "renamed" }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if renaming != nil { return PromptModel.Notice(text: isCopy ? "copying…" : "renaming…") }
    return problem.map { PromptModel.Notice(text: $0, isProblem: true) }
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.newKeyTyped() + state.keepSoon()
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.rename(with: line)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say("\(title) was not \(verb)")
    return [Cancel(.newKey)]
  }
}
