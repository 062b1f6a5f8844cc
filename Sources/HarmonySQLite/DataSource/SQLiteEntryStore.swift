import Harmony

/// The entries of a table, inside one transaction of a session.
struct SQLiteEntryStore<T: Sendable> {
  let session: SQLiteSession
  let table: SQLiteEntryTable
  let codec: SQLiteCodec<T>

  // MARK: Reading

  /// The single value of a key.
  func value(_ key: String) throws -> T {
    let rows = try session.rows(table.entryOfKey, [.text(key)])
    guard let row = rows.first, row[1] == .null else { throw CoreError.NotFound() }
    return try codec.decode(row[0])
  }

  /// The list of a key.
  func list(_ key: String) throws -> [T] {
    let rows = try session.rows(table.entryOfKey, [.text(key)])
    guard let row = rows.first, row[1] != .null else { throw CoreError.NotFound() }
    return try elements(of: .text(key), count: row[1])
  }

  /// The values of a selection, lists flattened.
  func values(_ selection: KeySelection, offset: Int = 0) throws -> [T] {
    let span = SQLiteEntrySpan(selection, in: table)
    let statement = try session.statement(
      """
      SELECT \(table.key), \(table.value), \(table.count) FROM \(table.table) \
      WHERE \(span.condition) \(span.order) LIMIT ? OFFSET ?
      """, span.bounds + [span.limit, .integer(Int64(max(offset, 0)))])
    var values: [T] = []
    while try statement.step() {
      let count = statement.value(at: 2)
      if count == .null {
        values.append(try codec.decode(statement.value(at: 1)))
      } else {
        values += try elements(of: statement.value(at: 0), count: count)
      }
    }
    return values
  }

  /// The keys of a selection.
  func keys(_ selection: KeySelection) throws -> [String] {
    let span = SQLiteEntrySpan(selection, in: table)
    let statement = try session.statement(
      "SELECT \(keys(span)) LIMIT ?", span.bounds + [span.limit])
    var keys: [String] = []
    while try statement.step() {
      guard let key = statement.text(at: 0) else {
        throw CoreError.DataSerialization("The table \(table.name) has a key that is not UTF-8")
      }
      keys.append(key)
    }
    return keys
  }

  /// The number of keys of a selection.
  func count(_ selection: KeySelection) throws -> Int {
    let span = SQLiteEntrySpan(selection, in: table)
    let rows = try session.rows(
      "SELECT count(*) FROM (SELECT \(keys(span)) LIMIT ?)", span.bounds + [span.limit])
    guard case .integer(let count) = rows.first?.first else { return 0 }
    return Int(count)
  }

  private func elements(of key: SQLiteValue, count: SQLiteValue) throws -> [T] {
    let values = table.storesLists ? try session.rows(table.elementsOfKey, [key]) : []
    guard count == .integer(Int64(values.count)) else {
      throw CoreError.DataSerialization("A list in \(table.name) does not have all its elements")
    }
    return try values.map { try codec.decode($0[0]) }
  }

  private func keys(_ span: SQLiteEntrySpan) -> String {
    "\(table.key) FROM \(table.table) WHERE \(span.condition) \(span.order)"
  }

  // MARK: Writing

  /// Puts a value in the place of what the key holds.
  func store(_ value: SQLiteValue, _ key: String) throws {
    try deleteElements(of: key)
    let rows = try session.rows(table.storeValue, [.text(key), value])
    guard let type = rows.first?.first else { throw ignored }
    guard type != .text(value.type.name) else { return }
    // The column has a type of its own and changed the value. That may be harmless.
    let stored = try session.rows(table.entryOfKey, [.text(key)]).first?.first ?? .null
    guard let copy = try? codec.encode(codec.decode(stored)), copy == value else {
      throw CoreError.DataSerialization(
        "The column \(table.valueColumn) does not keep values of type \(value.type)")
    }
  }

  /// Puts a list in the place of what the key holds.
  func store(_ values: [SQLiteValue], _ key: String) throws {
    try deleteElements(of: key)
    let rows = try session.rows(table.storeList, [.text(key), .integer(Int64(values.count))])
    guard rows.first?.first == .integer(Int64(values.count)) else { throw ignored }
    for (position, value) in values.enumerated() {
      try session.run(table.storeElement, [.text(key), .integer(Int64(position)), value])
    }
  }

  /// Removes what a key holds.
  func delete(_ key: String) throws {
    try deleteElements(of: key)
    try session.run(table.deleteKey, [.text(key)])
  }

  /// Removes what the keys of a selection hold.
  func delete(_ selection: KeySelection) throws {
    let span = SQLiteEntrySpan(selection, in: table)
    let rows = "(SELECT \(keys(span)) LIMIT ?)"
    let values = span.bounds + [span.limit]
    if table.storesLists {
      try session.run("DELETE FROM \(table.elements) WHERE key IN \(rows)", values)
    }
    try session.run("DELETE FROM \(table.table) WHERE \(table.key) IN \(rows)", values)
  }

  private func deleteElements(of key: String) throws {
    if table.storesLists { try session.run(table.deleteElements, [.text(key)]) }
  }

  /// What a trigger of the table can do.
  private var ignored: SQLiteError {
    SQLiteError(.constraint, "the table \(table.name) does not take the entry")
  }
}

extension SQLiteType {
  /// The name that SQLite's `typeof` answers.
  fileprivate var name: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }
}
