import LarderModel

extension BrowserState {
  /// The message for a hidden secret that another program has changed since it was read.
  var secretChanged: String {
    Messages.secretChanged(reload: settings.bindings.call("reload"))
  }

  /// Shows or hides the secret of the selected key.
  mutating func toggleSecret() -> Effects {
    if value?.isRevealed == true { return [Cancel(.concealing)] + readSelected() }
    return readSelected(through: .revealing)
  }

  /// Hides a displayed secret, if it is still on screen.
  mutating func conceal() -> Effects {
    guard value?.isRevealed == true else { return [] }
    return readSelected()
  }

  /// Reads the secret of the selected key for the clipboard, without displaying it.
  mutating func copySecret() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    let ticket = ticket { $0.secrets.reading }
    secrets.reading = ticket.token
    return [CopySecret(store: model.store.reference, key: key, ticket: ticket)]
  }

  mutating func secretCopied(_ result: Answer<String>) -> Effects {
    secrets.reading = nil
    switch result {
    case .success(let text):
      return copy(
        text, saying: Messages.copiedSecret,
        isSecret: true)
    case .failure(.cancelled): return []
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// Clears the secret from the clipboard, unless something else was copied since.
  package mutating func forgetCopy() -> Effects {
    guard secrets.hasCopy else { return [] }
    secrets.hasCopy = false
    say(Messages.clearedSecret)
    return [TerminalOrder.forgetCopy]
  }
}

/// The state of displayed and copied secrets.
struct SecretsModel: Sendable, Equatable {
  /// The token of the secret that is being read for the clipboard, if any.
  var reading: Int?
  /// Whether the last copied text was a secret, which may still be on the clipboard.
  var hasCopy = false
}
