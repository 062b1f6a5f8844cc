/// The prompt for filtering an overlay list, which is applied while typing.
package struct ListFilterPrompt: PromptPurpose {
  /// The previous filter.
  let before: String

  package var label: String { "/" }
  package var isAboutList: Bool { false }

  package func typed(in state: inout BrowserState) -> Effects {
    state.filterList(state.typedLine?.buffer.text ?? "")
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterList(line.buffer.text)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.filterList(before)
  }
}

extension BrowserState {
  /// Asks for the filter of an overlay list.
  mutating func askToFilterList(_ before: String) -> Effects {
    cover(.prompt(PromptModel(ListFilterPrompt(before: before), text: before)))
    return []
  }

  /// Lists only those rows of the overlay list that contain a text.
  mutating func filterList(_ text: String) -> Effects {
    let height = viewport.overlay
    storeDifferences?.filter(by: text, height: height)
    findings?.filter(by: text, height: height)
    return []
  }
}
