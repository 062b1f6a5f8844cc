import LarderModel
import LarderFormats

extension BrowserState {
  /// Opens the editor on the selected value, column or member.
  mutating func editSelected() -> Effects {
    guard let store = keys?.store else { return [] }
    do {
      var entry = try wholeEntry()
      if value?.isConcealed == true { entry.value = entry.type == .data ? .data([]) : .text("") }
      let part = store.hidesValues ? ValuePart() : partToEdit(of: entry)
      // Editing a column is limited by the size of that column, not of the whole row.
      let size = part.column.flatMap { entry.value?.field($0)?.storedSize } ?? entry.size ?? 0
      guard size <= EditorModel.maximumSize else {
        say(Messages.tooLargeToEdit, .warning)
        return []
      }
      if let column = part.column, store.computedFields.contains(where: { $0.hasBytes(of: column) })
      {
        say(Messages.computed(column), .warning)
        return []
      }
      var editor = EditorModel(
        store: store.reference, entry: entry, title: text(of: entry.key), part: part,
        valueType: isValue(part, of: entry) ? store.valueType : nil,
        keepsDigits: store.kind.keepsDigits, prefersHex: value?.format == ValueFormat.hex.name)
      editor.isSecret = store.hidesValues
      editor.isNullable = canBeNull(part, in: store)
      editor.isBlank = value?.isConcealed == true
      overlay = .editor(editor)
      if store.hidesValues {
        say(Messages.replacesSecret)
      }
    } catch {
      say(error.message, .error)
    }
    return []
  }

  /// Whether a part is the entry's actual value: the value column of a row, or the whole of a plain
  /// value.
  private func isValue(_ part: ValuePart, of entry: Entry) -> Bool {
    guard case .record = entry.value else { return part.isWhole }
    return part.column != nil && part == ValuePart(column: keys?.store.valueField)
  }

  /// The column of the selected row that `edit` would edit, or `nil` for another value.
  package var columnToEdit: String? {
    guard let entry = value?.entry.value, entry.key == keys?.selected?.key else { return nil }
    return partToEdit(of: entry).column
  }

  /// The selected member or column, or the whole value where neither is selected.
  func partToEdit(of entry: Entry) -> ValuePart {
    if focus == .value, let part = value?.selectedPart { return part }
    guard case .record(let fields) = entry.value else { return ValuePart() }
    if focus == .keys, let column = shownGrid?.selected, entry.value?.field(column) != nil {
      return ValuePart(column: column)
    }
    guard let place = value?.selectedField, fields.indices.contains(place) else {
      return ValuePart(column: value?.shownField)
    }
    return ValuePart(column: fields[place].name)
  }

  /// Writes the text in the editor if it is a valid value of its type.
  mutating func save(_ editor: EditorModel) -> Effects {
    var editor = editor
    guard editor.saving == nil else { return [] }
    if editor.isBlank, !editor.isChanged {
      editor.problem = Messages.typeSecret
      overlay = .editor(editor)
      return []
    }
    if !editor.isBreaking, let broken = editor.brokenJSON {
      editor.isBreaking = true
      overlay = .editor(editor)
      say(
        Messages.brokenJSON(subject(of: editor, broken), save: editor.savingKey), .warning)
      return []
    }
    do {
      let value = try editor.value(over: editor.base)
      let ticket = ticket { $0.editor?.saving }
      editor.saving = ticket.token
      editor.problem = nil
      overlay = .editor(editor)
      return [
        WriteEntry(
          store: editor.store, entry: Entry(key: editor.key, value: value, form: editor.form),
          query: ReplaceQuery(editor.key, expecting: editor.expecting), ticket: ticket)
      ]
    } catch {
      editor.problem = error.description
      overlay = .editor(editor)
      return []
    }
  }

  /// Returns the name of the edited part, such as `name of 3` or `tags[0] in doc of 3`, or only the
  /// key for a whole value.
  func subject(of editor: EditorModel, _ part: ValuePart? = nil) -> String {
    subject(part ?? editor.part, of: editor.title, in: editor.store)
  }

  /// Returns the name of a part of an entry in the same form.
  func subject(_ part: ValuePart, of title: String, in store: StoreReference) -> String {
    var part = part
    if let value = shownStore(store)?.valueField, part.column?.hasBytes(of: value) == true {
      part = ValuePart(member: part.member)
    }
    return part.isWhole ? title : Messages.part(part.names, of: title)
  }

  mutating func wrote(_ result: Answer<Entry>) -> Effects {
    guard var editor else { return [] }
    editor.saving = nil
    switch result {
    case .success(let entry):
      overlay = nil
      say(Messages.saved(subject(of: editor)) + undoHint)
      return changed(
        entry, of: editor.store, isNew: editor.expecting == nil,
        wasChangedByOthers: editor.wasChangedByOthers)
    case .failure(.conflict) where editor.isSecret:
      editor.problem = secretChanged
      overlay = .editor(editor)
      return []
    case .failure(.conflict(let theirs)):
      return meet(.write(editor), theirs)
    case .failure(let error):
      editor.problem = error.message
      overlay = .editor(editor)
      return []
    }
  }

  /// Shows a conflict, and asks the journal whether larder itself caused it.
  private mutating func meet(_ attempt: ConflictModel.Attempt, _ theirs: Entry?) -> Effects {
    var conflict = ConflictModel(
      attempt: attempt, theirs: theirs, isInBackingStore: isInBackingStore(theirs))
    guard shownStore(conflict.store)?.capabilities.contains(.undo) == true else {
      overlay = .conflict(conflict)
      return []
    }
    let ticket = ticket { state in
      if case .conflict(let conflict)? = state.overlay { conflict.identifying } else { nil }
    }
    conflict.identifying = ticket.token
    overlay = .conflict(conflict)
    return [
      FindAuthor(
        store: conflict.store, entry: theirs ?? Entry(key: conflict.key), ticket: ticket)
    ]
  }

  mutating func authorFound(_ number: Int64?) -> Effects {
    guard case .conflict(var conflict) = overlay else { return [] }
    conflict.identifying = nil
    conflict.author = number
    overlay = .conflict(conflict)
    return []
  }

  /// Updates the list and value after an entry was written.
  mutating func changed(
    _ entry: Entry, of store: StoreReference, isNew: Bool = false, wasChangedByOthers: Bool
  ) -> Effects {
    guard keys?.store.reference == store else { return [] }
    let listed = listedKey(of: entry.key)
    // Another program that changed this entry may have changed more of them.
    if wasChangedByOthers || keys?.times?.only != nil {
      return listChanged(store, around: listed) + sumTimes()
    }
    if isNew, listed == entry.key {
      let total = keys?.total?.changed(by: 1)
      keys?.total = total
    }
    guard keys?.window.row(of: listed) != nil, keys?.isSorted == false else {
      return anchorKeys(at: Entry(key: listed))
    }
    keys?.window.replace(Entry(key: listed))
    if keys?.selected?.key != listed, let row = keys?.window.row(of: listed) {
      return moveKeys(to: row) + countBranches(around: [listed]) + sumTimes()
    }
    return readSelected() + countBranches(around: [listed]) + sumTimes()
  }

  /// Asks for confirmation before the selected entry is deleted.
  mutating func askToDelete() -> Effects {
    guard let store = keys?.store else { return [] }
    do {
      let entry = try wholeEntry()
      overlay = .confirm(
        ConfirmModel(
          store: store.reference,
          query: EntryQuery(entry.key, expecting: entry.fingerprint),
          title: titledText(of: entry.key), place: storeTitle, base: entry,
          selected: focus == .value ? value?.selectedText : nil))
    } catch {
      say(error.message, .error)
    }
    return []
  }

  /// Deletes the confirmed entries or member.
  mutating func confirmDelete() -> Effects {
    guard case .confirm(var confirm) = overlay, confirm.deleting == nil,
      confirm.reading == nil
    else { return [] }
    if confirm.member != nil, let base = confirm.base { return deleteMember(confirm, from: base) }
    let ticket = ticket { $0.question?.deleting }
    let isMarked = !confirm.marked.isEmpty
    if isMarked, !begin(BulkChangeModel(token: ticket.token, total: confirm.changes.count)) {
      return []
    }
    confirm.deleting = ticket.token
    overlay = .confirm(confirm)
    guard isMarked else {
      return [DeleteEntry(store: confirm.store, query: confirm.query, ticket: ticket)]
    }
    return [
      DeleteMarked(
        store: confirm.store, changes: confirm.changes, areExpired: confirm.areExpired,
        question: ticket)
    ]
  }

  mutating func deleted(
    _ key: EntryKey, _ error: StoreError?
  ) -> Effects {
    guard var confirm = question else { return [] }
    confirm.deleting = nil
    switch error {
    case nil:
      overlay = nil
      say(Messages.deleted(confirm.title) + undoHint)
      return confirm.wasChangedByOthers
        ? listChanged(confirm.store, around: key) : takeOut(key, of: confirm.store)
    case .conflict(nil):
      overlay = nil
      say(Messages.alreadyDeleted(confirm.title))
      return listChanged(confirm.store, around: key)
    case .conflict where keys?.store.hidesValues == true:
      overlay = nil
      say("\(confirm.title): \(secretChanged)", .error)
      return listChanged(confirm.store, around: key)
    case .conflict(let theirs):
      return meet(.delete(confirm), theirs)
    case .some(let error):
      overlay = nil
      say(error.message, .error)
      return []
    }
  }

  /// Removes a deleted key from the list.
  private mutating func takeOut(_ key: EntryKey, of store: StoreReference) -> Effects {
    loseMarks(of: store)
    guard var model = keys, model.store.reference == store else { return [] }
    model.window.remove(key)
    model.total = model.total?.changed(by: -1)
    model.cursor.move(by: 0, count: model.window.entries.count, height: viewport.keys)
    keys = model
    // The branch may have lost its last key.
    if model.shownTree != nil, let next = model.selected { return seekAgain(next.key) }
    return readSelected() + loadNeeded()
  }

  /// Resolves a conflict in favor of the store: writes nothing.
  mutating func keepTheirs() -> Effects {
    guard case .conflict(let conflict) = overlay else { return [] }
    overlay = nil
    if case .replay(let replay) = conflict.attempt {
      say(replay.refusal, .error)
      return []
    }
    say(
      conflict.isInBackingStore
        ? Messages.keptBackingStore(refreshAdvice(conflict.theirs)) : Messages.keptTheirs)
    return listChanged(conflict.store, around: conflict.key)
  }

  /// Retries the refused change over the current content of the store.
  mutating func keepMine() -> Effects {
    guard case .conflict(let conflict) = overlay else { return [] }
    switch conflict.attempt {
    case .write(var editor):
      let meetsOther = editor.meetsOtherElement(in: conflict.theirs)
      editor.rebase(onto: conflict.theirs)
      guard meetsOther else { return save(editor) }
      // Elements have only an index, which may belong to a different element by now.
      overlay = .editor(editor)
      say(Messages.otherElement(save: editor.savingKey), .warning)
      return []
    case .delete(var confirm):
      confirm.wasChangedByOthers = true
      if confirm.member != nil, let theirs = conflict.theirs {
        return deleteMember(confirm, from: theirs)
      }
      confirm.query.expecting = conflict.theirs?.fingerprint
      if let theirs = conflict.theirs { confirm.base = theirs }
      overlay = .confirm(confirm)
      return confirmDelete()
    case .replay(let replay): return forceReplay(replay, over: conflict.theirs)
    }
  }

  /// Returns to the editor, rebased onto the current content of the store.
  mutating func editAgain() -> Effects {
    guard case .conflict(let conflict) = overlay, case .write(var editor) = conflict.attempt
    else { return [] }
    editor.rebase(onto: conflict.theirs)
    overlay = .editor(editor)
    return []
  }
}

extension KeysModel.Total {
  /// Returns the total after `count` entries were added, or removed if `count` is negative.
  func changed(by count: Int) -> Self {
    switch self {
    case .about(let number): .about(max(0, number + count))
    case .exactly(let number): .exactly(max(0, number + count))
    }
  }
}
