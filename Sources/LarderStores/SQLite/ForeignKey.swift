import HarmonySQLite

/// A foreign key as the schema declares it.
struct ForeignKey {
  /// The child table, whose rows refer to others.
  let table: String
  /// The parent table, as the key spells it if it does not exist.
  let parent: String
  /// Whether the parent table does not exist.
  let isParentMissing: Bool
  /// The columns of the child, each with the parent column that it refers to; the latter is empty
  /// if the parent has no key to refer to.
  private(set) var columns: [(from: String, to: String)]

  /// Returns the SQL condition under which a child row refers to a parent row, by the comparison
  /// rules of the parent column.
  ///
  /// - Parameters:
  ///   - child: The alias of the child table.
  ///   - parent: The alias of the parent table.
  /// - Returns: The condition.
  func match(child: String, parent: String) -> String {
    columns.map {
      "\(parent).\(SQLiteIdentifier.quoted($0.to)) = \(child).\(SQLiteIdentifier.quoted($0.from))"
    }.joined(separator: " AND ")
  }

  /// Returns the foreign keys of a table.
  static func of(_ table: String, _ session: SQLiteSession) throws(SQLiteError) -> [ForeignKey] {
    try read("lower(m.name) = lower(?1)", table, session)
  }

  /// Whether changing a row of a table may change or delete rows that refer to it.
  static func haveActions(on parent: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    guard session.keepsForeignKeys else { return false }
    return try !read(
      "lower(f.\"table\") = lower(?1) AND (f.on_delete NOT IN ('NO ACTION', 'RESTRICT') "
        + "OR f.on_update NOT IN ('NO ACTION', 'RESTRICT'))", parent, session
    ).isEmpty
  }

  /// Returns the foreign keys that refer to a table, whatever their actions.
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
      (SELECT name FROM main.sqlite_schema \
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
      let found: String? = if case .text(let name) = row[5] { name } else { nil }
      if let last, last == (table, row[1]), var key = keys.popLast() {
        key.columns.append((from, to))
        keys.append(key)
      } else {
        keys.append(
          ForeignKey(
            table: table, parent: found ?? parent, isParentMissing: found == nil,
            columns: [(from, to)]))
      }
      last = (table, row[1])
    }
    return keys
  }
}
