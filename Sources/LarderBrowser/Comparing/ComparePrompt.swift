/// The key of what an entry is compared with.
package struct ComparePrompt: PromptPurpose {
  /// The entry.
  let place: CompareOrder.Place

  package static var historyName: String { GoToPrompt.historyName }
  package var label: String { "compare with: " }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    line.offers(beginningWith: line.buffer.text)
  }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.OfferRequest? {
    state.keyOffers(for: line)
  }

  package func typed(in state: inout BrowserState) -> Effects { state.askForOffers() }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)] + state.compare(place, with: line.buffer.text)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)]
  }
}
