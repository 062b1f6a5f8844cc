package import LarderModel

/// What is known of the key of a new entry, while it is typed.
package struct NewKeyModel: PromptPurpose {
  /// That a key is no new one.
  static let taken = "there is an entry with this key already"

  /// The key of the entry that there is already.
  package var present: EntryKey?
  /// Why nothing can be added under the key, whatever the value is.
  package var problem: String?
  /// The token of the look at the key.
  package var checking: Int?
  /// Whether the value is to be typed as soon as the key turns out to be free.
  package var isSubmitted = false

  /// The key of the entry that a member is selected of, which gets no other member; nil where none is.
  let beside: String?

  package init(beside: String? = nil) { self.beside = beside }

  /// The same, of which nothing is known any more.
  var unknown: NewKeyModel { NewKeyModel(beside: beside) }

  package var label: String { "new key: " }
  package var draftLine: Draft.Line? { .newKey }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if present != nil {
      return PromptModel.Notice(text: "\(Self.taken); Tab goes to it", isProblem: true)
    }
    if let problem { return PromptModel.Notice(text: problem, isProblem: true) }
    if isSubmitted { return PromptModel.Notice(text: "looking whether the key is free…") }
    return beside.map {
      PromptModel.Notice(text: "a new entry beside \($0), and not a member of it")
    }
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.lookAtNewKey() + state.keepSoon()
  }

  package func completed(in state: inout BrowserState) -> Effects? { state.goToPresent() }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.submitNewKey()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(BrowserState.nothingAdded)
    return [Cancel(.newKey)]
  }
}
