import HarmonySQLite

/// The greatest number that a table has given to a row, which a table with AUTOINCREMENT keeps so
/// that none is given twice.
struct RowSequence {
  let table: String
  let session: SQLiteSession

  /// The sequence of a table, nil where it keeps none.
  init?(_ layout: TableLayout, _ session: SQLiteSession) {
    guard layout.isAutoincrement else { return nil }
    self.init(layout.name, session)
  }

  /// The sequence of a table that kept one.
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

  /// What became of the number since it was another, nil where nothing did.
  func change(since before: Int64?) throws(SQLiteError) -> SideRows.Sequence? {
    guard let after = try number(), after != before else { return nil }
    return SideRows.Sequence(table: table, before: before, after: after)
  }

  /// Goes back to a number that was the greatest.
  func restore(_ number: Int64?) throws(SQLiteError) {
    if let number {
      try session.run(
        "UPDATE main.sqlite_sequence SET seq = ?2 WHERE name = ?1",
        [.text(table), .integer(number)])
    } else {
      try session.run("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    }
  }
}

extension [SideRows.Sequence] {
  /// The sequences that are still as a step left them: in the others, further rows have numbers.
  func unchanged(_ session: SQLiteSession) throws(SQLiteError) -> [SideRows.Sequence] {
    // Only a database with a table that has AUTOINCREMENT has the table of them.
    guard !isEmpty,
      try !session.rows("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'").isEmpty
    else { return [] }
    var unchanged: [SideRows.Sequence] = []
    for sequence in self
    where try RowSequence(sequence.table, session).number() == sequence.after {
      unchanged.append(sequence)
    }
    return unchanged
  }
}
