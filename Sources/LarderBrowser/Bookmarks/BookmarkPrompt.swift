import LarderModel

/// A key with a bookmark.
package struct BookmarkPrompt: PromptPurpose {
  /// The keys to choose from, as they are shown.
  let names: [String]

  package var label: String { "bookmark: " }
  package var isChoice: Bool { true }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    Suggestion.names(names, matching: line.wordToMatch)
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.goToBookmark(line)
  }
}
