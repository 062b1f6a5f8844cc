/// The prompt for the key to compare an entry with.
package struct ComparePrompt: CompletingPrompt {
  /// The entry to compare.
  let place: CompareOrder.Place

  package static var history: any PromptPurpose.Type { GoToPrompt.self }
  package var label: String { Messages.Label.compareWith }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.CompletionRequest? {
    state.keyCompletions(for: line)
  }

  func take(_ text: String, in state: inout BrowserState) -> Effects {
    state.compare(place, with: text)
  }
}
