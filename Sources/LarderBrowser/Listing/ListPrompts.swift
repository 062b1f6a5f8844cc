import LarderModel

/// A prompt that filters the list of keys as you type.
package struct FilterPrompt: PromptPurpose {
  /// The filter before the prompt was opened.
  let before: String
  /// The store of the list, which has a history of its own.
  var store: StoreReference?
  /// The saved filters of the store.
  var saved: [SavedFilter] = []

  package var label: String { "/" }
  package var historyStore: StoreReference? { store }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    let word = line.wordToMatch.lowercased()
    return saved.filter { filter in
      word.isEmpty || [filter.name, filter.text].contains { $0.lowercased().contains(word) }
    }
    .sorted { $0.name < $1.name }.map { Suggestion($0.text, note: $0.name) }
  }

  package func preview(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterKeys(line.buffer.text)
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.filterKeys(state.typedLine?.buffer.text ?? "")
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    // The empty list says that Enter does this.
    if let text = state.valueFilterText { return state.filterKeys(text) }
    // An incomplete condition does not filter anything.
    let isEmpty = state.keys?.store.filter(line.buffer.text).filter == nil
    return state.filterKeys(isEmpty ? "" : line.buffer.text)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterKeys(before)
  }
}

/// A prompt for a key to go to.
package struct GoToPrompt: CompletingPrompt {
  package var label: String { Messages.Label.goTo }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.CompletionRequest? {
    state.keyCompletions(for: line)
  }

  func take(_ text: String, in state: inout BrowserState) -> Effects { state.goToKey(text) }
}

extension SortChoice: PromptPurpose {
  package var label: String { Messages.Label.sortBy }
  package var isChoice: Bool { true }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    suggestions(matching: line.wordToMatch)
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if line.buffer.text.isEmpty { return [] }
    return state.sort(line.chosenName ?? line.buffer.text)
  }
}
