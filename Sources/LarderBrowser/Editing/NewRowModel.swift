import LarderFormats
import LarderModel

/// A new row of a table, while it is typed column by column.
package struct NewRowModel: Sendable, Equatable {
  /// The table.
  package let store: StoreReference
  /// The name of the table.
  package let title: String
  /// The lines, those of the key first.
  package private(set) var lines: [NewRowLine]
  /// The line that is typed in.
  package private(set) var focus = 0
  /// Why the row was not written, where that is about no single line.
  package var problem: String?
  /// The token of the write that is under way.
  package var saving: Int?
  /// The token of the look whether the key is free.
  var checking: Int?
  /// Whether the user was told that leaving drops what was typed.
  var isLeaving = false
  /// Under which id what is typed is kept, once it is.
  var draft: String?

  /// A form for a row of a table: its key, the column that is its value, when it expires, and then the
  /// other columns.
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

  /// The line that is typed in.
  package var line: NewRowLine {
    get { lines[min(focus, lines.count - 1)] }
    set { lines[min(focus, lines.count - 1)] = newValue }
  }

  /// Whether the last line is typed in.
  package var isAtLast: Bool { focus == lines.count - 1 }

  /// Whether something was typed.
  package var isChanged: Bool { lines.contains(where: \.isGiven) }

  /// Moves to the next line or the previous one, around the ends.
  mutating func move(by step: Int) {
    focus = (focus + step + lines.count) % lines.count
  }

  /// Carries out one edit in the line.
  mutating func apply(_ edit: TextEdit) {
    line.apply(edit)
    problem = nil
    isLeaving = false
  }

  /// The key that is typed; nil where the store chooses it.
  ///
  /// - Throws: What is wrong with a line, which shows it.
  func key() throws(ValueText.Failure) -> EntryKey? {
    var parts: [EntryKey] = []
    for line in lines {
      if let part = try line.key() { parts.append(part) }
    }
    return parts.count > 1 ? .composite(parts) : parts.first
  }

  /// The columns that are given a value.
  ///
  /// - Throws: What is wrong with a line, which shows it.
  func value() throws(ValueText.Failure) -> StoredValue {
    var fields: [StoredValue.Field] = []
    for line in lines {
      if let field = try line.field() { fields.append(field) }
    }
    return .record(fields)
  }

  /// When the row expires; nil where that is not typed.
  var expiry: ExpiryText? { lines.lazy.compactMap(\.expiry).first }

  /// Checks all lines, and goes to the first that cannot be written.
  ///
  /// - Returns: Whether all can be.
  mutating func check() -> Bool {
    for place in lines.indices { lines[place].check(isWhole: true) }
    guard let place = lines.firstIndex(where: { $0.problem != nil }) else { return true }
    focus = place
    return false
  }

  /// Shows that another entry has the key.
  mutating func refuseKey(_ reason: String) {
    focus = 0
    lines[0].problem = reason
  }

  /// Notes what the look at the key has found, where the key is typed.
  mutating func setProblemOfKey(_ problem: String?) {
    for place in lines.indices where lines[place].isOfKey { lines[place].check() }
    if lines[0].problem == nil { lines[0].problem = problem }
  }

  /// Shows why the store did not take the row: at the line whose column is named, else below all.
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

  /// What is typed, by the names of the columns, as a draft keeps it.
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

  /// Goes on with what a draft has kept.
  mutating func resume(_ typed: [StoredValue.Field]) {
    for place in lines.indices {
      let field = typed.first { $0.name.hasBytes(of: lines[place].column) }
      if let field { lines[place].resume(field.value) }
    }
  }
}

extension NewColumn {
  /// The type that text typed for the column has; nil where the text itself tells.
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
