import Harmony

/// A check that the table of a source exists and can store its entries.
///
/// The result is cached for a file and a version of its schema, which SQLite increments with every
/// change. It is used in operations of one connection.
final class SQLiteEntryLayout: Sendable {
  private struct Version: Equatable {
    let file: SQLiteFile.Identity?
    let schema: [[SQLiteValue]]
  }

  private let table: SQLiteEntryTable
  private let isCreating: Bool
  private let checked = Locked<Version?>(nil)

  init(_ table: SQLiteEntryTable, isCreating: Bool) {
    self.table = table
    self.isCreating = isCreating
  }

  /// Returns whether the table exists; throws if it does not and must not be created.
  func isReady(_ session: SQLiteSession) throws -> Bool {
    let version = Version(file: session.file, schema: try session.rows("PRAGMA schema_version"))
    if checked.withLock({ $0 == version }) { return true }
    guard try isThere(table.name, session) else { return false }
    try check(session)
    if table.storesLists, try !isThere(table.elementsName, session) {
      throw missing(table.elementsName)
    }
    checked.withLock { $0 = version }
    return true
  }

  /// Creates the table if it does not exist.
  ///
  /// The result is not cached, because the transaction may still be rolled back.
  func prepare(_ session: SQLiteSession) throws {
    // An existing table must already match and is not extended: a column with the name of the count
    // column may have another meaning.
    if try isReady(session) { return }
    for statement in table.creation { try session.run(statement) }
    try check(session)
  }

  private func isThere(_ name: String, _ session: SQLiteSession) throws -> Bool {
    let rows = try session.rows(
      "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE",
      [.text(name)])
    if rows == [[.text("view")]] { throw CoreError.IllegalArgument.view(name) }
    if rows.isEmpty, !isCreating { throw missing(name) }
    return !rows.isEmpty
  }

  private func missing(_ name: String) -> SQLiteError {
    .noTable(name, isOfLists: name == table.elementsName)
  }

  /// Checks the columns of the table.
  ///
  /// - Throws: ``Harmony/CoreError/IllegalArgument`` if keys would not be compared byte by byte, or
  ///   would not be unique.
  private func check(_ session: SQLiteSession) throws {
    if try session.rows("PRAGMA encoding") != [[.text("UTF-8")]] {
      throw refusal(LayoutProblem.wideText)
    }
    let columns = try session.rows(
      "SELECT name, type FROM pragma_table_xinfo(?)", [.text(table.name)])
    for column in [table.keyColumn, table.valueColumn, table.countColumn].compactMap({ $0 }) {
      guard columns.contains(where: { Self.isName($0.first, column) }) else {
        throw refusal(LayoutProblem.noColumn(column, isCount: column == table.countColumn))
      }
    }
    let key = columns.first { Self.isName($0.first, table.keyColumn) }
    guard case .text(let name) = key?.first, case .text(let type) = key?.last,
      Self.keepsText(type), session.collation(ofColumn: name, table: table.name) == "BINARY"
    else { throw refusal(LayoutProblem.otherKeys) }
    let unique = try session.rows(
      """
      SELECT l.name FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x
      WHERE l."unique" AND NOT l.partial AND x.key GROUP BY l.name
      HAVING count(*) = 1 AND max(x.name) = ? AND max(x.coll) = 'BINARY'
      """, [.text(table.name), .text(name)])
    if unique.isEmpty { throw refusal(LayoutProblem.repeatedKeys) }
  }

  private func refusal(_ reason: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument("The table \(table.name) \(reason)")
  }

  /// Returns whether a value is the name of a column, which SQLite compares ignoring ASCII case.
  private static func isName(_ value: SQLiteValue?, _ name: String) -> Bool {
    guard case .text(let text) = value else { return false }
    return SQLiteEntryTable.folded(text) == SQLiteEntryTable.folded(name)
  }

  /// Returns whether a column of a declared type stores text unchanged.
  ///
  /// See <https://www.sqlite.org/datatype3.html>, 3.1, for the rules.
  private static func keepsText(_ type: String) -> Bool {
    let type = type.uppercased()
    if type.contains("INT") { return false }
    return type.isEmpty || ["CHAR", "CLOB", "TEXT", "BLOB"].contains { type.contains($0) }
  }
}
