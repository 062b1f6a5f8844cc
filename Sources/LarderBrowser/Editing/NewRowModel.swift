import LarderFormats
import LarderModel

/// The form for a new row of a table, with a line for each column.
package struct NewRowModel: Sendable, Equatable {
  /// The table.
  package let store: StoreReference
  /// The name of the table.
  package let title: String
  /// The lines, key columns first.
  package private(set) var lines: [NewRowLine]
  /// The index of the line that has focus.
  package private(set) var focus = 0
  /// The reason that the row was not written, if it is not about a single line.
  package var problem: String?
  /// The token of the write in progress.
  package var saving: Int?
  /// The token of the key check in progress.
  var checking: Int?
  /// Whether the user was warned that leaving discards the text.
  var isLeaving = false
  /// The id of the draft, once there is one.
  var draft: String?

  /// Creates the form for a table, with the key, the value and the expiry before the other columns.
  init(of store: StoreSummary, title: String) {
    self.store = store.reference
    self.title = title
    let keys =
      store.keyColumns.isEmpty
      ? [TypedKeyColumn(name: "key", type: "", form: .any)] : store.keyColumns
    lines = keys.map { NewRowLine(key: $0, isChosen: store.choosesKeys, store.keyStyle) }
    let kept = store.valueColumns
    let first = [kept?.value, kept?.expiry].compactMap { name in
      store.newColumns.first { column in name.map(column.name.hasBytes) == true }
    }
    lines += first.map { column in
      column.name.hasBytes(of: kept?.expiry ?? "")
        ? NewRowLine(expiry: column)
        : NewRowLine(column, type: store.valueType ?? .text, store.kind)
    }
    lines += store.newColumns.filter { !first.contains($0) }.map {
      NewRowLine($0, type: $0.typeOfText, store.kind)
    }
  }

  /// The line that has focus.
  package var line: NewRowLine {
    get { lines[min(focus, lines.count - 1)] }
    set { lines[min(focus, lines.count - 1)] = newValue }
  }

  /// Whether the last line has focus.
  package var isAtLast: Bool { focus == lines.count - 1 }

  /// Whether anything was typed.
  package var isChanged: Bool { lines.contains(where: \.isGiven) }

  /// Moves to the next or previous line, wrapping around.
  mutating func move(by step: Int) {
    focus = (focus + step + lines.count) % lines.count
  }

  /// Applies an edit to the line that has focus.
  mutating func apply(_ edit: TextEdit) {
    line.apply(edit)
    problem = nil
    isLeaving = false
  }

  /// Returns the typed key, or `nil` if the store chooses it.
  ///
  /// - Throws: `ValueText.Failure` if a line is not valid, which also shows the error.
  func key() throws(ValueText.Failure) -> EntryKey? {
    var parts: [EntryKey] = []
    for line in lines {
      if let part = try line.key() { parts.append(part) }
    }
    return parts.count > 1 ? .composite(parts) : parts.first
  }

  /// Returns the columns that get a value.
  ///
  /// - Throws: `ValueText.Failure` if a line is not valid, which also shows the error.
  func value() throws(ValueText.Failure) -> StoredValue {
    var fields: [StoredValue.Field] = []
    for line in lines {
      if let field = try line.field() { fields.append(field) }
    }
    return .record(fields)
  }

  /// The expiry of the row, or `nil` if none was typed.
  var expiry: ExpiryText? { lines.lazy.compactMap(\.expiry).first }

  /// Validates all lines and focuses the first that is not valid.
  ///
  /// - Returns: Whether all lines are valid.
  mutating func check() -> Bool {
    for place in lines.indices { lines[place].check(isWhole: true) }
    guard let place = lines.firstIndex(where: { $0.problem != nil }) else { return true }
    focus = place
    return false
  }

  /// Shows that the key is taken.
  mutating func refuseKey(_ reason: String) {
    focus = 0
    lines[0].problem = reason
  }

  /// Shows the result of the key check at the key.
  mutating func setProblemOfKey(_ problem: String?) {
    for place in lines.indices where lines[place].isOfKey { lines[place].check() }
    if lines[0].problem == nil { lines[0].problem = problem }
  }

  /// Shows the error of the store, at the line whose column it names or else below the form.
  mutating func refuse(_ reason: String) {
    let words = Set(reason.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let named = lines.indices.filter { reason.contains(".\(lines[$0].column)") }
    guard let place = named.first(where: { words.contains(lines[$0].column) }) else {
      problem = reason
      return
    }
    focus = place
    lines[place].problem = reason
  }

  /// The typed values by column name, in the form stored in a draft.
  var typed: StoredValue {
    .dictionary(
      lines.compactMap { line in
        switch line.content {
        case .nothing: nil
        case .null: StoredValue.Field(line.column, .null)
        case .text: StoredValue.Field(line.column, line.draft)
        }
      })
  }

  /// Restores the values of a draft.
  mutating func resume(_ typed: [StoredValue.Field]) {
    for place in lines.indices {
      let field = typed.first { $0.name.hasBytes(of: lines[place].column) }
      if let field { lines[place].resume(field.value) }
    }
  }
}

extension NewColumn {
  /// The type that text for the column is parsed as, or `nil` to guess it from the text.
  fileprivate var typeOfText: StoredType? {
    switch form {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .any: type.isEmpty ? nil : .data
    case .numeric: nil
    }
  }
}
