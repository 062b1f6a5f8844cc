import CSQLite

extension SQLiteSession {
  /// Runs a closure in a transaction that writes rows as they are: no triggers fire, and neither
  /// foreign keys nor `CHECK` constraints are enforced.
  ///
  /// The connection is closed after the operation that this call belongs to. This restores all
  /// settings even after an error, and makes virtual tables discard the data they have cached.
  ///
  /// - Throws: The errors of ``write(_:)``.
  public func writeAsIs<Result>(_ body: () throws -> Result) throws -> Result {
    isStale = true
    setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    setFlag(SQLITE_DBCONFIG_DEFENSIVE, false)
    try run("PRAGMA ignore_check_constraints = ON")
    return try withForeignKeys(false) { try write(body) }
  }

  /// Reverts or reapplies a changeset, if every row is as the changeset left it.
  ///
  /// Call this in ``writeAsIs(_:)``. All rows are compared before the first one is written.
  ///
  /// - Parameters:
  ///   - changeset: The changes.
  ///   - direction: Whether to revert or reapply them.
  /// - Returns: The rows changed only by side effects that have been changed since and are left as
  ///   they are, and the rows that were restored with another rowid.
  /// - Throws: ``SQLiteChangesetConflict`` if a row that a statement had changed is not as the
  ///   changeset left it, or another row has the key of one that side effects had deleted or a
  ///   value that a unique index allows only once; ``SQLiteError`` if the database rejects a row.
  public func apply(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction
  ) throws -> [SQLiteChangesetConflict] {
    var writes: [SlotWrite] = []
    var conflicts: [SQLiteChangesetConflict] = []
    let indexes = try virtualTables(of: changeset)
    var outdated: Set<String> = []
    try compare(changeset, direction, trustsKeys: true) { slot, result in
      switch result {
      case .success(let write): writes.append(write)
      case .failure(let conflict):
        if let index = indexes[slot.table], conflict.reason == .rowChanged {
          outdated.insert(index)
        } else if slot.isDirect || conflict.reason == .keyTaken {
          throw conflict
        } else {
          conflicts.append(conflict)
        }
      }
    }
    // The rows of a full-text index also contain later changes, so the index is rebuilt.
    if !outdated.isEmpty {
      writes.removeAll { write in indexes[write.slotTable].map(outdated.contains) == true }
    }
    let numbers = try sequences()
    do {
      conflicts += try replace(writes)
    } catch  where error is SQLiteChangesetConflict || (error as? SQLiteError)?.code == .constraint
    {
      // A row may have taken the key of one that was to be restored.
      try compare(changeset, direction) { slot, result in
        if slot.isDirect { _ = try result.get() }
      }
      throw error
    }
    try restore(changeset.sequences, direction, numbers)
    for index in outdated.sorted() { try rebuild(index) }
    return conflicts
  }

  /// Returns the virtual tables of the shadow tables that contain only an index, by the indices of
  /// those.
  private func virtualTables(of changeset: SQLiteChangeset) throws(SQLiteError) -> [Int: String] {
    guard changeset.tables.contains(where: \.isShadow) else { return [:] }
    let names = try rows(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"
    ).compactMap { row in if case .text(let name)? = row.first { name } else { nil } }
    var found: [Int: String] = [:]
    for (place, table) in changeset.tables.enumerated()
    where table.isShadow && !table.name.hasSuffix("_content") {
      found[place] = names.filter { table.name.hasPrefix($0 + "_") }.max { $0.count < $1.count }
    }
    return found
  }

  /// Rebuilds the index of a virtual table from its content.
  private func rebuild(_ table: String) throws {
    let name = SQLiteIdentifier.quoted(table)
    do throws(SQLiteError) {
      try run("INSERT INTO main.\(name)(\(name)) VALUES('rebuild')")
    } catch {
      guard error.code == .error || error.code == .constraint else { throw error }
      throw SQLiteChangesetConflict(table: table, place: .rowid(0), reason: .indexChanged)
    }
  }

  /// Returns whether the changes of a changeset are in effect, judging by the rows that a statement
  /// changed.
  ///
  /// - Returns: true if at least one row is in the state after the changes and none in the state
  ///   before; false if all are in the state before; nil if it is unknown.
  /// - Throws: ``SQLiteError`` if the rows cannot be read.
  public func wasMade(_ changeset: SQLiteChangeset) throws -> Bool? {
    func rows(readyTo direction: SQLiteChangeset.Direction) throws -> (some: Bool, all: Bool) {
      var (isAny, areAll) = (false, true)
      try compare(changeset, direction, mayMove: false) { slot, result in
        // A row that was restored with another rowid is the same before and after.
        guard slot.isDirect, slot.before?.columns != slot.after?.columns else { return }
        if case .success = result { isAny = true } else { areAll = false }
      }
      return (isAny, isAny && areAll)
    }
    let (made, unmade) = (try rows(readyTo: .revert), try rows(readyTo: .reapply))
    if made.some, !unmade.some { return true }
    return unmade.all && !made.some ? false : nil
  }

  /// Returns the key of the row of a conflict; empty if its table no longer exists.
  ///
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  public func key(of conflict: SQLiteChangesetConflict) throws(SQLiteError) -> [SQLiteValue] {
    try SQLiteStoredTable(conflict.table, self)?.condition(conflict.place)?.values ?? []
  }

  /// Returns the current values of columns in the row of a conflict; nil if there is no row.
  ///
  /// - Throws: ``SQLiteError`` if the row cannot be read.
  public func values(
    of columns: [String], in conflict: SQLiteChangesetConflict
  ) throws(SQLiteError) -> [SQLiteValue]? {
    guard let stored = try SQLiteStoredTable(conflict.table, self),
      let (condition, values) = stored.condition(conflict.place)
    else { return nil }
    let list = columns.map(SQLiteIdentifier.quoted).joined(separator: ", ")
    return try rows(
      "SELECT \(list) FROM main.\(SQLiteIdentifier.quoted(stored.name)) WHERE \(condition)", values
    ).first
  }

  /// A row to write.
  private struct SlotWrite {
    let table: SQLiteStoredTable
    /// The index of the table in the changeset.
    let slotTable: Int
    let place: SQLiteChangeset.Place
    /// The current row at the place; nil if there is none.
    let current: SQLiteChangeset.Row?
    /// The new row, with the current columns of the table; nil to delete it.
    let row: SQLiteChangeset.Row?

    /// Converts a uniqueness violation to a conflict.
    func conflict(_ error: SQLiteError) -> any Error {
      guard error.extendedCode.isUniqueness else { return error }
      // "UNIQUE constraint failed: table.column, table.column"
      let columns = error.message.split(separator: ": ").last ?? ""
      return SQLiteChangesetConflict(
        table: table.name, place: place, reason: .valueTaken(String(columns)))
    }
  }

  /// Compares every row with the state that a changeset left.
  ///
  /// - Parameters:
  ///   - changeset: The changeset.
  ///   - direction: Whether to revert or reapply it.
  ///   - trustsKeys: Whether to assume that a row with a unique key does not exist: inserting it
  ///     fails if it does.
  ///   - mayMove: Whether a row to restore may get another rowid if its own is in use.
  ///   - take: Called with each row and the result of the comparison.
  /// - Throws: ``SQLiteError`` if a row cannot be read; any error of `take`.
  private func compare(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction,
    trustsKeys: Bool = false, mayMove: Bool = true,
    _ take: (SQLiteChangeset.Slot, Swift.Result<SlotWrite, SQLiteChangesetConflict>) throws -> Void
  ) throws {
    let forms = try changeset.tables.map {
      try SQLiteTableForm($0, SQLiteStoredTable($0.name, self))
    }
    let renamed = renamedRows(changeset, direction) { forms[$0]?.isSame == false }
    for slot in changeset.slots {
      let (expected, wanted) = slot.states(direction)
      func conflict(_ reason: SQLiteChangesetConflict.Reason) -> SQLiteChangesetConflict {
        SQLiteChangesetConflict(
          table: changeset.tables[slot.table].name, place: slot.place, reason: reason)
      }
      guard let form = forms[slot.table] else {
        try take(slot, .failure(conflict(.tableChanged)))
        continue
      }
      if trustsKeys, form.isSame, slot.isDirect, expected == nil, let wanted, !slot.place.isRowid {
        try take(
          slot,
          .success(
            SlotWrite(
              table: form.stored, slotTable: slot.table, place: slot.place, current: nil,
              row: wanted)))
        continue
      }
      var current = try form.stored.row(at: slot.place, self)
      // The rowid of a deleted row may have been reused.
      if mayMove, expected == nil, wanted != nil, slot.place.isRowid, form.stored.mayMove {
        current = nil
      }
      guard try form.isEqual(current, expected) else {
        // Skipping a row deleted as a side effect would lose it. Indexes are rebuilt from other
        // rows.
        let isLost =
          try direction == .revert && !slot.isDirect && expected == nil
          && !changeset.tables[slot.table].isShadow && !form.isEqual(current, wanted)
        try take(slot, .failure(conflict(isLost ? .keyTaken : .rowChanged)))
        continue
      }
      let renaming = renamed.isEmpty ? nil : renamed[slot.rowidPlace(direction)]
      guard wanted != nil || renaming != nil || form.addsNothing(to: current) else {
        try take(slot, .failure(conflict(.columnsAdded)))
        continue
      }
      try take(
        slot,
        .success(
          SlotWrite(
            table: form.stored, slotTable: slot.table, place: slot.place, current: current,
            row: form.row(
              wanted, over: current ?? renaming.flatMap { try form.stored.row(at: $0, self) }))))
    }
  }

  /// Returns the places of rows whose key changes while the rowid stays, by table and rowid.
  ///
  /// Such rows keep the values of columns that were added since.
  private func renamedRows(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction,
    inTables isWanted: (Int) -> Bool
  ) -> [[Int64]: SQLiteChangeset.Place] {
    var (leaving, coming): ([[Int64]: SQLiteChangeset.Place], Set<[Int64]>) = ([:], [])
    for slot in changeset.slots where isWanted(slot.table) {
      let (expected, wanted) = slot.states(direction)
      let place = slot.rowidPlace(direction)
      if wanted == nil, expected != nil { leaving[place] = slot.place }
      if wanted != nil, expected == nil { coming.insert(place) }
    }
    return leaving.filter { coming.contains($0.key) }
  }

  /// Writes rows.
  ///
  /// - Returns: The rows that were restored with another rowid.
  private func replace(_ writes: [SlotWrite]) throws -> [SQLiteChangesetConflict] {
    do {
      return try savepoint { try replace(writes, inPlace: true) }
    } catch let error as SQLiteError where error.code == .constraint {
      // If rows exchange unique values, all of them have to be deleted before inserting any.
      return try savepoint { try replace(writes, inPlace: false) }
    }
  }

  /// Writes rows, either updating existing ones, which touches only the indexes of changed columns,
  /// or deleting every row before inserting the first one.
  private func replace(
    _ writes: [SlotWrite], inPlace: Bool
  ) throws -> [SQLiteChangesetConflict] {
    var conflicts: [SQLiteChangesetConflict] = []
    func stays(_ write: SlotWrite) -> Bool {
      guard inPlace, let current = write.current, let row = write.row else { return false }
      return current.rowid == row.rowid
    }
    for write in writes where write.current != nil && !stays(write) {
      try write.table.remove(write.place, self)
    }
    func insert(_ write: SlotWrite, keepingRowid: Bool) throws {
      guard let row = write.row else { return }
      if let current = write.current, stays(write) {
        try write.table.update(current, to: row, at: write.place, self)
      } else {
        try write.table.insert(row, keepingRowid: keepingRowid, self)
        guard keepingRowid || !write.place.isRowid else { return }
      }
      // If the declaration of a column was changed, it may have converted the value.
      guard
        try write.table.storesAsIs(row)
          || write.table.row(at: write.place, self)?.columns == row.columns
      else {
        throw SQLiteChangesetConflict(
          table: write.table.name, place: write.place, reason: .valueConverted)
      }
    }
    var moving: [SlotWrite] = []
    for write in writes {
      do {
        try insert(write, keepingRowid: true)
      } catch let error as SQLiteError where error.code == .constraint {
        guard let row = write.row, !stays(write),
          try !write.table.hasFreeRowid(for: row, self)
        else { throw inPlace ? error : write.conflict(error) }
        moving.append(write)
      }
    }
    // Only after all other rows have their own rowids again.
    for write in moving {
      do {
        try insert(write, keepingRowid: false)
      } catch let error as SQLiteError where error.code == .constraint {
        throw inPlace ? error : write.conflict(error)
      }
      conflicts.append(
        SQLiteChangesetConflict(table: write.table.name, place: write.place, reason: .rowidTaken))
    }
    return conflicts
  }

  /// Restores the numbers of tables with `AUTOINCREMENT`, which restored rows have increased.
  private func restore(
    _ recorded: [SQLiteChangeset.Sequence], _ direction: SQLiteChangeset.Direction,
    _ numbers: [String: Int64]
  ) throws(SQLiteError) {
    var wanted = numbers
    for sequence in recorded {
      let (left, other) =
        direction == .revert
        ? (sequence.after, sequence.before) : (sequence.before, sequence.after)
      // Otherwise further rows have been numbered since.
      if numbers[sequence.table] == left { wanted[sequence.table] = other }
    }
    let present = try sequences()
    for table in Set(present.keys).union(wanted.keys) where present[table] != wanted[table] {
      try run("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
      if let number = wanted[table] {
        try run(
          "INSERT INTO main.sqlite_sequence(name, seq) VALUES(?, ?)",
          [.text(table), .integer(number)])
      }
    }
  }
}

extension SQLiteChangeset.Slot {
  /// Returns the expected current row and the wanted one.
  fileprivate func states(
    _ direction: SQLiteChangeset.Direction
  ) -> (expected: SQLiteChangeset.Row?, wanted: SQLiteChangeset.Row?) {
    direction == .revert ? (after, before) : (before, after)
  }

  /// Returns the table and the rowid of a row to insert or delete; only the table if it has none.
  fileprivate func rowidPlace(_ direction: SQLiteChangeset.Direction) -> [Int64] {
    let (expected, wanted) = states(direction)
    return [Int64(table)] + ((expected ?? wanted)?.rowid.map { [$0] } ?? [])
  }
}

/// The mapping of a changeset's columns to a table that may have additional columns now.
private struct SQLiteTableForm {
  let stored: SQLiteStoredTable
  /// The current index of each recorded column.
  private let places: [Int]
  /// The columns that were added since the recording.
  private let added: [Int]
  /// Whether the table has the same columns in the same order.
  let isSame: Bool

  /// Maps the columns; nil if the table was deleted, has lost columns or has another key.
  init?(_ recorded: SQLiteChangeset.Table, _ stored: SQLiteStoredTable?) {
    guard let stored, stored.canBeRead else { return nil }
    var places: [Int] = []
    for name in recorded.columns {
      guard let place = stored.table.columns.firstIndex(of: name) else { return nil }
      places.append(place)
    }
    guard stored.primaryKey == recorded.primaryKey?.map({ places[$0] }) else { return nil }
    self.stored = stored
    self.places = places
    added = stored.table.columns.indices.filter { !places.contains($0) }
    isSame = stored.table.columns == recorded.columns
  }

  /// Returns whether two rows are equal in the recorded columns.
  func isEqual(_ current: SQLiteChangeset.Row?, _ recorded: SQLiteChangeset.Row?) throws -> Bool {
    guard let current, let recorded else { return (current == nil) == (recorded == nil) }
    if isSame { return current.columns == recorded.columns }
    guard let now = values(current, stored.table.columns.count),
      let then = values(recorded, places.count)
    else { return false }
    return zip(places, then).allSatisfy { now[$0] == $1 }
  }

  /// Returns whether the added columns have no values of their own in a row.
  func addsNothing(to current: SQLiteChangeset.Row?) -> Bool {
    guard !added.isEmpty, let current,
      let now = values(current, stored.table.columns.count)
    else { return true }
    return added.allSatisfy { now[$0] == .null || stored.isDefault(now[$0], of: $0) }
  }

  /// Returns a recorded row, extended with the current values of the added columns.
  func row(
    _ recorded: SQLiteChangeset.Row?, over current: SQLiteChangeset.Row?
  ) throws -> SQLiteChangeset.Row? {
    guard let recorded, !isSame else { return recorded }
    guard let then = values(recorded, places.count) else { return nil }
    let now = current.flatMap { values($0, stored.table.columns.count) }
    var row: [SQLiteValue] = []
    for column in stored.table.columns.indices {
      row.append(try now?[column] ?? stored.defaultValue(column))
    }
    for (place, value) in zip(places, then) { row[place] = value }
    var writer = SQLiteRowWriter()
    writer.append(row)
    return SQLiteChangeset.Row(columns: writer.bytes, rowid: recorded.rowid)
  }

  private func values(_ row: SQLiteChangeset.Row, _ count: Int) -> [SQLiteValue]? {
    var reader = SQLiteRowReader(row.columns)
    return reader.values(count)
  }
}
