import Harmony

/// The entries of a table during a transaction.
struct SQLiteEntryStore<T: Sendable> {
  let session: SQLiteSession
  let path: String
  let table: SQLiteEntryTable
  let codec: SQLiteCodec<T>

  // MARK: Reading

  /// Returns the single value of a key.
  func value(_ key: String) throws -> T {
    let rows = try session.rows(table.entryOfKey, [.text(key)])
    guard let row = rows.first else { throw CoreError.NotFound() }
    guard row[1] == .null else { throw CoreError.NotFound.listForValue }
    return try decode(row[0], of: .text(key))
  }

  /// Returns the list of a key.
  func list(_ key: String) throws -> [T] {
    let rows = try session.rows(table.entryOfKey, [.text(key)])
    guard let row = rows.first else { throw CoreError.NotFound() }
    guard row[1] != .null else { throw CoreError.NotFound.valueForList }
    return try elements(of: .text(key), count: row[1])
  }

  /// Returns the values of a selection, with lists flattened.
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
        values.append(try decode(statement.value(at: 1), of: statement.value(at: 0)))
      } else {
        values += try elements(of: statement.value(at: 0), count: count)
      }
    }
    return values
  }

  /// Returns the keys of a selection.
  func keys(_ selection: KeySelection) throws -> [String] {
    let span = SQLiteEntrySpan(selection, in: table)
    let statement = try session.statement(
      "SELECT \(keys(span)) LIMIT ?", span.bounds + [span.limit])
    var keys: [String] = []
    while try statement.step() {
      guard let key = statement.text(at: 0) else {
        throw damage(EntryDamage.key, of: statement.value(at: 0))
      }
      keys.append(key)
    }
    return keys
  }

  /// Returns the number of keys of a selection.
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
      throw damage(EntryDamage.list, of: key)
    }
    return try values.map { try decode($0[0], of: key) }
  }

  /// Decodes the value of a key; an error contains the key.
  private func decode(_ value: SQLiteValue, of key: SQLiteValue) throws -> T {
    do {
      return try codec.decode(value)
    } catch let error as CoreError.DataSerialization {
      throw damage(error.description, of: key)
    }
  }

  /// Returns the error of a damaged entry, with everything needed to find it.
  private func damage(_ sentence: String, of key: SQLiteValue) -> CoreError.DataSerialization {
    let name =
      switch key {
      case .text(let text): text.debugDescription
      case .malformedText(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
      default: "of type \(key.type)"
      }
    return CoreError.DataSerialization(
      "\(sentence): table \(PathName(table.name)) of \(PathName(path)), key \(name)")
  }

  private func keys(_ span: SQLiteEntrySpan) -> String {
    "\(table.key) FROM \(table.table) WHERE \(span.condition) \(span.order)"
  }

  // MARK: Writing

  /// Replaces the content of a key with a value.
  func store(_ value: SQLiteValue, _ key: String) throws {
    try deleteElements(of: key)
    let rows = try session.rows(table.storeValue, [.text(key), value])
    guard let type = rows.first?.first else { throw ignored }
    guard type != .text(value.type.name) else { return }
    // The affinity of the column has converted the value, which may be harmless.
    let stored = try session.rows(table.entryOfKey, [.text(key)]).first?.first ?? .null
    guard let copy = try? codec.encode(codec.decode(stored)), copy == value else {
      throw CoreError.DataSerialization.converted(by: table.valueColumn, "\(value.type)")
    }
  }

  /// Replaces the content of a key with a list.
  func store(_ values: [SQLiteValue], _ key: String) throws {
    try deleteElements(of: key)
    let rows = try session.rows(table.storeList, [.text(key), .integer(Int64(values.count))])
    guard rows.first?.first == .integer(Int64(values.count)) else { throw ignored }
    for (position, value) in values.enumerated() {
      try session.run(table.storeElement, [.text(key), .integer(Int64(position)), value])
    }
  }

  /// Removes the content of a key.
  func delete(_ key: String) throws {
    try deleteElements(of: key)
    try session.run(table.deleteKey, [.text(key)])
  }

  /// Removes the content of the keys of a selection.
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

  /// The error if a trigger of the table has prevented a write.
  private var ignored: SQLiteError {
    .ignored(by: table.name)
  }
}

extension SQLiteType {
  /// The name that SQLite's `typeof` returns.
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
