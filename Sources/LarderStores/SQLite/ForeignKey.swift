import HarmonySQLite

/// A foreign key as the schema of a database declares it.
struct ForeignKey {
  /// The table whose rows refer to others.
  let table: String
  /// The table that they refer to, as the key spells it.
  let parent: String
  /// Whether the database has no such table.
  let isParentMissing: Bool
  /// Whether rows follow the ones that they refer to when these get another key.
  let followsUpdates: Bool
  /// The columns of the table, each with the one that it refers to, whose name is empty where the
  /// other table has no key to refer to.
  private(set) var columns: [(from: String, to: String)]

  /// The foreign keys of a table, in the order of their declaration.
  static func of(_ table: String, _ session: SQLiteSession) throws(SQLiteError) -> [ForeignKey] {
    try read("lower(m.name) = lower(?1)", table, session)
  }

  /// The foreign keys by which a change of rows of a table is carried on to the rows of others, or
  /// of its own.
  static func carrying(
    _ change: CarryingReferences.Change, of parent: String, _ session: SQLiteSession
  ) throws(SQLiteError) -> [ForeignKey] {
    try read(
      "lower(f.\"table\") = lower(?1) AND f.\(change.rawValue) NOT IN ('NO ACTION', 'RESTRICT')",
      parent, session)
  }

  /// Whether changes of rows of a table are carried on to others at all.
  static func carryAny(of parent: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    try !read(
      "lower(f.\"table\") = lower(?1) AND (f.on_delete NOT IN ('NO ACTION', 'RESTRICT') "
        + "OR f.on_update NOT IN ('NO ACTION', 'RESTRICT'))", parent, session
    ).isEmpty
  }

  /// The tables to whose rows changes of those of a table are carried on, also by way of others.
  static func tablesReached(
    from parent: String, _ session: SQLiteSession
  ) throws(SQLiteError) -> Set<String> {
    var reached: Set<String> = []
    var waiting = [parent]
    while let next = waiting.popLast() {
      for change in [CarryingReferences.Change.delete, .update] {
        for key in try carrying(change, of: next, session)
        where reached.insert(key.table).inserted {
          waiting.append(key.table)
        }
      }
    }
    return reached
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
      WHERE type = 'table' AND lower(name) = lower(f."table")), f.on_update = 'CASCADE' \
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
            followsUpdates: row[6] == .integer(1), columns: [(from, to)]))
      }
      last = (table, row[1])
    }
    return keys
  }
}
