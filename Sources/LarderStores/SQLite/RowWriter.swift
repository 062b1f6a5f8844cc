import HarmonySQLite
import LarderModel

/// Changes rows inside a transaction.
///
/// Only columns whose values differ are written, so that neither the type nor the spelling of the
/// others can change. If a statement changes an unexpected number of rows, an error rolls
/// everything back.
struct RowWriter {
  let layout: TableLayout
  let session: SQLiteSession
  let reader: RowReader
  /// The keys that have been written so far.
  let written: WrittenKeys
  /// Whether rows come from another store and have to be stored exactly as they were there.
  var isImport = false

  init(
    _ layout: TableLayout, _ session: SQLiteSession, written: WrittenKeys = WrittenKeys()
  ) {
    self.layout = layout
    self.session = session
    self.written = written
    reader = RowReader(layout)
  }

  /// Writes a value under a key, if the store meets the condition.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - request: The key and the condition.
  /// - Returns: The entry as stored, which triggers may have changed.
  /// - Throws: ``StoreError`` if the condition is not met, or the table refuses the value.
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
      // The table may treat another spelling as the same key.
      if current == nil, !isImport,
        let twin = try reader.readAnySpelling(request.key, session), twin.key != request.key
      {
        throw StoreError.conflict(current: twin)
      }
      guard error.extendedCode.isUniqueness else { throw error }
      guard let other = try? owner(ofValuesIn: fields, over: current, error) else { throw error }
      throw StoreError.notUnique(error.message, as: other)
    }
  }

  /// Returns the key of another row with the values that an error says are to be unique, if any.
  private func owner(
    ofValuesIn fields: [StoredValue.Field], over current: Entry?, _ error: SQLiteError
  ) throws -> EntryKey? {
    // Such as `UNIQUE constraint failed: t.a, t.b`.
    let names = error.message.split(separator: ": ").last?.split(separator: ", ") ?? []
    let columns = layout.values.filter { names.contains("\(layout.name).\($0.storedName)") }
    guard !columns.isEmpty, columns.count == names.count else { return nil }
    let values = try columns.map { column in
      let given = fields.first { $0.name.hasBytes(of: column.name) }?.value
      return try SQLiteValue(
        given ?? current?.field(column.name, layout) ?? .null, column: column.name)
    }
    let condition = columns.map { "\($0.sql) = ?" }.joined(separator: " AND ")
    return try session.rows(
      "SELECT \(layout.keySQL.joined(separator: ", ")) FROM \(layout.target) WHERE \(condition) "
        + "LIMIT 2", values
    ).map { EntryKey(parts: $0) }.first { $0 != current?.key }
  }

  /// Returns the columns of a value without generated ones, which cannot be written.
  private func fields(_ value: StoredValue) throws(StoreError) -> [StoredValue.Field] {
    if layout.isSingleValue, let column = layout.values.first {
      return [StoredValue.Field(column.name, value)]
    }
    guard case .record(let fields) = value else {
      throw .notRecord(layout.name, value.type)
    }
    var writable: [StoredValue.Field] = []
    for field in fields {
      guard let column = layout.values.first(where: { $0.name.hasBytes(of: field.name) }) else {
        throw .noValueColumn(field.name, in: layout.name)
      }
      if !column.isGenerated { writable.append(field) }
    }
    return writable
  }

  /// Refuses a value for a generated column that is neither its old value nor its new one.
  private func checkGenerated(
    _ value: StoredValue, _ current: Entry, _ written: Entry
  ) throws(StoreError) {
    guard !layout.isSingleValue, case .record(let fields) = value else { return }
    for column in layout.values where column.isGenerated {
      let given = fields.first { $0.name.hasBytes(of: column.name) }
      guard let given, given.value != current.field(column.name, layout),
        given.value != written.field(column.name, layout)
      else { continue }
      throw .computed(column.name, of: layout.name)
    }
  }

  private func update(_ current: Entry, with fields: [StoredValue.Field]) throws -> Entry {
    var changed = fields.filter { field in current.field(field.name, layout) != field.value }
    guard !changed.isEmpty else { return current }
    if !isImport {
      changed += layout.lens?.besides(changed) ?? []
      changed = try layout.lens?.encoded(changed) ?? changed
    }
    try layout.lens?.check(changed, over: current.value)
    try checkFile(of: current.key, changed, over: current)
    let tables = Dictionary(grouping: changed) { layout.column($0.name)?.join }
    for (join, fields) in tables { try set(fields, join, of: current.key) }
    let entry = try stored(reader.read(current.key, session))
    try checkAffinity(entry, current.key, changed, over: current)
    return entry
  }

  /// Sets columns of a row that are in the table itself or in a joined one.
  private func set(
    _ fields: [StoredValue.Field], _ join: TableLayout.Joined?, of key: EntryKey
  ) throws {
    var sets = fields.map {
      SQLiteIdentifier.quoted(layout.storedName($0.name)) + " = ?"
    }.joined(separator: ", ")
    if join == nil, let version = layout.lens?.version.map(SQLiteIdentifier.quoted) {
      sets += ", \(version) = coalesce(\(version), 0) + 1"
    }
    let values =
      try fields.map { try SQLiteValue($0.value, column: $0.name) } + layout.values(of: key)
    if let join {
      try session.run(
        "UPDATE main.\(SQLiteIdentifier.quoted(join.table)) SET \(sets) WHERE \(join.column) = "
          + "(SELECT t.\(join.column) FROM \(layout.from) WHERE \(layout.keyCondition))", values)
    } else {
      try session.run(
        "UPDATE\(layout.orAbort) \(layout.target) SET \(sets) WHERE \(layout.keyCondition)", values)
    }
    try checkCount("changed", key)
  }

  /// Refuses keys under which the database would store the row elsewhere, and new keys that do not
  /// fit the types of their columns.
  ///
  /// Imported keys may be as they were in the other store.
  func checkKey(_ key: EntryKey) throws(StoreError) {
    // A rowid is a number even in imported rows; for NULL, the database would choose one.
    if !isImport || layout.isKeyedByNumber,
      let fault = layout.keyColumns.map(\.typed).fault(of: key)
    {
      throw .invalidKey(fault)
    }
    let parts: [EntryKey] = if case .composite(let parts) = key { parts } else { [key] }
    for part in parts {
      if case .real(let number) = part, number.isNaN {
        throw .keyNaN
      }
    }
  }

  private func insert(_ key: EntryKey, _ fields: [StoredValue.Field]) throws -> Entry {
    try checkKey(key)
    try layout.lens?.check(fields)
    try checkFile(of: key, fields)
    // An imported row stays as it was in the other store.
    let lens = isImport && layout.lens?.takesNewRows != false ? nil : layout.lens
    try lens?.check(key, inPlaceOf: nil)
    let all = fields + (lens?.besides(fields) ?? [])
    let fields = try lens?.encoded(all) ?? all
    let missing = (lens?.defaults ?? [:]).filter { name, _ in
      layout.column(name) != nil && !fields.contains { $0.name == name }
    }
    let names =
      layout.keyNames
      + (fields.map(\.name) + missing.keys).map { SQLiteIdentifier.quoted(layout.storedName($0)) }
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

  /// Checks that the last statement changed the expected number of rows.
  func checkCount(_ verb: String, _ key: EntryKey, _ expected: Int = 1) throws(StoreError) {
    let count = session.changes
    guard count != expected else { return }
    throw count < expected ? .unaffected(key, verb) : .ambiguous(key, count: count, verb)
  }

  func stored(_ entry: Entry?) throws(StoreError) -> Entry {
    guard let entry else { throw .removedByTrigger }
    return entry
  }
}

extension Entry {
  /// Returns the value of a column of the row; nil if there is no such column.
  func field(_ name: String, _ layout: TableLayout) -> StoredValue? {
    layout.isSingleValue ? value : value?.field(name)
  }
}

extension RowWriter {
  /// Makes several changes in the caller's transaction.
  ///
  /// - Returns: The entries that were written, as stored.
  func make(_ query: ChangesQuery) throws -> [Entry] {
    let changes = query.changes
    var writer = self
    writer.isImport = isImport || query.areExact
    var written: [Entry] = []
    var count = 0
    let areChecked = try checkDeletions(changes)
    // A row that refers to one to be deleted may refer to another once everything is written.
    let deletesLast = try changes.count > 1 && ForeignKey.haveActions(on: layout.name, session)
    let ordered =
      deletesLast
      ? changes.filter { $0.value != nil } + changes.filter { $0.value == nil } : changes
    do {
      for change in ordered {
        try query.scan?.reportChanged(count)
        try blaming(change.key, query.scan) {
          if let value = change.value {
            written.append(try writer.put(value, WriteRequest(change)))
          } else {
            try delete(change.key, areChecked ? .anything : WriteRequest(change).condition)
          }
        }
        count += 1
      }
    } catch {
      query.scan?.reportRollback()
      throw error
    }
    return written
  }

  /// Changes one of several rows, and reports it as the one at fault if the database refuses it.
  private func blaming<Value>(
    _ key: EntryKey, _ scan: Scan?, _ body: () throws -> Value
  ) throws -> Value {
    try scan.blaming(
      key,
      if: { error in
        // Other errors, such as that of a full disk, concern the database as a whole.
        guard let error = error as? SQLiteError else { return true }
        return [.constraint, .mismatch, .tooBig, .error].contains(error.code)
      }, body)
  }

  /// Checks the conditions of all deletions in advance, if one may change the row of another: side
  /// effects must not cause a conflict with a row that is named.
  ///
  /// - Returns: Whether they were checked; then they hold until the transaction ends.
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

  /// Renames entries in the caller's transaction.
  ///
  /// - Returns: The entries under their new keys.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) throws -> [Entry] {
    try renames.inOrder().enumerated().map { count, rename in
      try scan?.reportChanged(count)
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
    try layout.lens?.checkEncryption(
      of: entry, renamedTo: key, layout.keyColumns.map(\.name))
    let sets = layout.keyNames.map { $0 + " = ?" }
    let values = try layout.values(of: key)
    let old = try layout.values(of: entry.key)
    try session.run(
      "UPDATE\(layout.orAbort) \(layout.target) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(layout.keyCondition)", values + old)
    try checkCount("renamed", entry.key)
    // The column may have converted the key, which is checked below.
    let written = try stored(reader.readAnySpelling(key, session))
    try checkAffinity(written, key, [], over: entry)
    return written
  }
}

extension RowWriter {
  /// Imports the entries of a stream in the caller's transaction.
  ///
  /// - Returns: The number of entries that were written.
  func take(_ query: ImportQuery) throws -> Int {
    var writer = self
    writer.isImport = true
    var count = 0
    while let entries = try query.next() {
      for var entry in entries {
        let isWritten = try blaming(entry.key, query.scan) {
          let current = try reader.read(entry.key, session)
          let value = try layout.value(
            Entry.valueToWrite(entry), over: current?.value, counting: entry.expires, session)
          entry.value = value
          let change = try entry.importChange(over: current, replaces: query.replaces)
          guard let change else { return false }
          _ = try writer.put(value, WriteRequest(change))
          return true
        }
        if isWritten { count += 1 }
      }
    }
    return count
  }
}
