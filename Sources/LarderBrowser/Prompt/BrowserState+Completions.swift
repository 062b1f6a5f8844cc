package import LarderModel
import LarderFormats
import LarderOperations

/// A query for completions of a typed line.
package enum CompletionQuery: Sendable, Equatable {
  /// The keys of a store with a prefix.
  case keys(StoreReference, prefix: String)
  /// The changes in the journal that can be undone or redone.
  case steps(StoreReference, isRedo: Bool)
  /// The files and folders whose paths have a prefix.
  case paths(String)

  /// The maximum number of completions.
  package static let limit = 50
}

/// The completions of a typed line.
package enum Completions: Sendable, Equatable {
  case keys([EntryKey])
  case steps([ChangeSummary])
  case paths([String])
}

extension BrowserState {
  /// Requests completions for the current prompt.
  mutating func requestCompletions() -> Effects {
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
    return [FindCompletions(query: query, ticket: ticket)]
  }

  /// Returns the request for keys that complete the typed one.
  func keyCompletions(for line: PromptModel) -> PromptModel.CompletionRequest {
    let query = keyCompletions(for: line.buffer.text)
    return PromptModel.CompletionRequest(known: query == nil ? [] : nil, query: query)
  }

  /// Returns the query for keys that complete a typed one.
  private func keyCompletions(for typed: String) -> CompletionQuery? {
    guard let model = keys, !typed.isEmpty else { return nil }
    return .keys(model.store.reference, prefix: model.scope + typed)
  }

  /// Returns the query for completions of a command's argument, or `nil` if none are needed.
  func offers(for argument: String, of command: Command?) -> CompletionQuery? {
    switch command?.argument {
    case "LOCATION", "FILE": argument.hasPrefix("-") ? nil : .paths(argument)
    // A new key cannot be completed.
    case "KEY" where command?.id == "go", "[STORE] KEY": keyCompletions(for: argument)
    case "CHANGE":
      keys.map { .steps($0.store.reference, isRedo: command?.id == "redo") }
    default: nil
    }
  }

  /// Returns the possible arguments of a command, if there are only a few.
  func names(for command: Command?) -> [String] {
    switch command?.argument {
    case "NAME": themes.names
    case "STORE": command?.id == "close-store" ? locationNames : openStoreNames
    case "ORDER":
      keys.map { SortChoice($0).names.map(\.name) }?.flatMap { [$0, "\($0) up", "\($0) down"] }
        ?? []
    case "COLUMNS": keyChoiceNames
    case "COLUMN": (command?.id == "column" ? shownGrid?.columns : shownGrid?.hidden) ?? []
    case "STATE": ExpiryStatus.State.allCases.map(\.rawValue) + ["all"]
    case "FORMAT": value?.formats ?? []
    case "FORM": EntriesText.Format.allCases.map(\.rawValue)
    default: []
    }
  }

  /// Updates the completions, unless one of an earlier list is selected.
  mutating func offered(_ offers: Completions) -> Effects {
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

  /// Returns the text to type for a key, without the scope of the list.
  private func name(of key: EntryKey) -> String? {
    let scope = keys?.scope ?? ""
    guard !scope.isEmpty else { return text(of: key) }
    guard case .text(let text) = key, text.utf8.starts(with: scope.utf8) else { return nil }
    return String(text.utf8.dropFirst(scope.utf8.count))
  }

  /// Recalls an earlier or later line of the prompt's history.
  mutating func recall(by step: Int) -> Effects {
    guard case .prompt(var prompt) = overlay, !prompt.isTaken, !isLooking,
      !prompt.purpose.isAnswer
    else { return [] }
    let before = prompt.buffer.text
    prompt.recall(by: step, of: history.lines(of: prompt.purpose))
    overlay = .prompt(prompt)
    return lineChanged(from: before)
  }

  /// Adds a submitted line to the history.
  mutating func remember(_ prompt: PromptModel) {
    guard !prompt.purpose.isAnswer else { return }
    history.remember(prompt.purpose.lineToRemember(prompt), for: prompt.purpose)
  }
}
