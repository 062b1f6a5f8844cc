import HarmonySQLite

/// A foreign key as the schema of a database declares it.
struct ForeignKey {
  /// The table whose rows refer to others.
  let table: String
  /// The table that they refer to, as the key spells it.
  let parent: String
  /// Whether the database has no such table.
  let isParentMissing: Bool
  /// The columns of the table, each with the one that it refers to, whose name is empty where the
  /// other table has no key to refer to.
  private(set) var columns: [(from: String, to: String)]

  /// The condition under which a row refers to another one, in SQL: the rules of comparison are those of
  /// the column that is referred to.
  ///
  /// - Parameters:
  ///   - child: The name that a query gives the table.
  ///   - parent: The name that it gives the other one.
  /// - Returns: The condition.
  func match(child: String, parent: String) -> String {
    columns.map {
      "\(parent).\(SQLiteIdentifier.quoted($0.to)) = \(child).\(SQLiteIdentifier.quoted($0.from))"
    }.joined(separator: " AND ")
  }

  /// The foreign keys of a table, in the order of their declaration.
  static func of(_ table: String, _ session: SQLiteSession) throws(SQLiteError) -> [ForeignKey] {
    try read("lower(m.name) = lower(?1)", table, session)
  }

  /// Whether a change of a row of a table may change or delete rows that refer to it.
  static func haveActions(on parent: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    guard session.keepsForeignKeys else { return false }
    return try !read(
      "lower(f.\"table\") = lower(?1) AND (f.on_delete NOT IN ('NO ACTION', 'RESTRICT') "
        + "OR f.on_update NOT IN ('NO ACTION', 'RESTRICT'))", parent, session
    ).isEmpty
  }

  /// The foreign keys by which rows refer to those of a table, whatever becomes of them.
  static func referring(to parent: String, _ session: SQLiteSession) throws(SQLiteError)
    -> [ForeignKey]
  {
    try read("lower(f.\"table\") = lower(?1)", parent, session)
  }

  private static func read(
    _ condition: String, _ table: String, _ session: SQLiteSession
  ) throws(SQLiteError) -> [ForeignKey] {
    let rows = try session.rows(
      """
      SELECT m.name, f.id, f."table", f."from", coalesce(f."to", (\
      SELECT name FROM pragma_table_info(f."table", 'main') WHERE pk = f.seq + 1)), \
      NOT EXISTS (SELECT 1 FROM main.sqlite_schema \
      WHERE type = 'table' AND lower(name) = lower(f."table")) \
      FROM main.sqlite_schema AS m JOIN pragma_foreign_key_list(m.name, 'main') AS f \
      WHERE m.type = 'table' AND \(condition) ORDER BY m.name, f.id, f.seq
      """, [.text(table)])
    var keys: [ForeignKey] = []
    var last: (table: String, id: SQLiteValue)?
    for row in rows {
      guard case .text(let table) = row[0], case .text(let parent) = row[2],
        case .text(let from) = row[3]
      else { continue }
      let to: String = if case .text(let name) = row[4] { name } else { "" }
      if let last, last == (table, row[1]), var key = keys.popLast() {
        key.columns.append((from, to))
        keys.append(key)
      } else {
        keys.append(
          ForeignKey(
            table: table, parent: parent, isParentMissing: row[5] == .integer(1),
            columns: [(from, to)]))
      }
      last = (table, row[1])
    }
    return keys
  }
}
