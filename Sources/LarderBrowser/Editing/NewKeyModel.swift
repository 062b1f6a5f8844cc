package import LarderModel

/// The state of the prompt for the key of a new entry.
package struct NewKeyModel: PromptPurpose {
  /// The key of the existing entry, or `nil` if the typed key is not known to be taken.
  package var present: EntryKey?
  /// The reason that no entry can be added under the key, whatever its value.
  package var problem: String?
  /// The token of the check in progress.
  package var checking: Int?
  /// Whether to open the editor as soon as the key turns out to be free.
  package var isSubmitted = false

  /// The key of the entry with the selected member that cannot get another one, or `nil` if no
  /// member is selected.
  let beside: String?

  package init(beside: String? = nil) { self.beside = beside }

  /// A copy without results of any check.
  var unknown: NewKeyModel { NewKeyModel(beside: beside) }

  package var label: String { Messages.Label.newKey }
  package var draftLine: Draft.Line? { .newKey }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if present != nil {
      return PromptModel.Notice(text: Messages.takenKeyAdvice, isProblem: true)
    }
    if let problem { return PromptModel.Notice(text: problem, isProblem: true) }
    if isSubmitted { return PromptModel.Notice(text: Messages.checkingKey) }
    return beside.map { PromptModel.Notice(text: Messages.newEntry(nextTo: $0)) }
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.lookAtNewKey() + state.scheduleAutosave()
  }

  package func completed(in state: inout BrowserState) -> Effects? { state.goToPresent() }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.submitNewKey()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.nothing("added"))
    return [Cancel(.newKey)]
  }
}
