import LarderModel

/// The prompt for the password of a server, which is neither shown nor stored.
package struct PasswordQuestion: PromptPurpose {
  /// The location as typed.
  let location: String
  /// The reason for which the server did not open.
  let reason: String

  package var label: String { Messages.Label.password }
  package var isAboutList: Bool { false }
  package var isAnswer: Bool { true }
  package var isHidden: Bool { true }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    PromptModel.Notice(text: reason)
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    // The reason that the server did not open is about the attempt before.
    state.message = nil
    return state.goTo(location, password: line.buffer.text)
  }
}

extension BrowserState {
  /// Asks for the password of a location that did not open without the right one.
  mutating func askPassword(of id: LocationID, for error: StoreError) {
    guard case .passwordRequired(let reason) = error, let item = stores.item(id) else { return }
    overlay = .prompt(PromptModel(PasswordQuestion(location: item.text, reason: reason)))
  }
}
