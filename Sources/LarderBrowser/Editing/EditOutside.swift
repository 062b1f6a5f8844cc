import LarderFormats
import LarderModel
import Foundation

/// Leaves the terminal to the user's own editor until it is done with a text, and keeps a draft
/// meanwhile that says where the text is.
package struct EditOutside: BrowserEffect {
  package let text: OutsideText
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
      // What cannot be kept now is kept, or said to be lost, once larder has the text again.
      try? drafts?.keep(draft, number: token)
    }
    await reply(outcome)
  }

  package func receive(_ outcome: OutsideOutcome, in state: inout BrowserState) -> Effects {
    state.editedOutside(outcome)
  }
}

extension EditorModel {
  /// Text that another program has.
  package struct Outside: Sendable, Equatable {
    var token: Int
    var text: OutsideText
    /// Whether what comes back is written at once.
    var isSavedAfter: Bool
  }

  /// Whether a file with the text is what the store would hold.
  var isStoredForm: Bool {
    part.isWhole && !isHex && (type == .text || type == .data)
  }
}
