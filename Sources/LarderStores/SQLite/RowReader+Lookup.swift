import HarmonySQLite
import LarderModel

extension RowReader {
  /// The entry under a key, or nil.
  ///
  /// The key has to be the same byte for byte, also where the table's collation or affinity would
  /// take another for equal.
  ///
  /// - Throws: ``StoreError`` where the key does not have this table's parts, or several rows
  ///   share it; ``SQLiteError``.
  func read(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    if case .ordinal = layout.keys { return try read(rowNumber: key, session) }
    return try find(key, session) { $0 == key }
  }

  /// Whether there is an entry under a key, as a list has it; nil where there is none.
  ///
  /// - Throws: What ``read(_:_:)`` throws.
  func present(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    if case .ordinal = layout.keys { return try read(rowNumber: key, session) }
    return try find(key, session, .keys) { $0 == key }
  }

  /// The entry that the table itself takes for that of a key, which may be spelled otherwise.
  func readAnySpelling(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    try find(key, session) { _ in true }
  }

  /// The entry of a row of the rowid.
  func read(rowid: Int64, named name: String, _ session: SQLiteSession) throws -> Entry? {
    try session.query(
      unordered + " WHERE t.\(name) = ?", [.integer(rowid)]
    ) { statement in
      try statement.step() ? entry(statement, key: self.key(statement), .values) : nil
    }
  }

  private func find(
    _ key: EntryKey, _ session: SQLiteSession, _ detail: EntryPageQuery.Detail = .values,
    _ isWanted: (EntryKey) -> Bool
  ) throws -> Entry? {
    var entry: Entry?
    var count = 0
    try session.query(
      detail == .keys ? select(values: false) + " WHERE " + layout.keyCondition : lookup,
      try layout.values(of: key)
    ) { statement in
      while try statement.step() {
        let found = self.key(statement)
        guard isWanted(found) else { continue }
        count += 1
        if count == 1 { entry = self.entry(statement, key: found, detail) }
      }
    }
    guard count <= 1 else {
      throw StoreError.failed(
        "\(count) rows have the key \(key.spoken), as NULL is equal to nothing in a primary key; "
          + "larder cannot tell them apart, so it lists them and leaves them as they are")
    }
    return entry
  }

  private func read(rowNumber key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    guard case .integer(let number) = key, number > 0 else { return nil }
    return try session.query(
      select(values: true) + " LIMIT 1 OFFSET ?", [.integer(number - 1)]
    ) { statement in
      try statement.step() ? entry(statement, key: key, .values) : nil
    }
  }
}

extension TableLayout {
  /// What finds the row of a key, whose parts are the parameters.
  var keyCondition: String {
    keyColumns.map { "\($0.sql) IS ?" }.joined(separator: " AND ")
  }
}
