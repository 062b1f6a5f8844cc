import LarderModel

/// The prompt for a location to open.
package struct LocationPrompt: CompletingPrompt {
  package var label: String { Messages.Label.open }
  package var isAboutList: Bool { false }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.CompletionRequest? {
    PromptModel.CompletionRequest(query: .paths(line.buffer.text))
  }

  package func lineToRemember(_ line: PromptModel) -> String {
    StoreLocation.withoutPassword(line.buffer.text)
  }

  func take(_ text: String, in state: inout BrowserState) -> Effects {
    text.isEmpty ? [] : state.goTo(text)
  }
}
