import HarmonySQLite

/// The greatest number that a table has given to a row, which a table with AUTOINCREMENT keeps so
/// that none is given twice.
struct RowSequence {
  let table: String
  let session: SQLiteSession

  /// The sequence of a table that keeps one.
  init(_ table: String, _ session: SQLiteSession) {
    self.table = table
    self.session = session
  }

  /// The number, nil where the table has had no row yet.
  func number() throws(SQLiteError) -> Int64? {
    let rows = try session.rows(
      "SELECT seq FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    return if case .integer(let number)? = rows.first?.first { number } else { nil }
  }

  /// The greatest number that a row has, nil where there is no row.
  ///
  /// A row that was given another number may have one that is greater than all that were given.
  func greatestRow() throws(SQLiteError) -> Int64? {
    let names = try session.rows(
      "SELECT name FROM pragma_table_info(?, 'main') WHERE pk = 1", [.text(table)])
    guard case .text(let name)? = names.first?.first else { return nil }
    let rows = try session.rows(
      "SELECT max(\(SQLiteIdentifier.quoted(name))) FROM main.\(SQLiteIdentifier.quoted(table))")
    return if case .integer(let number)? = rows.first?.first { number } else { nil }
  }

  /// Makes it another number.
  func set(_ number: Int64?) throws(SQLiteError) {
    if let number {
      try session.run(
        "UPDATE main.sqlite_sequence SET seq = ?2 WHERE name = ?1",
        [.text(table), .integer(number)])
    } else {
      try session.run("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    }
  }
}

/// The sequences of the tables that a change may reach.
struct RowSequences {
  private let numbers: [String: Int64]
  private let greatestRows: [String: Int64]

  /// Reads the sequence of a table, and those of all others where its triggers may add rows to them.
  init(_ layout: TableLayout, andOthers: Bool, _ session: SQLiteSession) throws(SQLiteError) {
    var numbers: [String: Int64] = [:]
    var tables: Set<String> = layout.isAutoincrement ? [layout.name] : []
    if andOthers, try session.hasSequences {
      for row in try session.rows("SELECT name, seq FROM main.sqlite_sequence") {
        if case .text(let name) = row[0], case .integer(let number) = row[1] {
          numbers[name] = number
          tables.insert(name)
        }
      }
    } else if layout.isAutoincrement {
      numbers[layout.name] = try RowSequence(layout.name, session).number()
    }
    var greatestRows: [String: Int64] = [:]
    for table in tables {
      greatestRows[table] = try RowSequence(table, session).greatestRow()
    }
    self.numbers = numbers
    self.greatestRows = greatestRows
  }

  /// The number of a table, nil where it has had no row.
  subscript(table: String) -> Int64? { numbers[table] }

  /// What became of the numbers since they were others.
  func changes(since before: RowSequences) -> [SideRows.Sequence] {
    numbers.filter { before.numbers[$0.key] != $0.value }
      .map { table, number in
        let known = before.numbers[table]
        let greatest = before.greatestRows[table].flatMap { $0 > known ?? 0 ? $0 : nil }
        return SideRows.Sequence(
          table: table, before: known, after: number, greatestRow: greatest)
      }
      .sorted { $0.table < $1.table }
  }
}

extension SQLiteSession {
  /// Whether the database has the table of sequences: only one that has a table with AUTOINCREMENT.
  fileprivate var hasSequences: Bool {
    get throws(SQLiteError) {
      try !rows("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'").isEmpty
    }
  }
}
