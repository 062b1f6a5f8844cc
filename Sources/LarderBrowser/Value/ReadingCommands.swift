import LarderModel

extension Command {
  /// The commands for the content of a value.
  static let reading: [Command] = [
    Command(
      "search", "search", help: "Find text in the value; capitals make it case-sensitive",
      keys: ["/"], places: [.value],
      aliases: ["find"],
      argument: "TEXT", isHint: true, needs: .entry,
      unavailable: needsEntry
    ) { state, argument in
      state.focus = .value
      if !argument.isEmpty { return state.search(argument) }
      state.overlay = .prompt(PromptModel(SearchPrompt()))
      return []
    },
    Command(
      "find-next", "find next", help: "Go to the next match",
      keys: ["n"], places: [.value], needs: .entry, unavailable: needsSearch
    ) { state, _ in state.findAgain(isForward: true) },
    Command(
      "find-previous", "find previous", help: "Go to the previous match",
      keys: ["N"], places: [.value], needs: .entry, unavailable: needsSearch
    ) { state, _ in state.findAgain(isForward: false) },
    Command(
      "fold", "fold", help: "Fold the deepest open level; :fold 2 shows two levels",
      keys: ["-"], places: [.value],
      aliases: ["collapse"],
      argument: "LEVELS", needs: .entry, unavailable: needsTree
    ) { state, argument in state.fold(by: -1, argument) },
    Command(
      "unfold", "unfold", help: "Unfold one more level", keys: ["+", "="],
      places: [.value],
      aliases: ["expand"],
      needs: .entry, unavailable: needsTree
    ) { state, argument in state.fold(by: 1, argument) },
    Command(
      "unfold-all", "unfold all", help: "Unfold all levels", keys: ["*"],
      places: [.value],
      aliases: ["expand-all"],
      needs: .entry, unavailable: needsTree
    ) { state, _ in state.fold(by: 1, "1000") },
    Command(
      "wrap", "wrap", help: "Wrap long lines, or cut them and scroll sideways with h and l",
      keys: ["W"], places: [.keys, .value],
      aliases: ["wrapping", "nowrap"],
      needs: .entry,
      unavailable: { state in
        needsEntry(state) ?? (state.value?.hasLines == true ? nil : Messages.noLines)
      }
    ) { state, _ in state.toggleWrapping() },
    Command(
      "reveal", "show secret", help: "Show a secret for half a minute, or hide it", keys: ["S"],
      places: [.keys, .value],
      aliases: ["secret", "password"],
      needs: .entry,
      unavailable: { needsSecrets($0) ?? needsEntry($0) }
    ) { state, _ in state.toggleSecret() },
    Command(
      "copy", "copy", help: "Copy the value, its selected part or the marked keys",
      keys: ["y"], places: [.keys, .value],
      aliases: ["yank", "clipboard"],
      needs: .entry,
      unmarked: needsEntry
    ) { state, _ in
      if state.focus != .value, state.keys?.marked.isEmpty == false { return state.copyKeys() }
      return state.copyValue(state.focus == .value ? .selected : .shown)
    },
    Command(
      "copy-value", "copy value", help: "Copy the whole value; a row as JSON",
      keys: ["Ctrl-Y"], places: [.keys, .value],
      aliases: ["copy-json"],
      needs: .entry, unavailable: needsEntry
    ) { state, _ in state.copyValue(.whole) },
    Command(
      "copy-path", "copy path", help: "Copy the path of the selection, such as users[0].name",
      keys: ["Y"], places: [.value],
      aliases: ["path"],
      needs: .entry,
      unavailable: { state in
        needsEntry(state)
          ?? (state.value?.path == nil ? Messages.noPart : nil)
      }
    ) { state, _ in state.copy(state.value?.path ?? "") },
    Command(
      "copy-key", "copy key", help: "Copy the key", keys: ["K"],
      places: [.keys, .value],
      aliases: ["yank-key"],
      needs: .list, unavailable: needsEntry
    ) { state, _ in
      guard let key = state.keys?.selected?.key else { return [] }
      if case .text(let text) = key { return state.copy(text) }
      return state.copy(state.text(of: key))
    },
  ]

  private static let needsSearch: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsEntry(state) { return reason }
    return state.value?.search == nil && state.filteredText == nil
      ? Messages.noSearch(search: state.settings.bindings.call("search")) : nil
  }

  private static let needsTree: @Sendable (BrowserState) -> String? = { state in
    needsEntry(state)
      ?? (state.value?.tree == nil
        ? Messages.noTree(format: state.settings.bindings.call("format")) : nil)
  }
}
