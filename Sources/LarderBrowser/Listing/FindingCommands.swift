import LarderModel
import LarderFormats

extension Command {
  /// The commands that find and show entries.
  static let finding: [Command] = [
    Command(
      "filter", "filter",
      help: "Filter keys by text, ^start, end$, ~fuzzy or /regex/",
      keys: ["/"], places: [.stores, .keys],
      aliases: ["find", "grep", "query", "where", "sql"],
      argument: "TEXT", isHint: true, needs: .store,
      unavailable: needsStore
    ) { state, argument in
      if !argument.isEmpty { return state.filterKeys(argument) }
      state.focus = .keys
      return state.askForFilter()
    },
    Command(
      "save-filter", "save filter", help: "Save the filter of this store under a name",
      keys: [], places: [.stores, .keys],
      argument: "NAME", needs: .store,
      unavailable: { state in
        needsBookmarks(state)
          ?? (state.keys?.filterText.isEmpty == false
            ? nil : Messages.noFilter(filter: state.settings.bindings.call("filter")))
      }
    ) { state, argument in state.saveFilter(argument) },
    Command(
      "forget-filter", "forget filter", help: "Remove a saved filter of this store",
      keys: [], places: [.stores, .keys],
      argument: "NAME", needsArgument: true, needs: .store, unavailable: needsBookmarks
    ) { state, argument in state.forgetFilter(argument) },
    Command(
      "tree", "tree", help: "Group keys by prefix, or show the list again",
      keys: ["T"],
      aliases: ["prefixes", "folders", "namespaces", "group"],
      argument: "DELIMITER", isHint: true, needs: .list, unavailable: needsPrefixes
    ) { state, argument in state.toggleTree(argument) },
    Command(
      "open-here", "open here", help: "List only the entries of a branch, and hide its prefix",
      keys: ["O"],
      places: [.keys],
      aliases: ["scope"],
      argument: "PREFIX", needs: .list, unavailable: needsPrefixes
    ) { state, argument in state.openHere(argument) },
    Command(
      "leave-scope", "leave scope", help: "Go up to the parent branch",
      keys: ["Backspace"], places: [.keys],
      aliases: ["parent"],
      needs: .list,
      unavailable: { state in
        needsStore(state)
          ?? (state.keys?.scope.isEmpty == true ? Messages.wholeStore : nil)
      }
    ) { state, _ in state.leaveScope() },
    Command(
      "sort", "sort", help: "Sort by key, size, type, time or column",
      keys: ["s"],
      aliases: ["order"],
      argument: "ORDER", needs: .list,
      unavailable: needsStore
    ) { state, argument in state.sort(argument) },
    Command(
      "overview", "overview", help: "Show the largest prefixes, and when entries expire",
      keys: ["%"],
      aliases: ["stats", "size", "usage", "summary", "du"],
      needs: .list, unavailable: needsStore
    ) { state, _ in state.openOverview() },
    Command(
      "history", "history", help: "List recorded changes, and undo or redo any of them",
      keys: ["H"],
      aliases: ["log", "journal", "undo-list"],
      needs: .list, unavailable: { needsStore($0) ?? needsJournal($0) }
    ) { state, _ in state.openHistory() },
    Command(
      "bookmark", "bookmark", help: "Set or remove a bookmark at the selected entry",
      keys: ["b"], places: [.keys],
      aliases: ["star", "favourite"],
      needs: .list,
      unavailable: { needsBookmarks($0) ?? needsEntry($0) }
    ) { state, _ in state.toggleBookmark() },
    Command(
      "reload", "reload", help: "Reload the list and the value from the store",
      keys: ["F5", "Ctrl-L"],
      aliases: ["sync"],
      needs: .store, unavailable: needsStore
    ) { state, _ in
      state.keys?.loseMarks()
      state.renewChoice()
      return [TerminalOrder.redraw] + state.readAgain() + state.countKeys()
    },
    Command(
      "watch", "watch", help: "Mark changes by other programs as they happen",
      keys: ["w"],
      aliases: ["follow", "live", "monitor"],
      needs: .store,
      unavailable: { state in
        needsStore(state)
          ?? (state.keys?.store.capabilities.contains(.changeFeed) == true
            ? nil : Messages.notWatchable)
      }
    ) { state, _ in state.toggleWatch() },
    Command(
      "format", "format", help: "Show the value in the next format, or in a given one",
      keys: ["f"], places: [.keys, .value],
      aliases: ["view", "decode"],
      argument: "FORMAT", isHint: true, needs: .entry,
      unavailable: needsEntry
    ) { state, argument in state.showValue(as: argument) },
    Command(
      "compare", "compare", help: "Compare two marked values, or this one with another",
      keys: ["v"], places: [.keys, .value],
      aliases: ["diff"],
      argument: "[STORE] KEY", needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.compare(argument) },
    Command(
      "compare-before", "compare before",
      help: "Compare the value with the one before its last change",
      keys: ["p"], places: [.keys, .value],
      aliases: ["previous", "before"],
      needs: .entry,
      unavailable: { needsJournal($0) ?? needsEntry($0) }
    ) { state, _ in state.compareBefore() },
    Command(
      "copy-as", "copy as", help: "Copy marked entries as keys, table or json",
      keys: [], places: [.keys, .value],
      aliases: ["table", "yank-as"],
      argument: "FORM", needsArgument: true, needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.copy(as: argument) },
    Command(
      "export", "export", help: "Write the marked entries, or this one, to a file",
      keys: [], places: [.keys, .value],
      aliases: ["save", "dump", "backup", "write"],
      argument: "FILE", needsArgument: true, needs: .entry, unmarked: needsEntry
    ) { state, argument in state.export(to: argument) },
    Command(
      "import", "import", help: "Import entries from an exported file",
      keys: [], places: [.keys, .value], aliases: ["load"],
      argument: "FILE", needsArgument: true, needs: .list, unavailable: needsWritable
    ) { state, argument in state.importEntries(from: argument) },
    Command(
      "find-everywhere", "find everywhere", help: "Search keys and values of all open stores",
      keys: [], aliases: ["search-all", "grep-all"], argument: "TEXT", needsArgument: true,
      needs: .list, unavailable: needsStore
    ) { state, argument in state.findEverywhere(argument) },
  ]
}

extension Command {
  private static let needsPrefixes: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    return state.keys?.store.capabilities.contains(.prefixes) == true
      ? nil : Messages.unsortedKeys
  }
}
