/// The prompt for filtering the list of differences by key, which is applied while typing.
package struct DifferencesFilterPrompt: PromptPurpose {
  /// The previous filter.
  let before: String

  package var label: String { "/" }
  package var isAboutList: Bool { false }

  package func typed(in state: inout BrowserState) -> Effects {
    state.filterDifferences(state.typedLine?.buffer.text ?? "")
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterDifferences(line.buffer.text)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterDifferences(before)
  }
}
