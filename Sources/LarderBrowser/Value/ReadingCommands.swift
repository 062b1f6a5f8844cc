import LarderModel

extension Command {
  /// Commands about what is inside a value.
  static let reading: [Command] = [
    Command(
      "search", "search", help: "Finds text in the value; capitals make letters count as typed.",
      keys: ["/"], places: [.value], argument: "TEXT", isHint: true, needs: .entry,
      unavailable: needsEntry
    ) { state, argument in
      state.focus = .value
      if !argument.isEmpty { return state.search(argument) }
      state.overlay = .prompt(PromptModel(SearchPrompt()))
      return []
    },
    Command(
      "find-next", "find next", help: "Goes to the next place where the text is found.",
      keys: ["n"], places: [.value], needs: .entry, unavailable: needsSearch
    ) { state, _ in state.findAgain(isForward: true) },
    Command(
      "find-previous", "find previous", help: "Goes to the place before, where the text is found.",
      keys: ["N"], places: [.value], needs: .entry, unavailable: needsSearch
    ) { state, _ in state.findAgain(isForward: false) },
    Command(
      "fold", "fold", help: "Folds the deepest open level of the value; :fold 2 shows two levels.",
      keys: ["-"], places: [.value], argument: "LEVELS", needs: .entry, unavailable: needsTree
    ) { state, argument in state.fold(by: -1, argument) },
    Command(
      "unfold", "unfold", help: "Unfolds one more level of the value.", keys: ["+", "="],
      places: [.value], needs: .entry, unavailable: needsTree
    ) { state, argument in state.fold(by: 1, argument) },
    Command(
      "unfold-all", "unfold all", help: "Unfolds all levels of the value.", keys: ["*"],
      places: [.value], needs: .entry, unavailable: needsTree
    ) { state, _ in state.fold(by: 1, "1000") },
    Command(
      "reveal", "show secret",
      help: "Shows a secret for half a minute, or hides it again.", keys: ["S"],
      places: [.keys, .value], needs: .entry,
      unavailable: { needsSecrets($0) ?? needsEntry($0) }
    ) { state, _ in state.toggleSecret() },
    Command(
      "copy", "copy",
      help: "Copies the value, what is selected of it, or all marked keys to the clipboard.",
      keys: ["y"], places: [.keys, .value], needs: .entry,
      unmarked: needsEntry
    ) { state, _ in
      if state.focus != .value, state.keys?.marked.isEmpty == false { return state.copyKeys() }
      return state.copyValue(state.focus == .value ? .selected : .shown)
    },
    Command(
      "copy-value", "copy value", help: "Copies the whole value, of a row all its columns as JSON.",
      keys: ["Ctrl-Y"], places: [.keys, .value], needs: .entry, unavailable: needsEntry
    ) { state, _ in state.copyValue(.whole) },
    Command(
      "copy-path", "copy path", help: "Copies the way to what is selected, such as users[0].name.",
      keys: ["Y"], places: [.value], needs: .entry,
      unavailable: { state in
        needsEntry(state)
          ?? (state.value?.path == nil ? "no part of the value is selected" : nil)
      }
    ) { state, _ in state.copy(state.value?.path ?? "") },
    Command(
      "copy-key", "copy key", help: "Copies the key of the entry.", keys: ["K"],
      places: [.keys, .value], needs: .list, unavailable: needsEntry
    ) { state, _ in
      guard let key = state.keys?.selected?.key else { return [] }
      if case .text(let text) = key { return state.copy(text) }
      return state.copy(state.text(of: key))
    },
  ]

  private static let needsSearch: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsEntry(state) { return reason }
    return state.value?.search == nil && state.filteredText == nil
      ? "nothing is looked for; press / first" : nil
  }

  private static let needsTree: @Sendable (BrowserState) -> String? = { state in
    needsEntry(state)
      ?? (state.value?.tree == nil ? "the value is not shown as a tree; f changes the format" : nil)
  }
}
