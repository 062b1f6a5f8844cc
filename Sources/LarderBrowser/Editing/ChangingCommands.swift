import LarderModel

extension Command {
  /// The commands that change the store.
  static let changing: [Command] = [
    Command(
      "edit", "edit", help: "Edit the value, or its selected part", keys: ["e"],
      places: [.keys, .value, .details],
      aliases: ["change", "set", "put"],
      isHint: true, needs: .entry,
      unavailable: needsEditable
    ) { state, _ in state.editSelected() },
    Command(
      "edit-outside", "edit in $EDITOR",
      help: "Edit the value, or its selected part, in $VISUAL or $EDITOR",
      keys: ["E"], places: [.keys, .value],
      aliases: ["editor", "vim"],
      needs: .entry,
      unavailable: { needsEditable($0) ?? needsOpenValues($0) }
    ) { state, _ in state.editSelectedExternally() },
    Command(
      "add", "add", help: "Add an entry; in a value tree, a member",
      keys: ["a"],
      aliases: ["new", "insert", "create"],
      argument: "KEY", isHint: true, needs: .store,
      unavailable: { state in
        needsWritable(state) ?? (state.isInTree ? nil : needsRoom(state))
      }
    ) { state, argument in state.addChosen(argument) },
    Command(
      "rename", "rename", help: "Rename an entry, or the prefix of a branch or of marked entries",
      keys: ["r", "F2"], places: [.keys, .value],
      aliases: ["move", "mv"],
      argument: "KEY", needs: .entry,
      unavailable: needsChangeable, unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, argument in state.askToRename(to: argument) },
    Command(
      "expiry", "expiry", help: "Set when the selected or marked entries expire",
      keys: ["x"], places: [.keys, .value, .details],
      aliases: ["ttl", "touch", "expire", "lifetime"],
      argument: "WHEN", needs: .entry,
      unavailable: { needsWritable($0) ?? needsStoredExpiry($0) },
      unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, argument in state.askForExpiry(argument) },
    Command(
      "duplicate", "duplicate", help: "Copy the entry to another key",
      keys: ["C"], places: [.keys, .value],
      aliases: ["clone", "copy-key-to"],
      argument: "KEY", needs: .entry,
      unavailable: { needsWritable($0) ?? needsRoom($0) ?? needsEntry($0) }
    ) { state, argument in state.askToRename(to: argument, isCopy: true) },
    Command(
      "copy-to", "copy to", help: "Copy the selected or marked entries to an open store",
      keys: [], places: [.keys, .value],
      aliases: ["paste", "cp"],
      argument: "STORE", needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.askToTransfer(argument, isMove: false) },
    Command(
      "move-to", "move to", help: "Move the selected or marked entries to an open store",
      keys: [], places: [.keys, .value], argument: "STORE", needs: .entry,
      unavailable: needsWritable, unmarked: needsEntry
    ) { state, argument in state.askToTransfer(argument, isMove: true) },
    Command(
      "delete", "delete", help: "Delete the selection or the marked entries (asks first)",
      keys: ["d", "Delete"], places: [.keys, .value, .details],
      aliases: ["remove", "rm"],
      isHint: true, needs: .entry,
      unavailable: needsChangeable, unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, _ in state.askToDeleteChosen() },
    Command(
      "mark", "mark", help: "Mark or unmark the selected entry (Esc clears all marks)",
      keys: ["Space"],
      places: [.keys],
      aliases: ["select", "tag"],
      needs: .list, unavailable: needsEntry
    ) { state, _ in state.toggleMark() },
    Command(
      "mark-range", "mark range",
      help: "Start a range here; press again at its end to mark it", keys: ["V"],
      places: [.keys],
      aliases: ["visual"],
      needs: .list, unavailable: needsEntry
    ) { state, _ in state.markRange() },
    Command(
      "mark-all", "mark all", help: "Mark all listed entries, including those not loaded yet",
      keys: ["A"], places: [.keys],
      aliases: ["select-all"],
      needs: .list, unavailable: needsStore
    ) { state, _ in state.markAll() },
    Command(
      "delete-prefix", "delete prefix",
      help: "Delete all entries with a prefix (you type how many)",
      keys: ["D"], places: [.keys, .value],
      aliases: ["purge", "clear"],
      argument: "PREFIX", needs: .list,
      unavailable: needsWritable
    ) { state, argument in state.askToDeletePrefix(argument) },
    Command(
      "delete-expired", "delete expired", help: "Delete all expired entries (asks first)",
      keys: ["X"], places: [.keys, .value, .details],
      aliases: ["clean", "prune", "vacuum"],
      needs: .list, unavailable: { needsWritable($0) ?? needsStoredExpiry($0) }
    ) { state, _ in state.askToDeleteExpired() },
    Command(
      "recover", "recover", help: "Restore unsaved text from an earlier session",
      keys: ["Ctrl-E"],
      aliases: ["draft", "drafts", "restore"],
      needs: .store, unavailable: { needsWritable($0) ?? $0.needsDraft() }
    ) { state, _ in state.recover() },
    Command(
      "undo", "undo", help: "Undo the last change to this store; :undo N undoes change N",
      keys: ["u"],
      aliases: ["revert"],
      argument: "CHANGE", needs: .store,
      unavailable: { needsWritable($0) ?? needsJournal($0) }
    ) { state, argument in state.replay(isRedo: false, argument) },
    Command(
      "redo", "redo", help: "Redo the last undone change; :redo N redoes change N",
      keys: ["Ctrl-R"],
      aliases: ["again"],
      argument: "CHANGE", needs: .store,
      unavailable: { needsWritable($0) ?? needsJournal($0) }
    ) { state, argument in state.replay(isRedo: true, argument) },
    Command(
      "toggle", "toggle", help: "Toggle the selected Boolean", keys: ["Space"], places: [.value],
      aliases: ["switch", "flip"], needs: .entry,
      unavailable: { state in
        needsChangeable(state) ?? needsEntry(state)
          ?? (state.selectedBoolean == nil ? Messages.notBoolean : nil)
      }
    ) { state, _ in state.toggleBoolean() },
  ]

  private static let isOnBranch: @Sendable (BrowserState) -> Bool = { state in
    state.keys?.selectedBranch != nil
  }

  /// Returns a reason if the entries of the store do not expire.
  static let needsStoredExpiry: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.capabilities.contains(.expiry) == true
      ? nil : Messages.noExpiry
  }

  /// Returns the reason that entries cannot be added, or `nil` if they can.
  ///
  /// `add` also calls it later, when there is no container for a member.
  static let needsRoom: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.capabilities.contains(.creates) == true
      ? nil : Messages.noNewEntries
  }

  static let needsJournal: @Sendable (BrowserState) -> String? = { state in
    if state.keys?.store.capabilities.contains(.undo) == true { return nil }
    return state.settings.isReadOnly ? Messages.readOnlyJournal : Messages.noJournal
  }
}
