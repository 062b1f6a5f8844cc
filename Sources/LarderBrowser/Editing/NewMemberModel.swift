import LarderModel
import LarderFormats

/// The state of the prompt for the name of a new member.
package struct NewMemberModel: PromptPurpose {
  /// The entry as of when the prompt was opened; the selection may have moved since.
  let entry: Entry
  /// The part of the entry that gets the member.
  let container: ValuePart
  /// The names of the existing members.
  let names: Set<ExactText>
  /// The container as displayed, such as `users[0] of doc`.
  let title: String
  /// The reason that the typed name is not valid, or `nil`.
  var problem: String?

  package var label: String { Messages.Label.newMember }
  package var draftLine: Draft.Line? { .newMember }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    problem.map { PromptModel.Notice(text: $0, isProblem: true) }
      ?? PromptModel.Notice(text: Messages.newMember(of: title))
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.lookAtNewMember() + state.scheduleAutosave()
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.submitNewMember()
  }
}
