import LarderModel
import LarderFormats

/// The name of a command, and its argument.
package struct CommandPrompt: PromptPurpose {
  /// The keys of commands, which are listed with them.
  let bindings: Bindings
  /// The commands that were run last, the latest first.
  let recent: [String]

  package init(bindings: Bindings = .standard, recent: [String] = []) {
    self.bindings = bindings
    self.recent = recent
  }

  package var label: String { ":" }
  package var heading: String { "Commands" }
  package var isAboutList: Bool { false }
  package var isChoice: Bool { true }

  package func word(of line: PromptModel) -> String {
    if line.offersArguments { return line.argument }
    return line.isAtArgument ? line.commandWord : line.buffer.text
  }

  package func text(of line: PromptModel, completedBy name: String) -> String {
    if line.offersArguments { return "\(line.commandWord) \(name)" }
    return line.isAtArgument ? "\(name) \(line.argument)" : name
  }

  package func suggestions(for line: PromptModel) -> [Suggestion] {
    if line.offersArguments { return line.offers(beginningWith: line.argument) }
    return line.entryNumber == nil
      ? CommandSearch(line.wordToMatch, bindings).suggestions(recent: recent) : []
  }

  package func takesFirst(_ line: PromptModel) -> Bool {
    !line.offersArguments && !line.buffer.text.isEmpty
  }

  package func emptyText(for line: PromptModel) -> String {
    line.entryNumber.map { "Enter goes to entry \(Thousands.text($0))." }
      ?? "No command matches “\(line.buffer.text)”."
  }

  package func obstacle(to suggestion: Suggestion, of line: PromptModel, in state: BrowserState)
    -> String?
  {
    line.offersArguments ? nil : Command.named(suggestion.name)?.unavailable(state)
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

  package func lineToRemember(_ line: PromptModel) -> String {
    guard let command = line.chosenCommand else { return "" }
    return line.command == nil || line.argument.isEmpty
      ? command.id : "\(command.id) \(line.argument)"
  }

  /// Runs the command; one that does not exist, or cannot run, leaves the line open, so that what
  /// follows is no key that calls another.
  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    if let number = line.entryNumber {
      state.overlay = nil
      return state.goToEntry(number: number)
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
    let argument = line.command == nil ? "" : line.argument
    // What was only found, and not named, says first what may follow.
    let isNamed = command.id.hasPrefix(line.commandWord.lowercased())
    if argument.isEmpty, command.needsArgument || command.argument != nil && !isNamed {
      state.overlay = .prompt(PromptModel(self, text: command.id + " ", initialText: ""))
      return state.askForOffers()
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

  /// What follows the first word.
  package var argument: String {
    String(buffer.text.drop { $0 != " " }.drop { $0 == " " })
  }

  /// The number of an entry, where the line is one.
  var entryNumber: Int? {
    guard purpose is CommandPrompt, let number = Int(buffer.text), number > 0 else { return nil }
    return number
  }

  /// The command that the line names: by its name, an alias or the only name that begins so; nil where
  /// it names none, or more follows than that takes.
  package var command: Command? {
    // Where others ask, "!" means without asking; here nothing that is typed is lost.
    let word = commandWord == "q!" ? "quit" : commandWord.lowercased()
    guard !word.isEmpty else { return nil }
    let named =
      Command.all.first { $0.isInPalette && $0.id == word }
      ?? Command.onlyListed { $0.aliases.contains(word) }
      ?? Command.onlyListed { $0.id.hasPrefix(word) }
    return named?.argument == nil && !argument.isEmpty ? nil : named
  }

  /// The command that Enter runs: the one that the line names, or else the best match.
  var chosenCommand: Command? {
    command ?? suggestions.first.flatMap { Command.named($0.name) }
  }

  /// Whether what follows the name of a command is being typed.
  var isAtArgument: Bool {
    purpose is CommandPrompt && command?.argument != nil && buffer.text.contains(" ")
  }

  /// Whether what is listed may follow the name of a command.
  var offersArguments: Bool { isAtArgument && !offers(beginningWith: argument).isEmpty }
}
