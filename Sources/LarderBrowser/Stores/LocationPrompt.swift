/// A location to open.
package struct LocationPrompt: PromptPurpose {
  package var label: String { "open: " }
  package var isAboutList: Bool { false }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    line.offers(beginningWith: line.buffer.text)
  }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.OfferRequest? {
    PromptModel.OfferRequest(query: .paths(line.buffer.text))
  }

  package func typed(in state: inout BrowserState) -> Effects { state.askForOffers() }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    let text = line.buffer.text
    return [Cancel(.offers)] + (text.isEmpty ? [] : state.goTo(text))
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)]
  }
}
