import LarderModel

extension BrowserState {
  /// What became of a secret that somebody else has changed meanwhile, which is not shown.
  static let metOthers =
    "it was changed by someone else since it was read; nothing was written. Read it again first"

  /// Shows the secret of the selected key, or hides it again.
  mutating func toggleSecret() -> [BrowserEffect] {
    if value?.isRevealed == true { return [.cancel(.concealing)] + readSelected() }
    return readSelected(through: .revealing)
  }

  /// Hides the secret that one read has shown, if it is still there.
  mutating func conceal(token: Int) -> [BrowserEffect] {
    guard value?.token == token, value?.isRevealed == true else { return [] }
    return readSelected()
  }

  /// Starts to read the secret of the selected key for the clipboard; it does not come on the screen.
  mutating func copySecret() -> [BrowserEffect] {
    guard let model = keys, let key = model.selected?.key else { return [] }
    let token = newToken()
    secretReading = token
    return [.takeSecret(model.store.reference, key, token: token)]
  }

  mutating func secretTaken(
    token: Int, _ result: Result<String, StoreError>
  ) -> [BrowserEffect] {
    guard secretReading == token else { return [] }
    secretReading = nil
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
  package mutating func forgetCopy() -> [BrowserEffect] {
    guard hasSecretCopy else { return [] }
    hasSecretCopy = false
    say("the secret was taken off the clipboard")
    return [.forgetCopy]
  }
}
