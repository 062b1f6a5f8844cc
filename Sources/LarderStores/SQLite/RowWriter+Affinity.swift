import HarmonySQLite
import LarderModel

extension RowWriter {
  /// Checks that a row was stored as it was written.
  ///
  /// A column may convert a value by its declared type: a number in a text column becomes text.
  /// SQLite does so for all columns of a row that it writes, even for those that the statement does
  /// not name. Changes that triggers make are allowed, and so is the conversion of a typed key to a
  /// number or to text, if nothing is lost by it.
  ///
  /// - Parameters:
  ///   - entry: The row as stored.
  ///   - key: The key that was written.
  ///   - fields: The columns that were written.
  ///   - former: The row before, whose other columns must be unchanged; nil for a new row.
  /// - Throws: ``StoreError`` if the database has converted a value, and ``SQLiteError``.
  func checkAffinity(
    _ entry: Entry, _ key: EntryKey, _ fields: [StoredValue.Field], over former: Entry? = nil
  ) throws {
    var differences: [Conversion] = []
    if entry.key != key {
      for (column, (asked, found)) in zip(
        layout.keyColumns, zip(try layout.values(of: key), try layout.values(of: entry.key)))
      where asked != found && (isImport || !found.isSameNumber(as: asked)) {
        differences.append(Conversion(column: column.name, asked: asked, found: found))
      }
    }
    for column in layout.values where !column.isGenerated {
      let given = fields.first { $0.name.hasBytes(of: column.name) }?.value
      guard let value = given ?? former?.field(column.name, layout),
        let found = entry.field(column.name, layout), found != value
      else { continue }
      // A number given by its digits is stored in 64 bits, which makes it a different value.
      if try StoredValue(SQLiteValue(value, column: column.name)) == found { continue }
      // A typed number without a decimal point may be meant for a column of reals.
      if given != nil, !isImport, case .integer = value, case .real = found,
        try SQLiteValue(found, column: column.name)
          .isSameNumber(as: SQLiteValue(value, column: column.name))
      {
        continue
      }
      differences.append(
        Conversion(
          column: column.name, asked: try SQLiteValue(value, column: column.name),
          found: try SQLiteValue(found, column: column.name), isUntouched: given == nil))
    }
    guard !differences.isEmpty else { return }
    func type(of column: String) -> String {
      layout.keyColumns.first { $0.name.hasBytes(of: column) }?.type
        ?? layout.column(column)?.type ?? ""
    }
    let hasTriggers = try SideEffects(of: layout, session).arePossible
    let conversion = try differences.first { conversion in
      try !hasTriggers || conversion.isExplained(by: type(of: conversion.column))
    }
    guard let conversion else {
      // The remaining differences are side effects of triggers.
      written.note(
        asked: key, stored: entry.key,
        columns: differences.filter { change in
          layout.values.contains { $0.name.hasBytes(of: change.column) }
        }.map(\.column))
      return
    }
    throw StoreError.failed(
      conversion.sentence(layout.name, type: type(of: conversion.column)))
  }
}

/// A value that a database converted when it was stored.
private struct Conversion {
  let column: String
  let asked: SQLiteValue
  let found: SQLiteValue
  /// Whether the column was not written at all.
  var isUntouched = false

  /// Whether a column with a declared type converts the value in this way.
  func isExplained(by type: String) throws -> Bool {
    let scratch = try SQLiteScratch(
      "CREATE TABLE a(c \(type.isEmpty ? "" : SQLiteIdentifier.quoted(type)))")
    try scratch.session.run("INSERT INTO a VALUES(?)", [asked])
    return try scratch.session.rows("SELECT c FROM a").first?.first == found
  }

  /// Returns the message that the value would be converted.
  func sentence(_ table: String, type: String) -> String {
    Messages.converted(
      asked, to: found, column, of: table, type: type, isUntouched: isUntouched)
  }
}

extension SQLiteValue {
  /// Whether both are the same number, perhaps one as text, and convert without loss.
  fileprivate func isSameNumber(as other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.text(let text), .integer(let number)), (.integer(let number), .text(let text)):
      text == String(number)
    case (.text(let text), .real(let number)), (.real(let number), .text(let text)):
      Double(text) == number && number.description == text
    case (.integer(let whole), .real(let number)), (.real(let number), .integer(let whole)):
      Int64(exactly: number) == whole && Double(whole).bitPattern == number.bitPattern
    default: false
    }
  }
}
