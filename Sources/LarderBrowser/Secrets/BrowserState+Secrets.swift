import LarderModel

extension BrowserState {
  /// What became of a secret that somebody else has changed meanwhile, which is not shown.
  static let metOthers =
    "it was changed by someone else since it was read; nothing was written. Read it again first"

  /// Shows the secret of the selected key, or hides it again.
  mutating func toggleSecret() -> Effects {
    if value?.isRevealed == true { return [Cancel(.concealing)] + readSelected() }
    return readSelected(through: .revealing)
  }

  /// Hides the secret that one read has shown, if it is still there.
  mutating func conceal() -> Effects {
    guard value?.isRevealed == true else { return [] }
    return readSelected()
  }

  /// Starts to read the secret of the selected key for the clipboard; it does not come on the screen.
  mutating func copySecret() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    let ticket = ticket { $0.secrets.reading }
    secrets.reading = ticket.token
    return [TakeSecret(store: model.store.reference, key: key, ticket: ticket)]
  }

  mutating func secretTaken(_ result: Answer<String>) -> Effects {
    secrets.reading = nil
    switch result {
    case .success(let text):
      return copy(
        text, saying: "copied; the clipboard is emptied in 45 seconds, or when larder ends",
        isSecret: true)
    case .failure(.cancelled): return []
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// Takes the secret off the clipboard, unless something else was copied since.
  package mutating func forgetCopy() -> Effects {
    guard secrets.hasCopy else { return [] }
    secrets.hasCopy = false
    say("the secret was taken off the clipboard")
    return [TerminalOrder.forgetCopy]
  }
}

/// What is known of secrets that are copied.
struct SecretsModel: Sendable, Equatable {
  /// The token of the secret that is being read to be copied; nil where there is none.
  var reading: Int?
  /// Whether a secret was copied last, and may still be on the clipboard.
  var hasCopy = false
}
