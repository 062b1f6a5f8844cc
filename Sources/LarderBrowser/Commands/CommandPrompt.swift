import LarderModel
import LarderFormats

/// The name of a command, and its argument.
package struct CommandPrompt: PromptPurpose {
  /// The keys of commands, which are listed with them.
  let bindings: Bindings

  package init(bindings: Bindings = .standard) {
    self.bindings = bindings
  }

  package var label: String { ":" }
  package var isAboutList: Bool { false }
  package var isChoice: Bool { true }

  package func word(of line: PromptModel) -> String {
    line.offersArguments ? line.argument : line.commandWord
  }

  package func text(of line: PromptModel, completedBy name: String) -> String {
    if line.offersArguments { return "\(line.commandWord) \(name)" }
    return line.argument.isEmpty ? name : "\(name) \(line.argument)"
  }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    line.offersArguments
      ? line.offers(beginningWith: line.argument)
      : Suggestion.commands(matching: line.wordToMatch, bindings)
  }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.OfferRequest? {
    guard line.isAtArgument else { return PromptModel.OfferRequest(known: []) }
    return PromptModel.OfferRequest(
      known: state.names(for: line.command).map { Suggestion($0) },
      query: state.offers(for: line.argument, of: line.command))
  }

  package func typed(in state: inout BrowserState) -> Effects { state.askForOffers() }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if line.buffer.text.isEmpty { return [] }
    guard let command = line.command else {
      if line.suggestions.count == 1, let only = line.suggestions.first {
        return propose(only, with: line.argument, in: &state)
      }
      let names = line.suggestions.prefix(5).map(\.name).joined(separator: ", ")
      state.say(
        names.isEmpty
          ? Command.missing(line.commandWord)
          : "“\(line.commandWord)” could be \(names)", .error)
      return []
    }
    return [Cancel(.offers)] + state.update(.command(command.id, argument: line.argument))
  }

  /// Writes the only command that a line may mean into it, for its argument or for another Enter.
  private func propose(
    _ only: Suggestion, with argument: String, in state: inout BrowserState
  ) -> Effects {
    let text = only.argument == nil ? only.name : "\(only.name) \(argument)"
    state.overlay = .prompt(PromptModel(self, text: text, initialText: ""))
    return state.askForOffers()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)]
  }
}

extension PromptModel {
  /// The first word of the line.
  package var commandWord: String {
    String(buffer.text.prefix { $0 != " " })
  }

  /// What follows the first word.
  package var argument: String {
    String(buffer.text.drop { $0 != " " }.drop { $0 == " " })
  }

  /// The command that the line stands for, or nil where it is none or could be several.
  package var command: Command? {
    // Where others ask, "!" means without asking; here nothing that is typed is lost.
    let word = commandWord == "q!" ? "quit" : commandWord.lowercased()
    let named = Command.all.filter(\.isInPalette)
    if let exact = named.first(where: { $0.id == word }) { return exact }
    let begun = named.filter { $0.id.hasPrefix(word) }
    return begun.count == 1 && !word.isEmpty ? begun.first : nil
  }

  /// Whether what follows the name of a command is being typed.
  var isAtArgument: Bool {
    purpose is CommandPrompt && command?.argument != nil && buffer.text.contains(" ")
  }

  /// Whether what is listed may follow the name of a command.
  var offersArguments: Bool { isAtArgument && !offers(beginningWith: argument).isEmpty }
}
