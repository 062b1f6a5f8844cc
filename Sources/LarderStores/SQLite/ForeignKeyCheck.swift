import HarmonySQLite
import LarderModel

/// The checks of a table's foreign keys.
struct ForeignKeyCheck {
  let layout: TableLayout
  let session: SQLiteSession

  /// Whether foreign keys can be enforced while the table is changed.
  ///
  /// If a parent table or the columns that a foreign key refers to are missing, every change fails,
  /// in any program; then foreign keys are not enforced.
  func canBeKept() -> Bool {
    guard isCompiled() else { return session.withForeignKeys(false) { !isCompiled() } }
    return true
  }

  /// Whether rows can be added and deleted, as far as the schema shows.
  private func isCompiled() -> Bool {
    let name = "main." + SQLiteIdentifier.quoted(layout.name)
    for sql in ["INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name) WHERE 0"] {
      do throws(SQLiteError) {
        try session.check(sql)
      } catch {
        if error.code == .error { return false }
      }
    }
    return true
  }

  /// Whether the row of a key refers to one that does not exist.
  func isBroken(_ reference: ForeignKey, of key: EntryKey) throws -> Bool {
    try !session.rows(search(reference), layout.values(of: key)).isEmpty
  }

  /// Returns the message that the row of a key refers to one that does not exist.
  func sentence(_ key: EntryKey, _ reference: ForeignKey) -> String {
    Messages.orphan(key, reference.columns.map(\.from), from: reference.parent)
  }

  /// Returns the query that finds the row of a key if the row that it refers to is missing.
  private func search(_ reference: ForeignKey) -> String {
    let present = reference.columns.map { "t.\(SQLiteIdentifier.quoted($0.from)) IS NOT NULL" }
    let sql =
      "SELECT 1 FROM \(layout.target) WHERE \(layout.keyCondition) AND "
      + present.joined(separator: " AND ")
    guard !reference.isParentMissing else { return sql }
    return sql
      + " AND NOT EXISTS (SELECT 1 FROM main.\(SQLiteIdentifier.quoted(reference.parent)) AS p "
      + "WHERE \(reference.match(child: "t", parent: "p")))"
  }
}
