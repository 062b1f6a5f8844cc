import HarmonySQLite
import LarderModel

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
  /// - Throws: ``SQLiteError`` where the schema or the rows cannot be read.
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

  /// Looks at the references after all is written.
  ///
  /// - Returns: A sentence about rows that came back and refer to rows that are gone.
  /// - Throws: ``StoreError`` where rows refer to one that would go; ``SQLiteError``.
  func check() throws -> [String] {
    for candidate in lost where try isBroken(candidate) {
      throw StoreError.failed(
        "rows of \"\(candidate.key.table)\" refer to a row of \"\(candidate.key.parent)\" that would "
          + "be deleted; nothing was written. Delete or change those rows first")
    }
    var counts: [String: Int] = [:]
    for candidate in restored where try isBroken(candidate) {
      let columns = candidate.key.columns.map(\.from).joined(separator: ", ")
      let name =
        "\"\(candidate.key.table)\" refer by \(columns) to rows of \"\(candidate.key.parent)\" that are gone"
      counts[name, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map {
      "rows that came back in \($0.key) (\(Thousands.text($0.value)))"
    }
  }

  /// The values by which rows refer to the row with some values, compared as the database does.
  private func referrers(
    _ key: ForeignKey, _ values: [SQLiteValue]
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    // What refers to no column of the other table refers to nothing.
    guard key.columns.allSatisfy({ !$0.to.isEmpty }) else { return [] }
    let list = key.columns.map { "c.\(SQLiteIdentifier.quoted($0.from))" }
    let found = key.columns.map { "p.\(SQLiteIdentifier.quoted($0.to)) = ?" }
    return try session.rows(
      "SELECT DISTINCT \(list.joined(separator: ", ")) FROM \(tables(key)) AND "
        + found.joined(separator: " AND "), values)
  }

  /// Whether a row refers so to nothing.
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

  /// The tables of a key, joined by the rules of the column that is referred to.
  private func tables(_ key: ForeignKey) -> String {

    "main.\(SQLiteIdentifier.quoted(key.parent)) AS p, main.\(SQLiteIdentifier.quoted(key.table)) AS c "
      + "WHERE \(key.match(child: "c", parent: "p"))"
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
