import LarderModel
import LarderOperations

extension BrowserState {
  /// Toggles the mark of the selected key and moves to the next one.
  mutating func toggleMark() -> Effects {
    guard let key = keys?.selected?.key else { return [] }
    keys?.lostMarks = nil
    keys?.fingerprints[key] = nil
    if keys?.marked.remove(key) == nil {
      keys?.marked.insert(key)
      keepFingerprint()
    }
    return readMarks() + moveKeys(by: 1)
  }

  /// Starts a range at the selected key, or marks the range if one was started.
  mutating func markRange() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    guard let start = model.rangeStart else {
      keys?.rangeStart = key
      say(
        Messages.rangeStarted(text(of: key), mark: settings.bindings.call("mark-range")))
      return []
    }
    return markRange(from: start, in: model) ?? []
  }

  /// Marks all keys from the start of a range to the selected one.
  ///
  /// - Returns: The effects, or `nil` after a warning if there is no key to mark.
  private mutating func markRange(
    from start: EntryKey, in model: KeysModel
  ) -> Effects? {
    keys?.rangeStart = nil
    guard let rows = model.range else {
      say(
        Messages.rangeLost(text(of: start), isFiltered: !model.filterText.isEmpty), .warning)
      return nil
    }
    let range = model.window.entries.enumerated().filter { rows.contains($0.offset) }
      .map(\.element.key).filter { $0.branchPrefix == nil }
    guard !range.isEmpty else {
      say(Messages.onlyBranches, .warning)
      return nil
    }
    keys?.lostMarks = nil
    keys?.marked.formUnion(range)
    keepFingerprint()
    return readMarks()
  }

  /// Marks the started range before a command that works on marked keys, because the user means the
  /// keys in it.
  ///
  /// - Returns: The effects, or `nil` if the range cannot be marked and the command must not run.
  mutating func endRange(for command: String) -> Effects? {
    guard focus == .keys, let model = keys, let start = model.rangeStart,
      Command.named(command)?.isOnMarks == true
    else { return [] }
    return markRange(from: start, in: model)
  }

  /// The fingerprints of the marked entries as displayed, or of the selected entry if none are
  /// marked.
  var chosenFingerprints: [EntryKey: Fingerprint] {
    guard let model = keys, model.marked.isEmpty else { return keys?.fingerprints ?? [:] }
    guard let entry = value?.entry.value else { return model.fingerprints }
    return [entry.key: entry.fingerprint].compactMapValues { $0 }
  }

  /// Stores the fingerprint that the selected entry has on screen with its mark.
  private mutating func keepFingerprint() {
    guard let entry = value?.entry.value, entry.key == keys?.selected?.key else { return }
    keys?.fingerprints[entry.key] = entry.fingerprint
  }

  /// Reads the marked entries without a fingerprint, because they were not selected long enough to
  /// be loaded.
  mutating func readMarks() -> Effects {
    guard let model = keys else { return [] }
    let unread = model.marked.filter { model.fingerprints[$0] == nil }.sorted()
    // After marking a large number of keys at once, the user has not seen the values.
    guard !unread.isEmpty, unread.count <= KeysModel.sortedPageSize else { return [] }
    let token = newToken()
    keys?.readingMarks = token
    return [ReadMarks(store: model.store.reference, keys: unread, token: token)]
  }

  /// Removes the marks of deleted entries after a change was undone.
  ///
  /// - Returns: The effects, or `nil` if the list has no marks, too many, or keys that are
  ///   positions.
  mutating func readMarksAgain(of store: StoreReference) -> Effects? {
    guard let model = keys, model.store.reference == store, !model.marked.isEmpty,
      model.marked.count <= KeysModel.sortedPageSize, !model.store.kind.keysArePaths
    else { return nil }
    tabs.changeLists(of: store) { $0.loseMarks() }
    keys?.lookForMarked()
    return readMarks()
  }

  /// Removes all marks in a store, in every tab, after the browser has changed the store.
  ///
  /// Keys may be positions, which now belong to other entries.
  mutating func loseMarks(of store: StoreReference) {
    if keys?.store.reference == store { keys?.loseMarks() }
    tabs.changeLists(of: store) { $0.loseMarks() }
  }

  /// Removes all marks; returns whether there were any.
  mutating func unmark() -> Bool {
    guard let model = keys,
      !model.marked.isEmpty || model.rangeStart != nil || model.lostMarks == .unsaid
    else { return false }
    keys?.clearMarks()
    say(
      model.marked.isEmpty && model.lostMarks != .unsaid
        ? Messages.rangeCanceled : Messages.marksCleared)
    return true
  }

  /// Asks for confirmation before the marked entries, or else the selected one, are deleted.
  ///
  /// If marks were lost without the user knowing, warns instead of asking about the selected entry.
  mutating func askToDeleteChosen() -> Effects {
    guard let model = keys else { return [] }
    if !model.marked.isEmpty { return askToDeleteMarked() }
    guard model.lostMarks == .unsaid else {
      return model.selectedBranch.map { askToDeletePrefix($0) } ?? askToDeleteMember()
        ?? askToDelete()
    }
    keys?.lostMarks = .said
    warnMarksLost()
    return []
  }

  /// Returns whether a command was meant as a “yes” to a confirmation that was not shown because
  /// marks were lost.
  ///
  /// If so, shows the warning again.
  mutating func takesAnswerToLostMarks(_ command: String) -> Bool {
    guard keys?.lostMarks == .said else { return false }
    keys?.lostMarks = nil
    // The key for “yes” runs this command if there is no question.
    guard command == "copy" else { return false }
    warnMarksLost()
    return true
  }

  private mutating func warnMarksLost() {
    say(
      Messages.marksLost(
        next: keys?.selected.map { text(of: $0.key) }, delete: settings.bindings.call("delete")),
      .warning)
  }

  /// Asks for confirmation before the marked entries are deleted, and reads them.
  private mutating func askToDeleteMarked() -> Effects {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    let ticket = ticket { $0.question?.reading }
    var confirm = ConfirmModel(
      store: model.store.reference, several: marked,
      title: Messages.entries(marked.count, "marked"), place: storeTitle,
      doubt: model.times?.only == nil ? nil : listedExpiry?.deletionDoubt)
    confirm.reading = ticket.token
    overlay = .confirm(confirm)
    return [ReadMarkedToDelete(store: model.store.reference, keys: marked, ticket: ticket)]
  }

  /// Stores the fingerprints of marked entries in the tab that requested them.
  mutating func marksRead(_ read: [EntryChange]?, token: Int) -> Effects {
    keys?.receive(read, token: token)
    tabs.changeAll { $0.keys?.receive(read, token: token) }
    return []
  }

  /// Enables the confirmation once the marked entries have been read, unless one has changed since
  /// it was marked.
  mutating func markedReadToDelete(_ result: Answer<EntriesToDelete>) -> Effects {
    guard var confirm = question else { return [] }
    confirm.reading = nil
    overlay = nil
    switch result {
    case .success(let found) where found.unreadable > 0:
      say(Messages.unreadable(found.unreadable), .error)
    case .success(let found):
      let changes = found.changes
      let known = keys?.store.reference == confirm.store ? keys?.fingerprints ?? [:] : [:]
      let changed = changes.first { (known[$0.key] ?? $0.expecting) != $0.expecting }
      if let changed {
        let problem = Messages.changed(text(of: changed.key), since: Messages.sinceMarked)
        say(Messages.nothing("deleted", since: problem), .error)
        return listChanged(confirm.store)
      }
      guard !changes.isEmpty else {
        say(Messages.marksGone)
        return listChanged(confirm.store)
      }
      confirm.changes = changes
      confirm.marked = changes.map(\.key)
      confirm.title = Messages.entries(changes.count, "marked")
      overlay = .confirm(confirm)
    case .failure(let error): say(error.message, .error)
    }
    return []
  }

  mutating func markedDeleted(_ result: OperationAnswer<Int>) -> Effects {
    guard let confirm = question else { return [] }
    overlay = nil
    if let count = endWork(confirm.deleting, result.failure?.reason) {
      return count == 0 ? [] : listChanged(confirm.store)
    }
    switch result {
    case .success(let count):
      keys?.unmark(confirm.marked)
      say(
        Messages.deleted(count, of: confirm.changes.count) + (count == 0 ? "" : undoHint))
      return listChanged(confirm.store, keepsMarks: true)
    case .failure(let failure):
      guard case .conflict(let theirs) = failure.reason else {
        say(failure.message, .error)
        break
      }
      let what = theirs.map { text(of: $0.key) } ?? Messages.anEntry
      let cause = changedByOthers(what, theirs, Messages.justNow)
      say("\(failure.outcome): \(cause)\(refreshAdvice(theirs))", .error)
    }
    return listChanged(confirm.store)
  }
}
