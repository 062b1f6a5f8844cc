import LarderModel

extension BrowserState {
  /// Lets the person choose among the themes; the screen shows each that they come by.
  mutating func chooseTheme() -> [BrowserEffect] {
    guard !themes.isEmpty else {
      say("there are no themes to choose from", .warning)
      return []
    }
    overlay = .prompt(PromptModel(.theme(ThemeChoice(names: themes, first: theme))))
    return []
  }

  /// Shows the theme that the line stands for now, where it is another one.
  func previewTheme(_ prompt: PromptModel) -> [BrowserEffect] {
    guard case .theme(let choice) = prompt.purpose else { return [] }
    return [.useTheme(prompt.chosenName ?? choice.first)]
  }

  /// Keeps the theme that was chosen, or goes back to the first one where there is none such.
  mutating func takeTheme(_ prompt: PromptModel, _ choice: ThemeChoice) -> [BrowserEffect] {
    if let name = prompt.chosenName {
      sayHowToKeep(name)
      return [.useTheme(name)]
    }
    if !prompt.buffer.text.isEmpty {
      let list = "\(bindings.call("theme")) lists them"
      let advice = Nearest.advice(for: prompt.buffer.text, in: choice.names, otherwise: list)
      say("there is no theme “\(prompt.buffer.text)”; \(advice)", .error)
    }
    return [.useTheme(choice.first)]
  }

  /// Says how to have a theme also the next time.
  mutating func sayHowToKeep(_ name: String) {
    let isPath = name.contains("/") || name.hasSuffix(".json")
    guard name != firstTheme, isPath || themes.contains(name) else { return }
    say("\"theme\": \"\(name)\" in the configuration file keeps it for the next start")
  }
}

/// The themes to choose from, and the one that was there before.
package struct ThemeChoice: Sendable, Equatable {
  package let names: [String]
  package let first: String
}
