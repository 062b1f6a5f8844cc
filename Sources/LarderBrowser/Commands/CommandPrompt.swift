import LarderModel
import LarderFormats

/// The prompt for a command and its argument.
package struct CommandPrompt: PromptPurpose {
  /// The key bindings, which are listed with the commands.
  let bindings: Bindings
  /// The ids of recent commands, the latest first.
  let recent: [String]
  /// The ids of the commands that cannot run now.
  let unavailable: Set<String>

  package init(
    bindings: Bindings = .standard, recent: [String] = [], unavailable: Set<String> = []
  ) {
    self.bindings = bindings
    self.recent = recent
    self.unavailable = unavailable
  }

  package var label: String { ":" }
  package var heading: String { "Commands" }
  package var isAboutList: Bool { false }
  package var isChoice: Bool { true }

  package func word(of line: PromptModel) -> String {
    if line.completesArguments { return line.argument }
    return line.isAtArgument ? line.commandWord : line.buffer.text
  }

  package func text(of line: PromptModel, completedBy name: String) -> String {
    if line.completesArguments { return "\(line.commandWord) \(name)" }
    return line.isAtArgument ? "\(name) \(line.argument)" : name
  }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    if line.completesArguments { return line.offers(beginningWith: line.argument) }
    return line.entryNumber == nil
      ? CommandSearch(line.wordToMatch, bindings, unavailable: unavailable)
        .suggestions(recent: recent) : []
  }

  package func takesFirst(_ line: PromptModel) -> Bool {
    !line.completesArguments && !line.buffer.text.isEmpty
  }

  package func emptyText(for line: PromptModel) -> String {
    line.entryNumber.map(Messages.goesToEntry) ?? Messages.noMatchingCommand(line.buffer.text)
  }

  package func obstacle(to suggestion: Suggestion, of line: PromptModel, in state: BrowserState)
    -> String?
  {
    line.completesArguments ? nil : Command.named(suggestion.name)?.unavailable(state)
  }

  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.CompletionRequest? {
    guard line.isAtArgument else { return PromptModel.CompletionRequest(known: []) }
    return PromptModel.CompletionRequest(
      known: state.names(for: line.command).map { Suggestion($0) },
      query: state.offers(for: line.argument, of: line.command))
  }

  package func typed(in state: inout BrowserState) -> Effects { state.requestCompletions() }

  package func lineToRemember(_ line: PromptModel) -> String {
    guard let command = line.chosenCommand else { return "" }
    return line.command == nil || line.argument.isEmpty
      ? command.id : "\(command.id) \(StoreLocation.withoutPassword(line.argument))"
  }

  /// Runs the command.
  ///
  /// If the command does not exist or is unavailable, the prompt stays open, so that further keys
  /// do not call other commands.
  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if let number = line.entryNumber {
      state.overlay = nil
      return state.goToRow(number: number)
    }
    guard !line.buffer.text.isEmpty else {
      state.overlay = nil
      return [Cancel(.offers)]
    }
    guard let command = line.chosenCommand else {
      state.refuse(Command.missing(line.commandWord), .error)
      return []
    }
    if let reason = command.unavailable(state) {
      state.refuse("\(command.title): \(reason)")
      return []
    }
    if command.need != .nothing, state.undo.replaying != nil || state.undo.forcedReplay != nil {
      state.refuse(Messages.stillReplaying)
      return []
    }
    let word = line.commandWord.lowercased()
    var argument = line.command == nil ? "" : line.argument
    // Such as `expired`, which is an alias of `show` and one of its states.
    if argument.isEmpty, command.aliases.contains(word), state.names(for: command).contains(word) {
      argument = word
    }
    // A command that was found but not named first shows the argument it accepts.
    let isNamed = command.id.hasPrefix(word) || command.aliases.contains(word)
    if argument.isEmpty, command.needsArgument || command.argument != nil && !isNamed {
      state.overlay = .prompt(PromptModel(self, text: command.id + " ", initialText: ""))
      return state.requestCompletions()
    }
    state.overlay = nil
    return [Cancel(.offers)] + state.update(.command(command.id, argument: argument))
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

  /// The text after the first word.
  package var argument: String {
    String(buffer.text.drop { $0 != " " }.drop { $0 == " " })
  }

  /// The number of an entry, if the line is a number.
  var entryNumber: Int? {
    guard purpose is CommandPrompt, let number = Int(buffer.text), number > 0 else { return nil }
    return number
  }

  /// The command that the line names by its name, an alias or a unique prefix.
  ///
  /// It is `nil` if there is no such command, or if the line has an argument that the command does
  /// not accept.
  package var command: Command? {
    // In other programs, `!` skips the confirmation; here, quitting loses no typed text.
    let word = commandWord == "q!" ? "quit" : commandWord.lowercased()
    guard !word.isEmpty else { return nil }
    let named =
      Command.all.first { $0.isInPalette && $0.id == word }
      ?? Command.onlyListed { $0.aliases.contains(word) }
      ?? Command.onlyListed { $0.id.hasPrefix(word) }
    return named?.argument == nil && !argument.isEmpty ? nil : named
  }

  /// The command that Enter runs, which is the named one or else the best match.
  var chosenCommand: Command? {
    command ?? suggestions.first.flatMap { Command.named($0.name) }
  }

  /// Whether the argument of a command is being typed.
  var isAtArgument: Bool {
    purpose is CommandPrompt && command?.argument != nil && buffer.text.contains(" ")
  }

  /// Whether the suggestions are for the argument.
  var completesArguments: Bool { isAtArgument && !offers(beginningWith: argument).isEmpty }
}
