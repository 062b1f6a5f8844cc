import LarderModel
import LarderFormats

extension Command {
  /// Commands that find entries and show them.
  static let finding: [Command] = [
    Command(
      "filter", "filter",
      help: "Lists what matches: text, 'exact, ^start, end$, ~fuzzy, !not, /regex/; "
        + "/ first: in values.",
      keys: ["/"], places: [.stores, .keys], argument: "TEXT", isHint: true, needs: .store,
      unavailable: needsStore
    ) { state, argument in
      if !argument.isEmpty { return state.filterKeys(argument) }
      state.focus = .keys
      return state.askForFilter()
    },
    Command(
      "tree", "tree", help: "Shows the keys as a tree of what they begin with, or as a list.",
      keys: ["T"], argument: "DELIMITER", isHint: true, needs: .list, unavailable: needsPrefixes
    ) { state, argument in state.toggleTree(argument) },
    Command(
      "open-here", "open here",
      help: "Lists only the keys of a branch, without what they begin with.", keys: ["O"],
      places: [.keys], argument: "PREFIX", needs: .list, unavailable: needsPrefixes
    ) { state, argument in state.openHere(argument) },
    Command(
      "leave-scope", "leave scope", help: "Lists the keys of the branch around again.",
      keys: ["Backspace"], places: [.keys], needs: .list,
      unavailable: { state in
        needsStore(state)
          ?? (state.keys?.scope.isEmpty == true ? "all keys of the store are listed" : nil)
      }
    ) { state, _ in state.leaveScope() },
    Command(
      "sort", "sort", help: "Lists the keys by size, type or time, or by key, up or down.",
      keys: ["s"], argument: "ORDER", needs: .list,
      unavailable: needsStore
    ) { state, argument in state.sort(argument) },
    Command(
      "overview", "overview", help: "Shows which prefixes take the space, and when entries expire.",
      keys: ["%"], needs: .list, unavailable: needsStore
    ) { state, _ in state.openOverview() },
    Command(
      "history", "history", help: "Show the recorded changes (log), to undo or redo any of them.",
      keys: ["H"], needs: .list, unavailable: { needsStore($0) ?? needsJournal($0) }
    ) { state, _ in state.openHistory() },
    Command(
      "bookmark", "bookmark", help: "Sets a bookmark at the selected key, or takes it away.",
      keys: ["b"], places: [.keys], needs: .list,
      unavailable: { needsBookmarks($0) ?? needsEntry($0) }
    ) { state, _ in state.toggleBookmark() },
    Command(
      "reload", "reload", help: "Reads the list and the value anew from the store.",
      keys: ["F5", "Ctrl-L"], needs: .store, unavailable: needsStore
    ) { state, _ in
      state.keys?.loseMarks()
      state.renewChoice()
      return [TerminalOrder.redraw] + state.readAgain() + state.countKeys()
    },
    Command(
      "watch", "watch", help: "Marks what others change in the store, as they do it.",
      keys: ["w"], needs: .store,
      unavailable: { state in
        needsStore(state)
          ?? (state.keys?.store.capabilities.contains(.changeFeed) == true
            ? nil : "nobody else can change this store")
      }
    ) { state, _ in state.toggleWatch() },
    Command(
      "format", "format",
      help: "Shows the next format of the value, or \(ValueFormat.listed).",
      keys: ["f"], places: [.keys, .value], argument: "FORMAT", isHint: true, needs: .entry,
      unavailable: needsEntry
    ) { state, argument in state.showValue(as: argument) },
    Command(
      "compare", "compare",
      help: "Shows two values side by side: those of two marked keys, or of another :compare KEY.",
      keys: ["v"], places: [.keys, .value], argument: "[STORE] KEY", needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.compare(argument) },
    Command(
      "compare-before", "compare before",
      help: "Shows the value beside what it was before its last change in the journal.",
      keys: ["p"], places: [.keys, .value], needs: .entry,
      unavailable: { needsJournal($0) ?? needsEntry($0) }
    ) { state, _ in state.compareBefore() },
    Command(
      "copy-as", "copy as",
      help: "Copies what is marked, or the selected entry: keys, table (with values) or json.",
      keys: [], places: [.keys, .value], argument: "FORM", needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.copy(as: argument) },
    Command(
      "export", "export",
      help: "Writes what is marked, or the selected entry, into a file that import takes.",
      keys: [], places: [.keys, .value], argument: "FILE", needs: .entry, unmarked: needsEntry
    ) { state, argument in state.export(to: argument) },
  ]
}

extension Command {
  private static let needsPrefixes: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    return state.keys?.store.capabilities.contains(.prefixes) == true
      ? nil : "the keys of this store are not in the order of their letters"
  }
}
