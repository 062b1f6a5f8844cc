import LarderModel

extension BrowserState {
  /// Opens the prompt for choosing a theme, which previews each selected theme.
  mutating func chooseTheme() -> Effects {
    guard !themes.names.isEmpty else {
      say(Messages.noThemes, .warning)
      return []
    }
    overlay = .prompt(PromptModel(ThemePrompt(names: themes.names, first: themes.shown)))
    return []
  }

  /// Reports how to make a theme the default.
  mutating func sayHowToKeep(_ name: String) {
    let isPath = name.contains("/") || name.hasSuffix(".json")
    guard name != themes.first, isPath || themes.names.contains(name) else { return }
    say(Messages.keepTheme(name))
  }
}

/// The prompt for choosing a theme, which previews each selected theme.
package struct ThemePrompt: PromptPurpose {
  let names: [String]
  /// The theme before the prompt was opened.
  let first: String

  package var label: String { Messages.Label.theme }
  package var isAboutList: Bool { false }
  package var isChoice: Bool { true }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    Suggestion.names(names, matching: line.wordToMatch)
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.typedLine.map { preview($0, in: &state) } ?? []
  }

  package func preview(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [TerminalOrder.useTheme(line.chosenName ?? first)]
  }

  /// Applies the chosen theme, or restores the previous one if there is no such theme.
  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if let name = line.chosenName {
      state.sayHowToKeep(name)
      return [TerminalOrder.useTheme(name)]
    }
    if !line.buffer.text.isEmpty {
      let list = Messages.listed(by: state.settings.bindings.call("theme"))
      let advice = SpellingSuggestion.advice(for: line.buffer.text, in: names, otherwise: list)
      state.say(Messages.noTheme(line.buffer.text, advice), .error)
    }
    return [TerminalOrder.useTheme(first)]
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [TerminalOrder.useTheme(first)]
  }
}

/// The available themes and the current one.
package struct ThemesModel: Sendable, Equatable {
  /// The name of the current theme.
  package var shown: String
  /// The name of the theme from launch.
  let first: String
  package let names: [String]
}
