package import LarderModel
import LarderFormats

/// A question for what a line that is typed may go on with.
package enum OfferQuery: Sendable, Equatable {
  /// Keys of a store that begin with a text.
  case keys(StoreReference, prefix: String)
  /// Steps of the journal that can be taken back, or done again.
  case steps(StoreReference, isRedo: Bool)
  /// Files and folders whose paths begin with a text.
  case paths(String)

  /// The maximum number of offers.
  package static let limit = 50
}

/// What a line that is typed may go on with.
package enum Offers: Sendable, Equatable {
  case keys([EntryKey])
  case steps([JournalStep])
  case paths([String])
}

extension BrowserState {
  /// Asks what the line that is typed may go on with.
  mutating func askForOffers() -> Effects {
    guard case .prompt(var prompt) = overlay else { return [] }
    guard let request = prompt.purpose.offers(for: prompt, in: self) else { return [] }
    if let known = request.known { prompt.offers = known }
    guard let query = request.query else {
      prompt.offering = nil
      overlay = .prompt(prompt)
      return [Cancel(.offers)]
    }
    let ticket = ticket { $0.typedLine?.offering }
    prompt.offering = ticket.token
    overlay = .prompt(prompt)
    return [FindOffers(query: query, ticket: ticket)]
  }

  /// The keys that the one in a line may become.
  func keyOffers(for line: PromptModel) -> PromptModel.OfferRequest {
    let query = keyOffers(for: line.buffer.text)
    return PromptModel.OfferRequest(known: query == nil ? [] : nil, query: query)
  }

  /// The keys that a typed one may become.
  private func keyOffers(for typed: String) -> OfferQuery? {
    guard let model = keys, !typed.isEmpty else { return nil }
    return .keys(model.store.reference, prefix: model.scope + typed)
  }

  /// What has to be asked for of the argument of a command.
  func offers(for argument: String, of command: Command?) -> OfferQuery? {
    switch command?.argument {
    case "LOCATION", "FILE": argument.hasPrefix("-") ? nil : .paths(argument)
    // Of a key that is to be a new one nothing is known.
    case "KEY" where command?.id == "go", "[STORE] KEY": keyOffers(for: argument)
    case "STEP":
      keys.map { .steps($0.store.reference, isRedo: command?.id == "redo") }
    default: nil
    }
  }

  /// What the argument of a command may be, of which there are few.
  func names(for command: Command?) -> [String] {
    switch command?.argument {
    case "NAME": themes.names
    case "STORE": openStoreNames
    case "ORDER":
      keys.map { SortChoice($0).names.map(\.name) }?.flatMap { [$0, "\($0) up", "\($0) down"] }
        ?? []
    case "STATE": EntryTime.State.allCases.map(\.rawValue) + ["all"]
    case "FORMAT": value?.formats ?? []
    case "FORM": EntriesText.Format.allCases.map(\.rawValue)
    default: []
    }
  }

  /// Takes in what the line may go on with, unless something of an earlier list was chosen.
  mutating func offered(_ offers: Offers) -> Effects {
    guard case .prompt(var prompt) = overlay, prompt.suggestion == nil else { return [] }
    prompt.offering = nil
    let step = prompt.awaitedStep
    prompt.awaitedStep = nil
    switch offers {
    case .keys(let keys): prompt.offers = keys.compactMap(name(of:)).map { Suggestion($0) }
    case .paths(let paths): prompt.offers = paths.map { Suggestion($0) }
    case .steps(let steps): prompt.offers = steps.compactMap(suggestion(of:))
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
  mutating func recall(by step: Int) -> Effects {
    guard case .prompt(var prompt) = overlay, !prompt.isTaken, !isLooking,
      !prompt.purpose.isAnswer
    else { return [] }
    let before = prompt.buffer.text
    prompt.recall(by: step, of: history.lines(of: prompt.purpose))
    overlay = .prompt(prompt)
    return lineChanged(from: before)
  }

  /// Keeps a line that was taken.
  mutating func remember(_ prompt: PromptModel) {
    guard !prompt.purpose.isAnswer else { return }
    history.remember(prompt.purpose.lineToRemember(prompt), for: prompt.purpose)
  }
}
