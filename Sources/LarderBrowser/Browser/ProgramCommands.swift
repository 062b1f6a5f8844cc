extension Command {
  /// Commands about the program itself.
  static let program: [Command] = [
    Command(
      "open-store", "open store", help: "Opens another store beside those that are open.",
      keys: ["o"], argument: "LOCATION"
    ) { state, argument in
      if !argument.isEmpty { return state.goTo(argument) }
      state.overlay = .prompt(PromptModel(LocationPrompt()))
      return state.askForOffers()
    },
    Command(
      "close-store", "close store",
      help: "Closes the location on screen, or the selected one, with the tabs that show it.",
      keys: ["W"], unavailable: { $0.locationToClose == nil ? "no store is open" : nil }
    ) { state, _ in state.closeLocation() },
    Command(
      "theme", "theme", help: "Switches to a theme, or shows each as you choose.", keys: ["t"],
      argument: "NAME"
    ) { state, argument in
      if argument.isEmpty { return state.chooseTheme() }
      state.sayHowToKeep(argument)
      return [TerminalOrder.useTheme(argument)]
    },
    Command(
      "palette", "command", help: "Runs a command by its name.", keys: [":"], isHint: true
    ) { state, _ in
      state.overlay = .prompt(PromptModel(CommandPrompt(bindings: state.settings.bindings)))
      return []
    },
    Command(
      "help", "help", help: "Shows every key and what it does.", keys: ["?", "F1"], isHint: true
    ) { state, _ in
      state.overlay = .help(scroll: 0)
      return []
    },
    Command(
      "messages", "messages", help: "Shows what was said so far, the latest first.", keys: ["M"],
      unavailable: { $0.messages.items.isEmpty ? "nothing was said yet" : nil }
    ) { state, _ in
      state.overlay = .messages(scroll: 0)
      return []
    },
    Command(
      "suspend", "suspend", help: "Leaves the screen to the shell; fg comes back.",
      keys: ["Ctrl-Z"], places: Set(Place.allCases)
    ) { _, _ in [TerminalOrder.suspend] },
    Command(
      "quit", "quit", help: "Ends larder.", keys: ["q", "Ctrl-C"], isHint: true
    ) { state, _ in
      state.isFinished = true
      return [TerminalOrder.quit]
    },
  ]

  /// Commands that answer what lies over the panes.
  static let dialogs: [Command] = [
    Command(
      "yes", "delete", help: "Deletes what the question names.", keys: ["y"], places: [.confirm],
      isHint: true
    ) { state, _ in state.confirmDelete() },
    Command(
      "no", "keep", help: "Leaves everything as it is.", keys: ["n"], places: [.confirm],
      isHint: true
    ) { state, _ in state.leave() },
    Command(
      "keep-theirs", "keep theirs", help: "Leaves what the store holds now.", keys: ["t"],
      places: [.conflict], isHint: true
    ) { state, _ in state.keepTheirs() },
    Command(
      "keep-mine", "keep mine", help: "Does what you were about to do, over what is there now.",
      keys: ["m"], places: [.conflict], isHint: true
    ) { state, _ in state.keepMine() },
    Command(
      "edit-again", "edit again", help: "Goes back to the text, now over what is there.",
      keys: ["e"], places: [.conflict], isHint: true,
      unavailable: { state in
        if case .conflict(let conflict) = state.overlay, case .write = conflict.attempt {
          nil
        } else {
          "there is no text to go back to"
        }
      }
    ) { state, _ in state.editAgain() },
    Command(
      "close", "close", help: "Closes the help, the messages, a comparison or a list.",
      keys: ["q", "?"], places: Place.lists.union([.help, .comparison, .details]), isHint: true
    ) { state, _ in state.overview == nil ? state.leave() : state.closeOverview() },
  ]
}
