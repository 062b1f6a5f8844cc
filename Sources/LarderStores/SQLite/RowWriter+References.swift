import HarmonySQLite
import LarderCore

extension RowWriter {
  /// What happens to a row that others may refer to.
  enum Change: String {
    case delete = "on_delete"
    case update = "on_update"
  }

  /// Does a change, and refuses it where foreign keys carry it on to rows that nobody named.
  ///
  /// A database may say that the rows that refer to a deleted one go with it. SQLite leaves that
  /// to each program, and most databases were never told; so larder keeps foreign keys in force,
  /// but does not let them delete or change what the person has not seen.
  ///
  /// - Parameters:
  ///   - change: What is done to rows of this table.
  ///   - body: Does it, and answers how many rows it changed itself.
  /// - Throws: ``StoreError`` where more rows changed, and what the body throws.
  func withoutCascades(_ change: Change, _ body: () throws -> Int) throws {
    let tables = try referringTables(change)
    guard !tables.isEmpty else {
      _ = try body()
      return
    }
    let before = session.totalChanges
    let count = try body()
    guard session.totalChanges - before == count else {
      let names = tables.map { "\"\($0)\"" }.joined(separator: ", ")
      let verb = change == .delete ? "deleted" : "changed"
      throw StoreError.failed(
        "other rows would be deleted or changed too, by the foreign keys of \(names) or by a "
          + "trigger; nothing was \(verb). Delete or change those rows first")
    }
  }

  /// The tables whose rows a foreign key changes when rows of this table change.
  private func referringTables(_ change: Change) throws -> [String] {
    let rows = try session.rows(
      """
      SELECT DISTINCT m.name FROM main.sqlite_schema AS m \
      JOIN pragma_foreign_key_list(m.name, 'main') AS f \
      WHERE m.type = 'table' AND lower(f."table") = lower(?1) \
      AND f.\(change.rawValue) NOT IN ('NO ACTION', 'RESTRICT') ORDER BY m.name
      """, [.text(layout.name)])
    return rows.compactMap { row in
      if case .text(let name)? = row.first { name } else { nil }
    }
  }
}
