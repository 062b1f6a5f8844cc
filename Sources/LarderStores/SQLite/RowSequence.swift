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

  /// Goes back to a number that was the greatest, unless there are rows of greater ones.
  func restore(_ number: Int64?) throws(SQLiteError) {
    guard try !hasRow(above: number ?? 0) else { return }
    if let number {
      try session.run(
        "UPDATE main.sqlite_sequence SET seq = ?2 WHERE name = ?1",
        [.text(table), .integer(number)])
    } else {
      try session.run("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    }
  }

  private func hasRow(above number: Int64) throws(SQLiteError) -> Bool {
    guard let rowid = try TableCatalogue.layouts(session, named: table).first?.rowid else {
      return false
    }
    return try !session.rows(
      "SELECT 1 FROM main.\(SQLiteIdentifier.quoted(table)) AS t WHERE t.\(rowid) > ? LIMIT 1",
      [.integer(number)]
    ).isEmpty
  }
}

/// The sequences of the tables that a change may reach.
struct RowSequences {
  private let numbers: [String: Int64]

  /// Reads the sequence of a table, and those of all others where its triggers may add rows to them.
  init(_ layout: TableLayout, andOthers: Bool, _ session: SQLiteSession) throws(SQLiteError) {
    var numbers: [String: Int64] = [:]
    if andOthers, try session.hasSequences {
      for row in try session.rows("SELECT name, seq FROM main.sqlite_sequence") {
        if case .text(let name) = row[0], case .integer(let number) = row[1] {
          numbers[name] = number
        }
      }
    } else if layout.isAutoincrement {
      numbers[layout.name] = try RowSequence(layout.name, session).number()
    }
    self.numbers = numbers
  }

  /// What became of the numbers since they were others.
  func changes(since before: RowSequences) -> [SideRows.Sequence] {
    numbers.filter { before.numbers[$0.key] != $0.value }
      .map { SideRows.Sequence(table: $0.key, before: before.numbers[$0.key], after: $0.value) }
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

extension [SideRows.Sequence] {
  /// The sequences that are still as a step left them: in the others, further rows have numbers.
  func unchanged(_ session: SQLiteSession) throws(SQLiteError) -> [SideRows.Sequence] {
    guard !isEmpty, try session.hasSequences else { return [] }
    var unchanged: [SideRows.Sequence] = []
    for sequence in self
    where try RowSequence(sequence.table, session).number() == sequence.after {
      unchanged.append(sequence)
    }
    return unchanged
  }
}
