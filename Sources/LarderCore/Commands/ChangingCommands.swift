extension Command {
  /// Commands that change the store.
  static let changing: [Command] = [
    Command(
      "edit", "edit", help: "Edits the value, or the selected column, in place.", keys: ["e"],
      places: [.keys, .value], isHint: true, needs: .entry,
      unavailable: { needsWritable($0) ?? needsEntry($0) }
    ) { state, _ in state.editSelected() },
    Command(
      "add", "add", help: "Adds an entry under a key that does not exist yet.", keys: ["a"],
      argument: "KEY", isHint: true, needs: .store,
      unavailable: { state in
        needsWritable(state)
          ?? (state.keys?.store.capabilities.contains(.creates) == true
            ? nil : "this store takes no new entries")
      }
    ) { state, argument in
      if !argument.isEmpty { return state.addEntry(argument) }
      state.overlay = .prompt(PromptModel(.newKey))
      return []
    },
    Command(
      "delete", "delete", help: "Deletes the selected entry, after asking.",
      keys: ["d", "Delete"], places: [.keys, .value], isHint: true, needs: .entry,
      unavailable: { needsWritable($0) ?? needsEntry($0) }
    ) { state, _ in state.askToDelete() },
  ]
}
