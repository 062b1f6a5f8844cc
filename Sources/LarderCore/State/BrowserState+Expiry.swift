import Foundation

extension BrowserState {
  /// Asks until when the selected entry is to count, or all that are marked, or says so.
  mutating func askForExpiry(_ typed: String) -> [BrowserEffect] {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    var fingerprints = model.fingerprints
    if marked.isEmpty, let entry = value?.entry.value {
      fingerprints[entry.key] = entry.fingerprint
    }
    guard let first = marked.first ?? model.selected?.key else { return [] }
    let expiry = ExpiryModel(
      store: model.store.reference, keys: marked.isEmpty ? [first] : marked,
      fingerprints: fingerprints,
      title: marked.isEmpty
        ? text(of: first) : PrefixDeletionModel.entries(marked.count, "marked"))
    overlay = .prompt(PromptModel(.expiry(expiry), text: typed))
    return typed.isEmpty ? [] : setExpiry()
  }

  /// Writes the expiry that is typed.
  mutating func setExpiry() -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, var expiry = prompt.expiry, expiry.writing == nil
    else { return [] }
    guard let wanted = ExpiryText(prompt.buffer.text) else {
      expiry.problem = "type \(ExpiryText.forms)"
      prompt.expiry = expiry
      overlay = .prompt(prompt)
      return []
    }
    let token = newToken()
    expiry.writing = token
    expiry.problem = nil
    prompt.expiry = expiry
    overlay = .prompt(prompt)
    return [
      .setExpiry(expiry.store, expiry.keys, expiry.fingerprints, wanted, token: token)
    ]
  }

  mutating func expirySet(
    token: Int, _ result: Result<Int, StoreError>
  ) -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, var expiry = prompt.expiry, expiry.writing == token
    else { return [] }
    expiry.writing = nil
    switch result {
    case .success:
      overlay = nil
      keys?.clearMarks()
      say("\(expiry.title): \(ExpiryText(prompt.buffer.text)?.spoken ?? "")\(wayBack)")
      return listChanged(expiry.store)
    case .failure(.conflict(let theirs)):
      let what = theirs.map { text(of: $0.key) } ?? "an entry"
      expiry.problem =
        "\(what) was changed by someone else; nothing was written. Esc, and x again takes it as it is"
    case .failure(let error): expiry.problem = error.message
    }
    prompt.expiry = expiry
    overlay = .prompt(prompt)
    return []
  }

  /// Says what the time is, which goes on while until when something counts is on screen.
  mutating func timeTold(_ date: Date, isWaited: Bool) -> [BrowserEffect] {
    time = date
    if isWaited { isCountingDown = false }
    return countDown()
  }

  /// Time passes on screen only while something on screen depends on it.
  mutating func countDown() -> [BrowserEffect] {
    guard value?.entry.value?.expires != nil else {
      time = nil
      return []
    }
    guard time != nil else { return [.askTime] }
    guard !isCountingDown else { return [] }
    isCountingDown = true
    return [.waitForTime]
  }
}

extension ExpiryText {
  /// What was done, in a few words.
  var spoken: String {
    switch self {
    case .never: "never expires"
    case .after(.zero): "expires now"
    case .after(let duration): "expires in \(duration.clockText)"
    case .at(let date): "expires at \(Timestamp.text(of: date))"
    }
  }
}
