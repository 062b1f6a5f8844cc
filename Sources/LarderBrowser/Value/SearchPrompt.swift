/// A prompt for a text to find in the value.
package struct SearchPrompt: PromptPurpose {
  package var label: String { Messages.Label.search }
  package var isAboutList: Bool { false }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.search(line.buffer.text)
  }
}
