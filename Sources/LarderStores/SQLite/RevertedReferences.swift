import HarmonySQLite
import LarderCore

/// The references between rows that an undo, which writes without foreign keys, could leave broken.
struct RevertedReferences {
  /// A reference to look at, with the values of its columns.
  private struct Candidate {
    let key: ForeignKey
    let values: [SQLiteValue]
  }

  private let session: SQLiteSession
  /// References to rows that go, or get another key.
  private var lost: [Candidate] = []
  /// References of rows that come, or refer to another row.
  private var restored: [Candidate] = []

  /// Collects the references before anything is written.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
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
        func collect(
          _ keys: [ForeignKey], _ column: (ForeignKey) -> [String], from row: [SQLiteValue]?,
          unlessIn other: [SQLiteValue]?, into candidates: inout [Candidate]
        ) {
          for key in keys {
            guard let values = table.values(column(key), in: row), !values.contains(.null),
              table.values(column(key), in: other) != values
            else { continue }
            candidates.append(Candidate(key: key, values: values))
          }
        }
        collect(referring, { $0.columns.map(\.to) }, from: old, unlessIn: new, into: &lost)
        collect(own, { $0.columns.map(\.from) }, from: new, unlessIn: old, into: &restored)
      }
    }
  }

  /// Looks at the references after all is written.
  ///
  /// - Returns: A sentence about rows that came back and refer to rows that are gone.
  /// - Throws: ``StoreError`` where rows refer to one that would go; ``SQLiteError``.
  func check() throws -> [String] {
    for candidate in lost where try isReferred(candidate) && !isThere(candidate) {
      throw StoreError.failed(
        "rows of \"\(candidate.key.table)\" refer to a row of \"\(candidate.key.parent)\" that would go; "
          + "nothing was written. Delete or change those rows first")
    }
    var counts: [String: Int] = [:]
    for candidate in restored where try candidate.key.isParentMissing || !isThere(candidate) {
      let columns = candidate.key.columns.map(\.from).joined(separator: ", ")
      let name =
        "\"\(candidate.key.table)\" refer by \(columns) to rows of \"\(candidate.key.parent)\" that are gone"
      counts[name, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map {
      "rows that came back in \($0.key) (\(Thousands.text($0.value)))"
    }
  }

  private func isReferred(_ candidate: Candidate) throws(SQLiteError) -> Bool {
    try hasRow(candidate.key.table, candidate.key.columns.map(\.from), candidate.values)
  }

  private func isThere(_ candidate: Candidate) throws(SQLiteError) -> Bool {
    try hasRow(candidate.key.parent, candidate.key.columns.map(\.to), candidate.values)
  }

  private func hasRow(
    _ table: String, _ columns: [String], _ values: [SQLiteValue]
  ) throws(SQLiteError) -> Bool {
    // What refers to no column of the other table refers to nothing.
    guard columns.allSatisfy({ !$0.isEmpty }) else { return false }
    let conditions = columns.map { SQLiteIdentifier.quoted($0) + " = ?" }.joined(separator: " AND ")
    return try !session.rows(
      "SELECT 1 FROM main.\(SQLiteIdentifier.quoted(table)) WHERE \(conditions) LIMIT 1", values
    ).isEmpty
  }
}

extension SQLiteChangeset.Table {
  /// The values of some columns in a row; nil where there is no row, or one of them is not stored.
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
