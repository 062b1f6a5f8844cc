import LarderFormats
import LarderModel
import Foundation

/// Opens a text in the user's own editor, which gets the terminal, and stores a draft with the path
/// of the file until the editor ends.
package struct EditExternally: BrowserEffect {
  package let text: ExternalText
  package let draft: Draft?
  package let question: Ticket
  package var ticket: Ticket? { question }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let token = question.token
    let outcome = await runner.environment.editor.edit(text) {
      [drafts = runner.environment.drafts] step in
      guard var draft else { return }
      draft.date = Date()
      switch step {
      case .given(let path): draft.outside?.path = path
      case .taken(let result):
        draft.text = text.taken(result)
        draft.outside = nil
      }
      // If this fails, larder stores the draft, or reports its loss, when it has the text again.
      try? drafts?.keep(draft, number: token)
    }
    await reply(outcome)
  }

  package func receive(_ outcome: ExternalEditOutcome, in state: inout BrowserState) -> Effects {
    state.externalEditEnded(outcome)
  }
}

extension EditorModel {
  /// A text that is open in an external program.
  package struct Outside: Sendable, Equatable {
    var token: Int
    var text: ExternalText
    /// Whether the edited text is written as soon as the program ends.
    var isSavedAfter: Bool
  }

  /// Whether a file with the text has exactly the bytes that the store would hold.
  var isStoredForm: Bool {
    part.isWhole && !isHex && (type == .text || type == .data)
  }
}
