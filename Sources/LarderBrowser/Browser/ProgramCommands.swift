extension Command {
  /// The commands for the program itself.
  static let program: [Command] = [
    Command(
      "open-store", "open store", help: "Open another store",
      keys: ["o"],
      aliases: ["file", "database"],
      argument: "LOCATION"
    ) { state, argument in
      if !argument.isEmpty { return state.goTo(argument) }
      state.overlay = .prompt(PromptModel(LocationPrompt()))
      return state.requestCompletions()
    },
    Command(
      "close-store", "close store", help: "Close the shown or selected store, and its tabs",
      keys: [], argument: "STORE",
      unavailable: { $0.locationToClose == nil ? Messages.noStore : nil }
    ) { state, argument in state.closeLocation(argument) },
    Command(
      "theme", "theme", help: "Choose a theme", keys: ["t"],
      aliases: ["colours", "colors", "dark", "light"],
      argument: "NAME"
    ) { state, argument in
      if argument.isEmpty { return state.chooseTheme() }
      state.sayHowToKeep(argument)
      return [TerminalOrder.useTheme(argument)]
    },
    Command(
      "palette", "command", help: "Find a command and run it", keys: [":", "Ctrl-P"],
      isHint: true
    ) { state, _ in state.openPalette() },
    Command(
      "help", "help", help: "Show all keys and commands", keys: ["?", "F1"],
      places: Place.panes.union(Place.lists).union([.help, .comparison, .details]),
      aliases: ["keys", "shortcuts", "manual"],
      isHint: true
    ) { state, _ in state.toggleHelp() },
    Command(
      "messages", "messages", help: "Show recent messages", keys: ["M"],
      aliases: ["notifications"],
      unavailable: { $0.messages.items.isEmpty ? Messages.noMessages : nil }
    ) { state, _ in
      state.overlay = .messages(scroll: 0)
      return []
    },
    Command(
      "suspend", "suspend", help: "Suspend larder; fg in the shell resumes it",
      keys: ["Ctrl-Z"], places: Set(Place.allCases),
      aliases: ["shell"]
    ) { _, _ in [TerminalOrder.suspend] },
    Command(
      "quit", "quit", help: "Quit", keys: ["q", "Ctrl-C"],
      aliases: ["exit", "wq", "bye"],
      isHint: true
    ) { state, _ in
      if let work = state.work, !work.kind.isOfCache, !work.hasWarnedOfQuitting {
        state.work?.hasWarnedOfQuitting = true
        state.say(
          Messages.stillWorking(
            work.kind.participle, stop: "Esc", quit: state.settings.bindings.call("quit")), .warning
        )
        return []
      }
      state.isFinished = true
      return [TerminalOrder.quit]
    },
  ]

  /// The commands that respond to an overlay.
  static let dialogs: [Command] = [
    Command(
      "yes", "delete", help: "Confirm the deletion", keys: ["y"],
      places: [.confirm],
      isHint: true
    ) { state, _ in state.confirmDelete() },
    Command(
      "no", "keep", help: "Cancel the deletion", keys: ["n", "q"], places: [.confirm],
      isHint: true
    ) { state, _ in state.leave() },
    Command(
      "keep-theirs", "keep theirs", help: "Keep the value in the store", keys: ["t"],
      places: [.conflict], isHint: true
    ) { state, _ in state.keepTheirs() },
    Command(
      "keep-mine", "keep mine", help: "Overwrite it with your change",
      keys: ["m"], places: [.conflict], isHint: true
    ) { state, _ in state.keepMine() },
    Command(
      "edit-again", "edit again", help: "Go back to your text",
      keys: ["e"], places: [.conflict], isHint: true,
      unavailable: { state in
        if case .conflict(let conflict) = state.overlay, case .write = conflict.attempt {
          nil
        } else {
          Messages.noText
        }
      }
    ) { state, _ in state.editAgain() },
    Command(
      "close", "close", help: "Close the help, messages, comparison or list",
      keys: ["q"], places: Place.lists.union([.help, .comparison, .details]), isHint: true
    ) { state, _ in
      if case .overview = state.overlay { state.closeOverview() } else { state.leave() }
    },
  ]
}
