import CSQLite

/// The row changes made by a closure.
public struct SQLiteRecording: Sendable {
  /// The changes; nil if they exceed the limit, could not be read, or are in a table whose rows
  /// cannot be identified because its columns hide every name of the rowid.
  public let changeset: SQLiteChangeset?
  /// The numbers of rows that only triggers and foreign keys changed, by table.
  ///
  /// Rows that are unchanged in the end and shadow tables do not count.
  public let sideEffects: [String: Int]
  /// Whether the changeset is nil because it would exceed the limit.
  public let isTooLarge: Bool
}

extension SQLiteSession {
  /// Whether the SQLite library supports recording changes, which is a compile-time option.
  public static var recordsChanges: Bool { cs_has_preupdate() != 0 }

  /// Runs a closure in the caller's transaction and records every row that it changes.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes to record; nil to record only the numbers of side
  ///     effects.
  ///   - onChange: Called before each row that a statement changes directly, with the number of
  ///     such rows so far.
  ///   - body: Changes rows. It must not change the schema or record changes itself.
  /// - Returns: The result of the closure, and the recording; nil if the library does not support
  ///   it.
  /// - Throws: The error of the closure, and ``SQLiteError`` if the schema or a row cannot be read.
  public func recordingChanges<Result>(
    limit: Int?, onChange: @escaping (Int) -> Void = { _ in }, _ body: () throws -> Result
  ) throws -> (result: Result, recording: SQLiteRecording?) {
    guard Self.recordsChanges else { return (try body(), nil) }
    let recorder = SQLiteChangeRecorder(
      keyed: try tablesWithoutRowid(), limit: limit, encoding: encoding, handle: handle,
      onChange: onChange)
    let sequences = try limit == nil ? [:] : sequences()
    let result = try recorder.observe(handle) {
      let result = try body()
      // Virtual tables flush their pending changes when a savepoint begins.
      try savepoint {}
      return result
    }
    var recording = try recorder.finish(self)
    if var changeset = recording.changeset {
      let now = try self.sequences()
      changeset.sequences = Set(sequences.keys).union(now.keys).sorted().compactMap { table in
        sequences[table] == now[table]
          ? nil
          : SQLiteChangeset.Sequence(table: table, before: sequences[table], after: now[table])
      }
      recording = SQLiteRecording(
        changeset: changeset, sideEffects: recording.sideEffects, isTooLarge: false)
    }
    return (result, recording)
  }

  /// Returns the last rowids of tables with `AUTOINCREMENT`, by table.
  func sequences() throws(SQLiteError) -> [String: Int64] {
    guard
      try !rows("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'").isEmpty
    else { return [:] }
    var numbers: [String: Int64] = [:]
    for row in try rows("SELECT name, seq FROM main.sqlite_sequence") {
      if case .text(let name) = row[0], case .integer(let number) = row[1] {
        numbers[name] = number
      }
    }
    return numbers
  }

  /// Returns the tables without rowids, which have to be known before their rows are changed.
  private func tablesWithoutRowid() throws(SQLiteError) -> [[UInt8]: SQLiteStoredTable] {
    // Few tables match; the library could otherwise report this only by listing every table.
    let names = try rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%WITHOUT%ROWID%'")
    var tables: [[UInt8]: SQLiteStoredTable] = [:]
    for row in names {
      guard case .text(let name)? = row.first, let table = try SQLiteStoredTable(name, self),
        table.isWithoutRowid
      else { continue }
      tables[Array(name.utf8)] = table
    }
    return tables
  }
}

/// A recorder of the rows that a connection is about to change.
///
/// SQLite calls it in the middle of a statement, when the database cannot be queried. Therefore it
/// stores the columns of old rows as it receives them, and ``finish(_:)`` processes them
/// afterwards.
final class SQLiteChangeRecorder {
  private let keyed: [[UInt8]: SQLiteStoredTable]
  private let limit: Int?
  private let encoding: SQLiteEncoding
  private let onChange: (Int) -> Void
  /// The value that represents a column added after a row was stored.
  private let absent: OpaquePointer?
  private let probe: SQLiteStatement?

  private struct Slot {
    let table: Int
    let place: SQLiteChangeset.Place
    var before: [UInt8]?
    let wasThere: Bool
    var isThere: Bool
    var isDirect: Bool
    /// Whether a side effect inserted or deleted a row in the place of one that a statement
    /// changed.
    var hasOther: Bool
  }

  private struct Place: Hashable {
    let table: Int
    let place: SQLiteChangeset.Place
  }

  /// The maximum number of rows to track if only side effects are counted.
  private static let maximumCount = 100_000
  /// The maximum number of bytes to store if only side effects are counted.
  private static let comparedSize = 16 << 20

  private var names: [String] = []
  /// The tables without rowids by index; nil for other tables.
  private var keyedTables: [SQLiteStoredTable?] = []
  /// The indices of the table names by their bytes: canonically equivalent names may differ.
  private var tables: [[UInt8]: Int] = [:]
  private var lastName: UnsafePointer<CChar>?
  private var lastTable = 0
  private var slots: [Slot] = []
  private var indexes: [Place: Int] = [:]
  private var size = 0
  private var directCount = 0
  private var isOverfull = false
  /// Whether any row was stored before a column was added.
  private var hasAbsent = false

  init(
    keyed: [[UInt8]: SQLiteStoredTable], limit: Int?, encoding: SQLiteEncoding,
    handle: OpaquePointer, onChange: @escaping (Int) -> Void
  ) {
    self.keyed = keyed
    self.onChange = onChange
    self.limit = limit
    self.encoding = encoding
    // A statement returns the same value for a column that does not exist.
    probe = try? SQLiteStatement(handle, "SELECT 1")
    _ = try? probe?.step()
    absent = probe.flatMap { sqlite3_column_value($0.handle, 1) }
    probe?.reset()
  }

  func observe<Result>(_ handle: OpaquePointer, _ body: () throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      let context = Unmanaged.passUnretained(self).toOpaque()
      _ = sqlite3_preupdate_hook(
        handle,
        { context, handle, operation, database, table, old, new in
          guard let context, let handle, let table, let database,
            String(cString: database) == "main"
          else { return }
          Unmanaged<SQLiteChangeRecorder>.fromOpaque(context).takeUnretainedValue()
            .note(handle, operation, table, old, new)
        }, context)
      defer { _ = sqlite3_preupdate_hook(handle, nil, nil) }
      return try body()
    }
  }

  private func note(
    _ handle: OpaquePointer, _ operation: Int32, _ name: UnsafePointer<CChar>, _ old: Int64,
    _ new: Int64
  ) {
    // A change that exceeds the limit is rejected, so the rest need not be recorded.
    if isOverfull { return }
    let table = index(of: name)
    let isDirect = sqlite3_preupdate_depth(handle) == 0
    if isDirect {
      onChange(directCount)
      directCount += 1
    }
    let stored = keyedTables[table]
    func place(isNew: Bool) -> SQLiteChangeset.Place? {
      guard let stored else { return .rowid(isNew ? new : old) }
      let key = stored.key(handle, isNew: isNew, isUpdate: operation == SQLITE_UPDATE, encoding)
      if key == nil { overflow() }
      return key.map { .key($0) }
    }
    switch operation {
    case SQLITE_INSERT:
      guard let place = place(isNew: true) else { return }
      mark(table, place, wasThere: false, isThere: true, isDirect, isOther: !isDirect) { nil }
    case SQLITE_DELETE:
      guard let place = place(isNew: false) else { return }
      mark(table, place, wasThere: true, isThere: false, isDirect, isOther: !isDirect) {
        self.row(handle)
      }
    default:
      guard let from = place(isNew: false), let to = place(isNew: true) else { return }
      mark(table, from, wasThere: true, isThere: from == to, isDirect) { self.row(handle) }
      if from != to { mark(table, to, wasThere: false, isThere: true, isDirect) { nil } }
    }
  }

  private func index(of name: UnsafePointer<CChar>) -> Int {
    // Consecutive rows mostly belong to the same table, with the same pointer to its name.
    if name == lastName { return lastTable }
    let text = String(cString: name)
    let bytes = Array(text.utf8)
    let index = tables[bytes] ?? names.count
    if index == names.count {
      names.append(text)
      keyedTables.append(keyed[bytes])
      tables[bytes] = index
    }
    (lastName, lastTable) = (name, index)
    return index
  }

  private func mark(
    _ table: Int, _ place: SQLiteChangeset.Place, wasThere: Bool, isThere: Bool, _ isDirect: Bool,
    isOther: Bool = false, _ row: () -> [UInt8]?
  ) {
    let key = Place(table: table, place: place)
    if let index = indexes[key] {
      slots[index].isThere = isThere
      slots[index].isDirect = slots[index].isDirect || isDirect
      slots[index].hasOther = slots[index].hasOther || isOther
      return
    }
    // Counting stops at the maximum.
    if limit == nil, slots.count >= Self.maximumCount { return }
    var before: [UInt8]?
    if !isOverfull, limit != nil || !isDirect {
      before = row()
      size += (before?.count ?? 0) + place.size
      if let limit, size > limit { overflow() }
      if isOverfull { before = nil }
    }
    indexes[key] = slots.count
    slots.append(
      Slot(
        table: table, place: place, before: before, wasThere: wasThere, isThere: isThere,
        isDirect: isDirect, hasOther: isOther))
  }

  /// Returns the number of bytes of a text or blob, which may be too large to copy.
  private func size(of cell: OpaquePointer?) -> Int {
    // Requesting the size in another encoding would convert the text.
    switch (sqlite3_value_type(cell), encoding) {
    case (SQLITE_BLOB, _), (SQLITE_TEXT, .utf8): Int(sqlite3_value_bytes(cell))
    case (SQLITE_TEXT, .utf16): Int(sqlite3_value_bytes16(cell))
    default: 0
    }
  }

  /// Discards the recorded rows, because the recording is incomplete.
  private func overflow() {
    isOverfull = true
    for index in slots.indices { slots[index].before = nil }
  }

  /// Returns the columns of the row that is about to change, in the order of the hook; nil if they
  /// exceed the remaining limit.
  private func row(_ handle: OpaquePointer) -> [UInt8]? {
    var writer = SQLiteRowWriter()
    for index in 0..<sqlite3_preupdate_count(handle) {
      var cell: OpaquePointer?
      let result = sqlite3_preupdate_old(handle, index, &cell)
      if result == SQLITE_RANGE { continue }
      guard result == SQLITE_OK else {
        overflow()
        return nil
      }
      if writer.bytes.count + size(of: cell) > (limit ?? Self.comparedSize) - size {
        if limit != nil { overflow() }
        return nil
      }
      if cell == absent {
        writer.bytes.append(SQLiteRowWriter.Tag.absent.rawValue)
        hasAbsent = true
      } else {
        writer.append(cell, encoding, isReal: false)
      }
    }
    return writer.bytes
  }

  /// Returns whether a row has changed, or may have.
  private func isChanged(
    _ slot: Slot, _ table: SQLiteStoredTable?, _ session: SQLiteSession
  ) throws -> Bool {
    guard slot.wasThere == slot.isThere else { return true }
    guard slot.isThere else { return false }
    guard let before = slot.before, let table, table.canBeRead,
      let row = try table.row(at: slot.place, session)
    else { return true }
    return try row.columns != table.storedRow(before, hasAll: !hasAbsent)
  }

  /// Reads the current rows and creates the recording.
  func finish(_ session: SQLiteSession) throws -> SQLiteRecording {
    var sideEffects: [String: Int] = [:]
    var stored: [SQLiteStoredTable?] = []
    for (name, table) in zip(names, keyedTables) {
      stored.append(try table ?? SQLiteStoredTable(name, session))
    }
    for slot in slots
    where (!slot.isDirect || slot.hasOther) && stored[slot.table]?.isShadow != true {
      guard try isChanged(slot, stored[slot.table], session) else { continue }
      sideEffects[names[slot.table], default: 0] += 1
    }
    guard let limit, !isOverfull, !stored.contains(where: { $0?.canBeRead != true }) else {
      return SQLiteRecording(changeset: nil, sideEffects: sideEffects, isTooLarge: isOverfull)
    }
    var changeset = SQLiteChangeset()
    changeset.tables = stored.compactMap { $0?.table }
    changeset.slots.reserveCapacity(slots.count)
    var indexes: [Place: Int] = [:]
    func note(
      _ row: SQLiteChangeset.Row, isAfter: Bool, of slot: Slot, _ table: SQLiteStoredTable
    ) {
      let place = table.place(of: row) ?? slot.place
      let index = indexes[Place(table: slot.table, place: place), default: changeset.slots.count]
      if index == changeset.slots.count {
        indexes[Place(table: slot.table, place: place)] = index
        changeset.slots.append(
          SQLiteChangeset.Slot(
            table: slot.table, place: place, before: nil, after: nil, isDirect: slot.isDirect))
      }
      if isAfter { changeset.slots[index].after = row } else { changeset.slots[index].before = row }
      if slot.isDirect { changeset.slots[index].isDirect = true }
    }
    for slot in slots {
      guard let table = stored[slot.table] else { continue }
      if let before = slot.before {
        let rowid: Int64? = if case .rowid(let number) = slot.place { number } else { nil }
        let row = try table.storedRow(before, hasAll: !hasAbsent)
        note(SQLiteChangeset.Row(columns: row, rowid: rowid), isAfter: false, of: slot, table)
      }
      if slot.isThere, let row = try table.row(at: slot.place, session) {
        size += row.columns.count
        guard size <= limit else {
          return SQLiteRecording(changeset: nil, sideEffects: sideEffects, isTooLarge: true)
        }
        note(row, isAfter: true, of: slot, table)
      }
    }
    // A row that was deleted and inserted again unchanged is not a change.
    changeset.slots.removeAll { $0.before == $0.after }
    return SQLiteRecording(changeset: changeset, sideEffects: sideEffects, isTooLarge: false)
  }
}
