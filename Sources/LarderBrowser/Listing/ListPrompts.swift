import LarderModel

/// The filter of the list of keys, taken while it is typed.
package struct FilterPrompt: PromptPurpose {
  /// What the list was filtered by before.
  let before: String

  package var label: String { "/" }

  package func typed(in state: inout BrowserState) -> Effects {
    state.filterKeys(state.typedLine?.buffer.text ?? "")
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    // What was not typed to its end filters nothing.
    let columns = state.keys?.store.filterColumns ?? []
    let isEmpty = FilterText(line.buffer.text, columns: columns).filter == nil
    return state.filterKeys(isEmpty ? "" : line.buffer.text)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterKeys(before)
  }
}

/// A key to go to.
package struct GoToPrompt: OfferingPrompt {
  package var label: String { "go to: " }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.OfferRequest? {
    state.keyOffers(for: line)
  }

  func take(_ text: String, in state: inout BrowserState) -> Effects { state.goToKey(text) }
}

extension SortChoice: PromptPurpose {
  package var label: String { "sort by: " }
  package var isChoice: Bool { true }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    suggestions(matching: line.wordToMatch)
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if line.buffer.text.isEmpty { return [] }
    return state.sort(line.chosenName ?? line.buffer.text)
  }
}
