import HarmonySQLite
import LarderCore

/// What the foreign keys of a table allow.
struct ForeignKeyCheck {
  let layout: TableLayout
  let session: SQLiteSession

  /// Whether foreign keys can be kept while the table is changed.
  ///
  /// Where a table that one refers to is missing, or does not have what it refers to, every change
  /// would fail, of any program; then they are left alone.
  func canBeKept() -> Bool {
    guard isCompiled() else { return session.withForeignKeys(false) { !isCompiled() } }
    return true
  }

  /// Whether rows can be added and deleted, as far as the schema tells.
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

  /// The rows of some keys that refer to rows that are not there, each in a sentence.
  func brokenReferences(of keys: [EntryKey]) throws -> [String] {
    var sentences: [String] = []
    for reference in try references() {
      let broken = try keys.filter { key in
        try !session.rows(reference.search(layout), layout.values(of: key)).isEmpty
      }
      for key in broken {
        sentences.append(
          "\(key.spoken) refers by \(reference.columns.map(\.from).joined(separator: ", ")) to a "
            + "row of \"\(reference.parent)\" that is not there, as it did before")
      }
    }
    return sentences
  }

  private struct Reference {
    let parent: String
    let isParentMissing: Bool
    var columns: [(from: String, to: String)]

    /// What finds the row of a key if what it refers to is missing.
    func search(_ layout: TableLayout) -> String {
      let present = columns.map { "t.\(SQLiteIdentifier.quoted($0.from)) IS NOT NULL" }
      let sql =
        "SELECT 1 FROM \(layout.target) WHERE \(layout.keyCondition) AND "
        + present.joined(separator: " AND ")
      guard !isParentMissing else { return sql }
      let equal = columns.map {
        "p.\(SQLiteIdentifier.quoted($0.to)) = t.\(SQLiteIdentifier.quoted($0.from))"
      }
      return sql + " AND NOT EXISTS (SELECT 1 FROM main.\(SQLiteIdentifier.quoted(parent)) AS p "
        + "WHERE \(equal.joined(separator: " AND ")))"
    }
  }

  private func references() throws(SQLiteError) -> [Reference] {
    let rows = try session.rows(
      """
      SELECT f.id, f."table", f."from", coalesce(f."to", (\
      SELECT name FROM pragma_table_info(f."table", 'main') WHERE pk = f.seq + 1)), \
      NOT EXISTS (SELECT 1 FROM main.sqlite_schema \
      WHERE type = 'table' AND lower(name) = lower(f."table")) \
      FROM pragma_foreign_key_list(?1, 'main') AS f ORDER BY f.id, f.seq
      """, [.text(layout.name)])
    var found: [Reference] = []
    var last: SQLiteValue?
    for row in rows {
      guard case .text(let parent) = row[1], case .text(let from) = row[2] else { continue }
      let to: String = if case .text(let name) = row[3] { name } else { "" }
      if row[0] == last, var reference = found.popLast() {
        reference.columns.append((from, to))
        found.append(reference)
      } else {
        found.append(
          Reference(
            parent: parent, isParentMissing: row[4] == .integer(1), columns: [(from, to)]))
      }
      last = row[0]
    }
    return found
  }
}
