/// A question for what a line that is typed may go on with.
package enum OfferQuery: Sendable, Equatable {
  /// Keys of a store that begin with a text.
  case keys(StoreReference, prefix: String)
  /// Files and folders whose paths begin with a text.
  case paths(String)

  /// The greatest number of offers.
  package static let limit = 50
}

/// What a line that is typed may go on with.
package enum Offers: Sendable, Equatable {
  case keys([EntryKey])
  case paths([String])
}

extension BrowserState {
  /// Asks what the line that is typed may go on with.
  mutating func askForOffers() -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay else { return [] }
    let query: OfferQuery
    switch prompt.purpose {
    case .goTo, .compare:
      guard let model = keys, !prompt.buffer.characters.isEmpty else {
        prompt.offering = nil
        prompt.offers = []
        overlay = .prompt(prompt)
        return [.cancel(.offers)]
      }
      query = .keys(model.store.reference, prefix: model.scope + prompt.buffer.text)
    case .location: query = .paths(prompt.buffer.text)
    case .command, .filter, .newKey, .rename, .renameMarked, .expiry, .transfer, .deletePrefix,
      .theme,
      .sort,
      .bookmark, .search:
      return []
    }
    let token = newToken()
    prompt.offering = token
    overlay = .prompt(prompt)
    return [.offer(query, token: token)]
  }

  /// Takes in what the line may go on with, unless something of an earlier list was chosen.
  mutating func offered(token: Int, _ offers: Offers) -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, prompt.offering == token, prompt.suggestion == nil
    else { return [] }
    prompt.offering = nil
    let step = prompt.awaitedStep
    prompt.awaitedStep = nil
    switch offers {
    case .keys(let keys): prompt.offers = keys.compactMap(name(of:))
    case .paths(let paths): prompt.offers = paths
    }
    overlay = .prompt(prompt)
    return step.map { complete(by: $0) } ?? []
  }

  /// What has to be typed for a key; in a scope, what follows that.
  private func name(of key: EntryKey) -> String? {
    let scope = keys?.scope ?? ""
    guard !scope.isEmpty else { return text(of: key) }
    guard case .text(let text) = key, text.utf8.starts(with: scope.utf8) else { return nil }
    return String(text.utf8.dropFirst(scope.utf8.count))
  }

  /// Takes an earlier line of the kind that is typed, or a later one again.
  mutating func recall(by step: Int) -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, !prompt.isTaken, !isLooking,
      prompt.deletion?.prefix == nil
    else { return [] }
    let before = prompt.buffer.text
    prompt.recall(by: step, of: history.lines(of: prompt.purpose.historyKind))
    overlay = .prompt(prompt)
    return lineChanged(from: before)
  }

  /// Keeps a line that was taken.
  mutating func remember(_ prompt: PromptModel) {
    // A number that answers a question is no line.
    guard prompt.deletion?.prefix == nil else { return }
    history.remember(prompt.buffer.text, as: prompt.purpose.historyKind)
  }
}
