import LarderModel
import LarderFormats

/// A member that is to be added to a value, while its name is typed.
package struct NewMemberModel: PromptPurpose {
  /// The entry as it was when the name was asked for; another may be selected by the time it is typed.
  let entry: Entry
  /// What of it gets the member.
  let container: ValuePart
  /// The names of the members that it has.
  let names: Set<ExactText>
  /// What gets the member, as in `users[0] of doc`.
  let title: String
  /// Why the name that is typed cannot be taken, while it cannot.
  var problem: String?

  package var label: String { "new member: " }
  package var draftLine: Draft.Line? { .newMember }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    problem.map { PromptModel.Notice(text: $0, isProblem: true) }
      ?? PromptModel.Notice(text: "a new member of \(title)")
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.lookAtNewMember() + state.keepSoon()
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.submitNewMember()
  }
}
