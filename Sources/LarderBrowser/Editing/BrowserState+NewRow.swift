import Foundation
import LarderDocuments
import LarderModel

extension BrowserState {
  /// The open form for a new row, or `nil`.
  var newRow: NewRowModel? {
    get { if case .newRow(let row) = overlay { row } else { nil } }
    set { if let newValue, case .newRow = overlay { overlay = .newRow(newValue) } }
  }

  /// Opens the form for a new row, with the key filled in if one was given.
  mutating func askForNewRow(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    var row = NewRowModel(of: model.store, title: storeTitle)
    let text = typed.isEmpty ? EntryKey.text(model.scope).notation(model.store.keyStyle) : typed
    if !typed.isEmpty || !model.scope.isEmpty { row.apply(.insert(text)) }
    overlay = .newRow(row)
    guard !typed.isEmpty else { return [] }
    return checkKeyOfNewRow() + moveInNewRow(by: 1)
  }

  /// Applies an edit to the current line of the form.
  mutating func typeInNewRow(_ edit: TextEdit) -> Effects {
    guard var row = newRow, row.saving == nil else { return [] }
    let before = row.line
    row.apply(edit.onOneLine)
    message = nil
    overlay = .newRow(row)
    guard row.line != before else { return [] }
    return (row.line.isOfKey ? checkKeyOfNewRow() : []) + scheduleAutosave()
  }

  /// Moves to another line of the form.
  mutating func moveInNewRow(by step: Int) -> Effects {
    guard newRow?.saving == nil else { return [] }
    newRow?.move(by: step)
    return []
  }

  /// Sets the current column to null, or clears it if it was null.
  mutating func setNullInNewRow() -> Effects {
    guard let row = newRow, row.saving == nil else { return [] }
    guard row.line.isNullable else {
      say(Messages.notNull(row.line.column), .warning)
      return []
    }
    newRow?.line.setNull()
    return scheduleAutosave()
  }

  /// Cycles the type that the current line is parsed as.
  mutating func changeTypeInNewRow() -> Effects {
    guard newRow?.saving == nil else { return [] }
    newRow?.line.changeType()
    return scheduleAutosave()
  }

  /// Checks in the background whether the typed key is still free.
  private mutating func checkKeyOfNewRow() -> Effects {
    guard let row = newRow else { return [] }
    let key = try? row.key()
    guard let key, row.lines.allSatisfy({ !$0.isOfKey || $0.content == .text }) else {
      newRow?.checking = nil
      return row.checking == nil ? [] : [Cancel(.newKey)]
    }
    let ticket = ticket { $0.newRow?.checking }
    newRow?.checking = ticket.token
    return [CheckKey(store: row.store, key: key, ticket: ticket)]
  }

  /// Handles the result of checking the typed key.
  mutating func keyOfNewRowChecked(_ result: Answer<Entry>) -> Effects {
    newRow?.checking = nil
    let problem: String? =
      switch result {
      case .success: Messages.keyTaken
      case .failure(.notFound), .failure(.cancelled): nil
      case .failure(let error): error.message
      }
    newRow?.setProblemOfKey(problem)
    return []
  }

  /// Writes the row, or focuses the first line that is not valid.
  mutating func saveNewRow() -> Effects {
    guard var row = newRow, row.saving == nil else { return [] }
    row.problem = nil
    guard row.check(), let value = try? row.value(), let key = try? row.key() ?? .null else {
      overlay = .newRow(row)
      return []
    }
    let ticket = ticket { $0.newRow?.saving }
    row.saving = ticket.token
    overlay = .newRow(row)
    return [
      AddRow(
        store: row.store, key: key == .null ? nil : key, value: value, expiry: row.expiry,
        ticket: ticket)
    ]
  }

  /// Handles the result of writing the row.
  mutating func addedRow(_ result: Answer<Entry>) -> Effects {
    guard var row = newRow else { return [] }
    row.saving = nil
    switch result {
    case .success(let entry):
      overlay = nil
      say(Messages.added(text(of: entry.key)) + undoHint)
      return changed(entry, of: row.store, isNew: true, wasChangedByOthers: false)
    case .failure(.conflict) where (try? row.key()) != nil: row.refuseKey(Messages.keyTaken)
    case .failure(let error): row.refuse(error.message)
    }
    overlay = .newRow(row)
    return []
  }

  /// Closes the form; discards typed text only at the second Esc.
  mutating func leave(_ row: NewRowModel) -> Effects {
    if row.saving != nil {
      say(Messages.writing(Messages.newRow), .warning)
    } else if row.isChanged, !row.isLeaving {
      newRow?.isLeaving = true
      say(Messages.notSaved(save: Messages.saveRow), .warning)
    } else {
      overlay = nil
      say(Messages.nothing("added"))
      return [Cancel(.newKey)]
    }
    return []
  }
}

/// Drafts of the form, which survive a crash.
extension BrowserState {
  /// Returns a draft of the form, or `nil` if nothing was typed.
  func draftOfNewRow(_ id: String, at place: StoreLocation, date: Date) -> Draft? {
    guard let row = newRow, row.isChanged else { return nil }
    return Draft(
      id: id, place: place, title: row.title, key: (try? row.key()) ?? .null, line: .newRow,
      type: .text, text: JSONText.encode(row.typed, isIndented: true), date: date)
  }

  /// Reopens the form with the draft of an earlier session.
  mutating func resumeNewRow(_ draft: Draft) -> Effects {
    guard let store = keys?.store,
      case .dictionary(let typed)? = try? JSONParser.parse(draft.text.utf8)
    else { return [] }
    var row = NewRowModel(of: store, title: storeTitle)
    row.resume(typed)
    overlay = .newRow(row)
    return checkKeyOfNewRow()
  }
}
