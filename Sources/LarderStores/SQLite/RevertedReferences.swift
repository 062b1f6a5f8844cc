import HarmonySQLite
import LarderModel

/// The references between rows that an undo, which does not enforce foreign keys, could break.
struct RevertedReferences {
  /// A reference to check, with the values of its columns.
  private struct Candidate {
    let key: ForeignKey
    let values: [SQLiteValue]
  }

  private let session: SQLiteSession
  /// References to rows that are deleted or get a different key.
  private var lost: [Candidate] = []
  /// References of rows that are restored or refer to a different row.
  private var restored: [Candidate] = []

  /// Collects the references before anything is written.
  ///
  /// - Throws: ``SQLiteError`` if the schema or the rows cannot be read.
  init(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction, _ session: SQLiteSession
  ) throws(SQLiteError) {
    self.session = session
    let now: SQLiteChangeset.Direction = direction == .revert ? .reapply : .revert
    for (index, table) in changeset.tables.enumerated() where !table.isShadow {
      let referring = try ForeignKey.referring(to: table.name, session)
      let own = try ForeignKey.of(table.name, session)
      guard !referring.isEmpty || !own.isEmpty else { continue }
      for slot in changeset.slots where slot.table == index {
        let old = changeset.values(of: slot, at: now)
        let new = changeset.values(of: slot, at: direction)
        for key in referring {
          let columns = key.columns.map(\.to)
          guard let values = table.values(columns, in: old), !values.contains(.null),
            table.values(columns, in: new) != values
          else { continue }
          lost += try referrers(key, values).map { Candidate(key: key, values: $0) }
        }
        for key in own {
          let columns = key.columns.map(\.from)
          guard let values = table.values(columns, in: new), !values.contains(.null),
            table.values(columns, in: old) != values
          else { continue }
          restored.append(Candidate(key: key, values: values))
        }
      }
    }
  }

  /// Checks the references after everything is written.
  ///
  /// - Returns: Warnings about restored rows that refer to missing ones.
  /// - Throws: ``StoreError`` if rows refer to one that would be deleted; ``SQLiteError``.
  func check() throws -> [String] {
    for candidate in lost where try isBroken(candidate) {
      throw StoreError.wouldOrphan(candidate.key.table, from: candidate.key.parent)
    }
    let broken = try restored.filter { try isBroken($0) }.map(\.key)
    return Dictionary(grouping: broken) { [$0.table, $0.parent] + $0.columns.map(\.from) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, keys in
        Messages.restoredOrphans(
          keys.count, of: names[0], Array(names.dropFirst(2)), from: names[1])
      }
  }

  /// Returns the values of all rows that refer to a row, compared as the database does.
  private func referrers(
    _ key: ForeignKey, _ values: [SQLiteValue]
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    // A foreign key to a missing column refers to nothing.
    guard key.columns.allSatisfy({ !$0.to.isEmpty }) else { return [] }
    let list = key.columns.map { "c.\(SQLiteIdentifier.quoted($0.from))" }
    let found = key.columns.map { "p.\(SQLiteIdentifier.quoted($0.to)) = ?" }
    return try session.rows(
      "SELECT DISTINCT \(list.joined(separator: ", ")) FROM \(tables(key)) AND "
        + found.joined(separator: " AND "), values)
  }

  /// Whether a row has this reference and its parent is missing.
  private func isBroken(_ candidate: Candidate) throws(SQLiteError) -> Bool {
    let key = candidate.key
    let own = key.columns.map { "c.\(SQLiteIdentifier.quoted($0.from)) IS ?" }
      .joined(separator: " AND ")
    let child = "SELECT 1 FROM main.\(SQLiteIdentifier.quoted(key.table)) AS c WHERE \(own)"
    guard try !session.rows(child + " LIMIT 1", candidate.values).isEmpty else { return false }
    if key.isParentMissing || key.columns.contains(where: \.to.isEmpty) { return true }
    return try session.rows(
      "SELECT 1 FROM \(tables(key)) AND \(own) LIMIT 1", candidate.values
    ).isEmpty
  }

  /// Returns both tables of a key, joined by the comparison rules of the parent column.
  private func tables(_ key: ForeignKey) -> String {

    "main.\(SQLiteIdentifier.quoted(key.parent)) AS p, main.\(SQLiteIdentifier.quoted(key.table)) AS c "
      + "WHERE \(key.match(child: "c", parent: "p"))"
  }
}

extension SQLiteChangeset.Table {
  /// Returns the values of some columns in a row; nil if there is no row or one is not stored.
  fileprivate func values(_ names: [String], in row: [SQLiteValue]?) -> [SQLiteValue]? {
    guard let row else { return nil }
    var values: [SQLiteValue] = []
    for name in names {
      guard let place = columns.firstIndex(where: { $0.lowercased() == name.lowercased() }),
        row.indices.contains(place)
      else { return nil }
      values.append(row[place])
    }
    return values
  }
}
