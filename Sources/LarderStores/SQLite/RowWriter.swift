import HarmonySQLite
import LarderModel

/// Changes rows inside a transaction.
///
/// Only columns whose values differ are written, so that neither the type nor the spelling of an
/// untouched one can change. A statement that changes another number of rows than one is an
/// error, which rolls everything back.
struct RowWriter {
  let layout: TableLayout
  let session: SQLiteSession
  let reader: RowReader
  /// The keys that were written so far.
  let written: WrittenKeys
  /// Whether all is rolled back in any case, so that nobody is told of it.
  var isTrial = false
  /// Whether rows come from elsewhere, and have to be what they were there.
  var isImport = false

  init(
    _ layout: TableLayout, _ session: SQLiteSession, written: WrittenKeys = WrittenKeys()
  ) {
    self.layout = layout
    self.session = session
    self.written = written
    reader = RowReader(layout)
  }

  /// Writes a value under a key, if the store holds what it has to.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - request: The key, and what has to be there.
  /// - Returns: The entry as stored, of which triggers may have made another.
  /// - Throws: ``StoreError`` where the store holds something else, or the table refuses the value.
  func put(_ value: StoredValue, _ request: WriteRequest) throws -> Entry {
    let current = try reader.read(request.key, session)
    guard request.condition.allows(current) else { throw StoreError.conflict(current: current) }
    written.add(request.key)
    let value =
      try ValueContents(layout, session)?.stored(value, over: current?.value ?? .null) ?? value
    let fields = try fields(value)
    do {
      guard let current else { return try insert(request.key, fields) }
      let entry = try update(current, with: fields)
      try checkGenerated(value, current, entry)
      return entry
    } catch let error as SQLiteError where error.code == .constraint {
      // What the table takes for the same key exists, as far as it is concerned.
      if current == nil, !isImport,
        let twin = try reader.readAnySpelling(request.key, session), twin.key != request.key
      {
        throw StoreError.conflict(current: twin)
      }
      guard error.extendedCode.isUniqueness else { throw error }
      guard let other = try? owner(ofValuesIn: fields, request.key, over: current) else {
        throw error
      }
      throw StoreError.failed(
        "the database refuses: \(error.message), as the row \(other.spoken) has the same; nothing was "
          + "written")
    }
  }

  /// The key of another row that has what a unique index lets only one have; nil where none is found.
  private func owner(
    ofValuesIn fields: [StoredValue.Field], _ key: EntryKey, over current: Entry?
  ) throws -> EntryKey? {
    let schema = try SchemaRows(session, named: layout.name)
    let keys = Dictionary(
      zip(layout.keyColumns.map(\.name), try layout.values(of: current?.key ?? key))
    ) { $1 }
    func value(_ column: String) throws -> SQLiteValue? {
      let given = fields.first { $0.name.hasBytes(of: column) }?.value
      let value = try (given ?? current?.field(column, layout))
        .map { try SQLiteValue($0, column: column) }
      return value ?? keys[column]
    }
    for index in schema.uniqueIndexes(of: layout.name) {
      let names = index.parts.compactMap(\.name)
      let values = try names.compactMap(value)
      guard names.count == index.parts.count, values.count == names.count else { continue }
      let condition = zip(names, index.parts).map {
        "t.\(SQLiteIdentifier.quoted($0)) = ? COLLATE \(SQLiteIdentifier.quoted($1.collation))"
      }.joined(separator: " AND ")
      let others = try session.rows(
        "SELECT \(layout.keySQL.joined(separator: ", ")) FROM \(layout.target) WHERE \(condition) "
          + "LIMIT 2", values
      ).map { EntryKey(parts: $0) }
      if let other = others.first(where: { $0 != current?.key }) { return other }
    }
    return nil
  }

  /// The columns of a value, without generated ones, which cannot be written.
  private func fields(_ value: StoredValue) throws(StoreError) -> [StoredValue.Field] {
    if layout.isSingleValue, let column = layout.values.first {
      return [StoredValue.Field(column.name, value)]
    }
    guard case .record(let fields) = value else {
      throw .failed(
        "a row of \(layout.name) is a record of its columns, not of type \(value.type.rawValue)"
      )
    }
    var writable: [StoredValue.Field] = []
    for field in fields {
      guard let column = layout.values.first(where: { $0.name.hasBytes(of: field.name) }) else {
        throw .failed("\(layout.name) has no column \"\(field.name)\" outside its key")
      }
      if !column.isGenerated { writable.append(field) }
    }
    return writable
  }

  /// Refuses a value for a generated column that is neither the one it had nor the one it gets.
  private func checkGenerated(
    _ value: StoredValue, _ current: Entry, _ written: Entry
  ) throws(StoreError) {
    guard !layout.isSingleValue, case .record(let fields) = value else { return }
    for column in layout.values where column.isGenerated {
      let given = fields.first { $0.name.hasBytes(of: column.name) }
      guard let given, given.value != current.field(column.name, layout),
        given.value != written.field(column.name, layout)
      else { continue }
      throw .failed(
        "the database computes the column \(column.name) of \(layout.name), which cannot be given "
          + "a value; nothing was written")
    }
  }

  private func update(_ current: Entry, with fields: [StoredValue.Field]) throws -> Entry {
    var changed = fields.filter { field in current.field(field.name, layout) != field.value }
    guard !changed.isEmpty else { return current }
    if !isImport { changed += layout.lens?.besides(changed) ?? [] }
    try checkFile(of: current.key, changed)
    let sets = changed.map { SQLiteIdentifier.quoted($0.name) + " = ?" }.joined(separator: ", ")
    let values = try changed.map { try SQLiteValue($0.value, column: $0.name) }
    try session.run(
      "UPDATE\(layout.orAbort) \(layout.target) SET \(sets) WHERE \(layout.keyCondition)",
      values + layout.values(of: current.key))
    try checkCount("changed", current.key)
    let entry = try stored(reader.read(current.key, session))
    try checkAffinity(entry, current.key, changed, over: current)
    return entry
  }

  /// Refuses keys under which the database would put the row elsewhere, and new ones that do not read
  /// as the types of their columns; what comes from elsewhere may be what it was there.
  func checkKey(_ key: EntryKey) throws(StoreError) {
    // The rowid is a number, wherever the row comes from; for null the database would make up one.
    if !isImport || layout.isKeyedByNumber,
      let fault = layout.keyColumns.map(\.typed).fault(of: key)
    {
      throw .notSupported("\(fault); nothing was written")
    }
    let parts: [EntryKey] = if case .composite(let parts) = key { parts } else { [key] }
    for part in parts {
      if case .real(let number) = part, number.isNaN {
        throw .failed(
          "a part of a key cannot be nan, not a number: the database would store null; "
            + "nothing was written. The text nan is written '\"nan\"'")
      }
    }
  }

  private func insert(_ key: EntryKey, _ fields: [StoredValue.Field]) throws -> Entry {
    try checkKey(key)
    try checkFile(of: key, fields)
    // A row of elsewhere stays what it was there.
    let lens = isImport ? nil : layout.lens
    try lens?.check(key, inPlaceOf: nil)
    let defaults = lens?.defaults ?? [:]
    let missing = defaults.filter { name, _ in !fields.contains { $0.name == name } }
    let names =
      layout.keyNames + (fields.map(\.name) + missing.keys).map(SQLiteIdentifier.quoted)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let values =
      try layout.values(of: key) + fields.map { try SQLiteValue($0.value, column: $0.name) }
      + missing.values.map(\.value)
    try session.run(
      "INSERT\(layout.orAbort) INTO main.\(SQLiteIdentifier.quoted(layout.name)) "
        + "(\(names.joined(separator: ", "))) VALUES (\(marks))", values)
    try checkCount("added", key)
    let entry =
      if let rowid = layout.rowid {
        try stored(reader.read(rowid: session.lastInsertedRow, named: rowid, session))
      } else {
        try stored(reader.readAnySpelling(key, session))
      }
    try checkAffinity(entry, key, fields)
    return entry
  }

  /// Makes sure that the last statement changed the rows that it had to, and no others.
  func checkCount(_ verb: String, _ key: EntryKey, _ expected: Int = 1) throws(StoreError) {
    let count = session.changes
    guard count != expected else { return }
    throw .failed(
      count < expected
        ? "the database kept the entry \(key.spoken) from being \(verb); nothing was written"
        : "\(count) rows have the key \(key.spoken), and one only may be \(verb); "
          + "nothing was written")
  }

  func stored(_ entry: Entry?) throws(StoreError) -> Entry {
    guard let entry else {
      throw .failed("a trigger of the database removed or renamed the entry; nothing was written")
    }
    return entry
  }
}

extension Entry {
  /// The value of a column of the row, or nil where it has no such column.
  func field(_ name: String, _ layout: TableLayout) -> StoredValue? {
    layout.isSingleValue ? value : value?.field(name)
  }
}

extension RowWriter {
  /// Makes several changes, in the transaction of the caller.
  ///
  /// - Returns: The entries that were written, as stored.
  func make(_ query: ChangesQuery) throws -> [Entry] {
    let changes = query.changes
    var writer = self
    writer.isImport = isImport || query.areExact
    // A row may name another that comes later; at the end all that are named have to be there.
    if changes.count > 1 { try session.run("PRAGMA defer_foreign_keys = ON") }
    var written: [Entry] = []
    var count = 0
    let areChecked = try checkDeletions(changes)
    // What refers to a row that goes may refer to another one once all is written.
    let deletesLast = try changes.count > 1 && ForeignKey.haveActions(on: layout.name, session)
    let ordered =
      deletesLast
      ? changes.filter { $0.value != nil } + changes.filter { $0.value == nil } : changes
    do {
      for change in ordered {
        try report(count, to: query.scan)
        if let value = change.value {
          written.append(try writer.put(value, WriteRequest(change)))
        } else {
          try delete(change.key, areChecked ? .anything : WriteRequest(change).condition)
        }
        count += 1
      }
    } catch {
      query.scan?.reportRollback()
      throw error
    }
    return written
  }

  /// Says how many changes are made: none where all is only tried.
  private func report(_ count: Int, to scan: Scan?) throws {
    if isTrial { try scan?.reportWaiting() } else { try scan?.reportChanged(count) }
  }

  /// Makes sure that rows that are going to be deleted are what they have to be, where the deletion
  /// of one may change another: a trigger is no reason to keep what was named.
  ///
  /// - Returns: Whether that was looked at, and holds until the transaction ends.
  private func checkDeletions(_ changes: [EntryChange]) throws -> Bool {
    let deletions = changes.filter { $0.value == nil }
    guard changes.count > 1, !deletions.isEmpty,
      try SideEffects(of: layout, session).arePossible
    else { return false }
    for deletion in deletions {
      let current = try reader.read(deletion.key, session)
      guard WriteRequest(deletion).condition.allows(current) else {
        throw StoreError.conflict(current: current)
      }
    }
    return true
  }

  /// Gives entries other keys, in the transaction of the caller.
  ///
  /// - Returns: The entries under their new keys.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) throws -> [Entry] {
    try renames.inOrder().enumerated().map { count, rename in
      try report(count, to: scan)
      let current = try reader.read(rename.entryKey, session)
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      if let taken = try reader.read(rename.newKey, session) {
        throw StoreError.conflict(current: taken)
      }
      return try self.rename(current, to: rename.newKey)
    }
  }

  private func rename(_ entry: Entry, to key: EntryKey) throws -> Entry {
    try checkKey(key)
    try layout.lens?.check(key, inPlaceOf: entry.key)
    let sets = layout.keyNames.map { $0 + " = ?" }
    let values = try layout.values(of: key)
    let old = try layout.values(of: entry.key)
    try session.run(
      "UPDATE\(layout.orAbort) \(layout.target) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(layout.keyCondition)", values + old)
    try checkCount("renamed", entry.key)
    // The column may have made another type of the key, which is looked at below.
    let written = try stored(reader.readAnySpelling(key, session))
    try checkAffinity(written, key, [], over: entry)
    return written
  }
}

extension RowWriter {
  /// Writes the entries of a stream, in the transaction of the caller.
  ///
  /// - Returns: How many entries were written.
  func take(_ query: ImportQuery) throws -> Int {
    // Rows may name others that come later, of the same table.
    try session.run("PRAGMA defer_foreign_keys = ON")
    var writer = self
    writer.isImport = true
    var count = 0
    while let entries = try query.next() {
      for var entry in entries {
        let value = try layout.value(
          Entry.valueToWrite(entry), counting: entry.expires, session)
        entry.value = value
        let current = try reader.read(entry.key, session)
        let change = try entry.importChange(over: current, replaces: query.replaces)
        guard let change else { continue }
        _ = try writer.put(value, WriteRequest(change))
        count += 1
      }
    }
    return count
  }
}
