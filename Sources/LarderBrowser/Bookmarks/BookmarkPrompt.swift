import LarderModel

/// The prompt for choosing a bookmark.
package struct BookmarkPrompt: PromptPurpose {
  /// The bookmarked keys, as displayed.
  let names: [String]

  package var label: String { Messages.Label.bookmark }
  package var isChoice: Bool { true }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    Suggestion.names(names, matching: line.wordToMatch)
  }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.goToBookmark(line)
  }
}
