import LarderModel
import LarderOperations
import LarderFormats
import Foundation

extension BrowserState {
  /// Asks until when the selected entry is to count, or all that are marked, or says so.
  mutating func askForExpiry(_ typed: String) -> [BrowserEffect] {
    guard let model = keys, let chosen = chosenEntries else { return [] }
    var expiry =
      switch chosen {
      case .keys(let keys):
        ExpiryModel(
          store: model.store.reference, keys: keys, fingerprints: chosenFingerprints,
          title: title(of: chosen))
      case .prefix(let prefix):
        ExpiryModel(
          store: model.store.reference, keys: [], prefix: prefix, fingerprints: [:],
          title: title(of: chosen))
      }
    expiry.doubt = listedExpiry?.deletionDoubt
    overlay = .prompt(PromptModel(.expiry(expiry), text: typed))
    // What is doubted is read before it is written.
    return typed.isEmpty || expiry.doubt != nil ? [] : setExpiry()
  }

  /// Writes the expiry that is typed.
  mutating func setExpiry() -> [BrowserEffect] {
    guard let prompt = typedLine, let expiry = prompt.expiry, expiry.writing == nil else {
      return []
    }
    guard let wanted = ExpiryText(prompt.buffer.text) else {
      typedLine?.expiry?.problem = "type \(ExpiryText.forms)"
      return []
    }
    let token = newToken()
    if expiry.isOfSeveral {
      let total = expiry.prefix == nil ? expiry.keys.count : nil
      guard begin(WorkModel(token: token, total: total, .expiry)) else { return [] }
    }
    typedLine?.expiry?.begin(token)
    let chosen = expiry.prefix.map { ChosenEntries.prefix($0) } ?? .keys(expiry.keys)
    return [.setExpiry(expiry.store, chosen, expiry.fingerprints, wanted, token: token)]
  }

  mutating func expirySet(
    token: Int, _ result: Result<String?, OperationFailure>
  ) -> [BrowserEffect] {
    guard let prompt = typedLine, let expiry = prompt.expiry, expiry.writing == token else {
      return []
    }
    if let count = endWork(token, result.failure?.reason) {
      overlay = nil
      return count == 0 ? [] : listChanged(expiry.store) + sumTimes()
    }
    switch result {
    case .success(let note):
      overlay = nil
      keys?.clearMarks()
      let others = note.map { "; \($0)" } ?? ""
      say("\(expiry.title): \(ExpiryText(prompt.buffer.text)?.spoken ?? "")\(others)\(wayBack)")
      return listChanged(expiry.store) + sumTimes()
    case .failure(let failure):
      var problem = text(of: failure, "meanwhile")
      if case .conflict = failure.reason {
        problem += ". Esc, and \(bindings.call("expiry")) again takes it as it is"
      }
      typedLine?.expiry?.end(problem)
    }
    return []
  }

  /// Says what the time is, which goes on while until when something counts is on screen.
  mutating func timeTold(_ date: Date, isWaited: Bool) -> [BrowserEffect] {
    time = date
    isTimeOld = false
    if isWaited { isCountingDown = false }
    if let state = keys?.times?.asked { return list(state, at: date) + countDown() }
    return countDown()
  }

  /// Time passes on screen only while something on screen depends on it.
  mutating func countDown() -> [BrowserEffect] {
    guard value?.entry.value?.expires != nil || areTimesCounting else {
      // What has expired still says so in the list of times.
      if keys?.times == nil { time = nil } else { isTimeOld = time != nil }
      return []
    }
    guard time != nil, !isTimeOld else { return [.askTime] }
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
    case .later(let duration): "expires \(duration.clockText) later"
    case .at(let date): "expires at \(Timestamp.text(of: date))"
    }
  }
}
