import LarderModel
import LarderOperations

extension BrowserState {
  /// Marks the selected key, or takes its mark away, and goes on to the next.
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

  /// Begins a range at the selected key, or marks all keys from where it began.
  mutating func markRange() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    guard let start = model.rangeStart else {
      keys?.rangeStart = key
      say("V again marks all keys from \(text(of: key)) to the selected one; Esc marks none")
      return []
    }
    return markRange(from: start, in: model) ?? []
  }

  /// Marks all keys from where a range began to the selected one.
  ///
  /// - Returns: The effects; nil where there is none to mark, which is said.
  private mutating func markRange(
    from start: EntryKey, in model: KeysModel
  ) -> Effects? {
    keys?.rangeStart = nil
    guard let rows = model.range else {
      let why = model.filterText.isEmpty ? "is too far away" : "is not in the list any more"
      say("\(text(of: start)), where the range began, \(why); nothing was marked", .warning)
      return nil
    }
    let range = model.window.entries.enumerated().filter { rows.contains($0.offset) }
      .map(\.element.key).filter { $0.branchPrefix == nil }
    guard !range.isEmpty else {
      say("there are only branches in the range; nothing was marked", .warning)
      return nil
    }
    keys?.lostMarks = nil
    keys?.marked.formUnion(range)
    keepFingerprint()
    return readMarks()
  }

  /// Marks the range that was begun, as a command is called that is about what is marked: whoever
  /// chooses keys and then says what to do with them means these.
  ///
  /// - Returns: The effects; nil where the range cannot be marked, and the command is not to be run.
  mutating func endRange(for command: String) -> Effects? {
    guard focus == .keys, let model = keys, let start = model.rangeStart,
      Command.named(command)?.isOnMarks == true
    else { return [] }
    return markRange(from: start, in: model)
  }

  /// What was seen under the keys that are marked, or else under the selected one.
  var chosenFingerprints: [EntryKey: Fingerprint] {
    guard let model = keys, model.marked.isEmpty else { return keys?.fingerprints ?? [:] }
    guard let entry = value?.entry.value else { return model.fingerprints }
    return [entry.key: entry.fingerprint].compactMapValues { $0 }
  }

  /// Keeps with the mark of the selected key what the user saw under it.
  private mutating func keepFingerprint() {
    guard let entry = value?.entry.value, entry.key == keys?.selected?.key else { return }
    keys?.fingerprints[entry.key] = entry.fingerprint
  }

  /// Reads soon what is under marked keys that were never selected long enough.
  mutating func readMarks() -> Effects {
    guard let model = keys else { return [] }
    let unread = model.marked.filter { model.fingerprints[$0] == nil }.sorted()
    // Of very many, as are marked all at once, nobody has seen the values.
    guard !unread.isEmpty, unread.count <= KeysModel.sortedPageSize else { return [] }
    let token = newToken()
    keys?.readingMarks = token
    return [ReadMarks(store: model.store.reference, keys: unread, token: token)]
  }

  /// Keeps what is marked of a store as far as it is still there, after a step was taken back.
  ///
  /// - Returns: What reads it; nil where nothing is marked on screen, or the keys are positions.
  mutating func readMarksAgain(of store: StoreReference) -> Effects? {
    guard let model = keys, model.store.reference == store, !model.marked.isEmpty,
      model.marked.count <= KeysModel.sortedPageSize, !model.store.kind.keysArePaths
    else { return nil }
    tabs.changeLists(of: store) { $0.loseMarks() }
    keys?.lookForMarked()
    return readMarks()
  }

  /// Takes all marks of a store away, in every tab, as the browser has changed it.
  ///
  /// The keys may be positions, which are those of other entries now.
  mutating func loseMarks(of store: StoreReference) {
    if keys?.store.reference == store { keys?.loseMarks() }
    tabs.changeLists(of: store) { $0.loseMarks() }
  }

  /// Takes all marks away; says whether there were any.
  mutating func unmark() -> Bool {
    guard let model = keys,
      !model.marked.isEmpty || model.rangeStart != nil || model.lostMarks == .unsaid
    else { return false }
    keys?.clearMarks()
    say(
      model.marked.isEmpty && model.lostMarks != .unsaid
        ? "the range was given up, and no key is marked" : "no key is marked any more")
    return true
  }

  /// Asks whether what is marked is to be deleted, or else the selected entry; not that entry where
  /// the user may still believe that others are marked.
  mutating func askToDeleteChosen() -> Effects {
    guard let model = keys else { return [] }
    if !model.marked.isEmpty { return askToDeleteMarked() }
    guard model.lostMarks == .unsaid else {
      return model.selectedBranch.map { askToDeletePrefix($0) } ?? askToDeleteMember()
        ?? askToDelete()
    }
    keys?.lostMarks = .said
    sayMarksAreLost()
    return []
  }

  /// Whether a command was meant as the yes to a question that was not asked, as marks were lost;
  /// then that is said again.
  mutating func takesAnswerToLostMarks(_ command: String) -> Bool {
    guard keys?.lostMarks == .said else { return false }
    keys?.lostMarks = nil
    // What the key for yes does where there is no question.
    guard command == "copy" else { return false }
    sayMarksAreLost()
    return true
  }

  private mutating func sayMarksAreLost() {
    let next = keys?.selected.map { "; d again asks about \(text(of: $0.key))" } ?? ""
    say("no key is marked any more, and nothing was deleted\(next)", .warning)
  }

  /// Asks whether everything that is marked is to be deleted, and reads what that is.
  private mutating func askToDeleteMarked() -> Effects {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    let ticket = ticket { $0.question?.reading }
    var confirm = ConfirmModel(
      store: model.store.reference, several: marked,
      title: PrefixDeletionModel.entries(marked.count, "marked"), place: storeTitle,
      doubt: model.times?.only == nil ? nil : listedExpiry?.deletionDoubt)
    confirm.reading = ticket.token
    overlay = .confirm(confirm)
    return [ReadMarkedToDelete(store: model.store.reference, keys: marked, ticket: ticket)]
  }

  /// Takes in what there is under marked keys, in the tab that asked.
  mutating func marksRead(_ read: [EntryChange]?, token: Int) -> Effects {
    keys?.receive(read, token: token)
    tabs.changeAll { $0.keys?.receive(read, token: token) }
    return []
  }

  /// Takes in what there is under the marked keys, unless that is not what was marked.
  mutating func markedReadToDelete(_ result: Answer<EntriesToDelete>) -> Effects {
    guard var confirm = question else { return [] }
    confirm.reading = nil
    overlay = nil
    switch result {
    case .success(let found) where found.unreadable > 0:
      say("\(found.unreadableText); nothing was deleted", .error)
    case .success(let found):
      let changes = found.changes
      let known = keys?.store.reference == confirm.store ? keys?.fingerprints ?? [:] : [:]
      let changed = changes.first { (known[$0.key] ?? $0.expecting) != $0.expecting }
      if let changed {
        say(
          "\(text(of: changed.key)) was changed by someone else since it was marked; "
            + "nothing was deleted", .error)
        return listChanged(confirm.store)
      }
      guard !changes.isEmpty else {
        say("what was marked was already gone")
        return listChanged(confirm.store)
      }
      confirm.changes = changes
      confirm.marked = changes.map(\.key)
      confirm.title = PrefixDeletionModel.entries(changes.count, "marked")
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
      say("deleted \(PrefixDeletionModel.entries(count))\(undoHint)")
      return listChanged(confirm.store, keepsMarks: true)
    case .failure(let failure):
      guard case .conflict(let theirs) = failure.reason else {
        say(failure.message, .error)
        break
      }
      let what = theirs.map { text(of: $0.key) } ?? "an entry"
      let cause = changedByOthers(what, theirs, "just now")
      say("\(failure.outcome): \(cause)\(refreshAdvice(theirs))", .error)
    }
    return listChanged(confirm.store)
  }
}
