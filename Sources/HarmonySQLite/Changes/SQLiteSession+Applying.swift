import CSQLite

extension SQLiteSession {
  /// Runs a body in a transaction in which rows are written as they are: no trigger fires, and
  /// neither foreign keys nor `CHECK` constraints are enforced.
  ///
  /// The connection is closed after the operation that it belongs to: that sets everything back,
  /// also after an error, and virtual tables do not go on with what they had read.
  ///
  /// - Throws: As ``write(_:)`` does.
  public func writeAsIs<Result>(_ body: () throws -> Result) throws -> Result {
    isStale = true
    setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    setFlag(SQLITE_DBCONFIG_DEFENSIVE, false)
    try run("PRAGMA ignore_check_constraints = ON")
    return try withForeignKeys(false) { try write(body) }
  }

  /// Reverts or reapplies a changeset, if every row is what the changeset left.
  ///
  /// To be called in ``writeAsIs(_:)``. All rows are compared before the first one is written.
  ///
  /// - Parameters:
  ///   - changeset: What was changed.
  ///   - direction: Which state the rows get.
  /// - Returns: The rows that only side effects had changed and that others have changed since, which
  ///   stay as they are; and those that came back under another rowid.
  /// - Throws: ``SQLiteChangesetConflict`` where a row that a statement had changed is not what the
  ///   changeset left, where another row has the key of one that side effects had deleted, or what a
  ///   unique index lets only one row have, and ``SQLiteError`` where the database refuses a row.
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
    // What others have put into an index of words is in the same rows: it is made again.
    writes.removeAll { write in indexes[write.slotTable].map(outdated.contains) == true }
    let numbers = try sequences()
    do {
      conflicts += try replace(writes)
    } catch  where error is SQLiteChangesetConflict || (error as? SQLiteError)?.code == .constraint
    {
      // A row may have taken the place of one that was to come back.
      try compare(changeset, direction) { slot, result in
        if slot.isDirect { _ = try result.get() }
      }
      throw error
    }
    try restore(changeset.sequences, direction, numbers)
    for index in outdated.sorted() { try rebuild(index) }
    return conflicts
  }

  /// The virtual tables of the shadow tables that hold nothing but an index, by the index of these.
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

  /// Makes the index of a virtual table again from its content.
  private func rebuild(_ table: String) throws {
    let name = SQLiteIdentifier.quoted(table)
    do throws(SQLiteError) {
      try run("INSERT INTO main.\(name)(\(name)) VALUES('rebuild')")
    } catch {
      guard error.code == .error || error.code == .constraint else { throw error }
      throw SQLiteChangesetConflict(table: table, place: .rowid(0), reason: .indexChanged)
    }
  }

  /// Whether the changes of a changeset were made, by the rows that a statement changed.
  ///
  /// - Returns: nil where that cannot be told: none of the rows is as before or as after the changes, or
  ///   some are as before and others as after them.
  /// - Throws: ``SQLiteError`` where the rows cannot be read.
  public func wasMade(_ changeset: SQLiteChangeset) throws -> Bool? {
    func isAnyRow(readyTo direction: SQLiteChangeset.Direction) throws -> Bool {
      var isReady = false
      try compare(changeset, direction, mayMove: false) { slot, result in
        // A row that came back under another rowid is the same before and after.
        if slot.isDirect, slot.before?.columns != slot.after?.columns, case .success = result {
          isReady = true
        }
      }
      return isReady
    }
    let (made, unmade) = (
      try isAnyRow(readyTo: .revert), try isAnyRow(readyTo: .reapply)
    )
    return made == unmade ? nil : made
  }

  /// The key of the row of a conflict; empty where the table is gone.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
  public func key(of conflict: SQLiteChangesetConflict) throws(SQLiteError) -> [SQLiteValue] {
    try SQLiteStoredTable(conflict.table, self)?.condition(conflict.place)?.values ?? []
  }

  /// The values that some columns have now in the row of a conflict; nil where there is no row.
  ///
  /// - Throws: ``SQLiteError`` where the row cannot be read.
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

  /// A row to be written.
  private struct SlotWrite {
    let table: SQLiteStoredTable
    /// The index of the table in the changeset.
    let slotTable: Int
    let place: SQLiteChangeset.Place
    /// The row that is at the place now; nil for none.
    let current: SQLiteChangeset.Row?
    /// The row, in the columns that the table has now; nil for none.
    let row: SQLiteChangeset.Row?

    /// What a constraint that keeps the row out means.
    func conflict(_ error: SQLiteError) -> any Error {
      guard error.extendedCode.isUniqueness else { return error }
      // "UNIQUE constraint failed: table.column, table.column"
      let columns = error.message.split(separator: ": ").last ?? ""
      return SQLiteChangesetConflict(
        table: table.name, place: place, reason: .valueTaken(String(columns)))
    }
  }

  /// Compares every row with what a changeset left.
  ///
  /// - Parameters:
  ///   - changeset: The changeset.
  ///   - direction: Which state the rows are to get.
  ///   - trustsKeys: Whether a row is taken to be missing whose key is unique: to insert it fails where
  ///     there is one.
  ///   - mayMove: Whether a row that is to come may get another rowid, where another row has it now.
  ///   - take: Called with each row, and how it is to be written.
  /// - Throws: ``SQLiteError`` where a row cannot be read, and what `take` throws.
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
      // The rowid of a row that is gone may have been given to another one.
      if mayMove, expected == nil, wanted != nil, slot.place.isRowid, form.stored.mayMove {
        current = nil
      }
      guard try form.isEqual(current, expected) else {
        // Left away, a row that was deleted along would be lost. Indexes are made from other rows.
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

  /// The places of rows that get another key under the same rowid, by table and rowid: they keep what
  /// they hold in columns that were added since.
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
  /// - Returns: The rows that came back under another rowid.
  private func replace(_ writes: [SlotWrite]) throws -> [SQLiteChangesetConflict] {
    do {
      return try savepoint { try replace(writes, inPlace: true) }
    } catch let error as SQLiteError where error.code == .constraint {
      // Rows may exchange unique values: then all go first, and make room for those that come.
      return try savepoint { try replace(writes, inPlace: false) }
    }
  }

  /// Writes rows, updating those that stay, so that only the indexes of what differs are touched, or
  /// by deleting every row before the first one is inserted.
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
      // A column that is declared otherwise now may have made another value of one.
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
    // Only once all others have theirs again.
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

  /// Brings the numbers of tables with `AUTOINCREMENT`, which rows that come back have raised, to
  /// their other state.
  private func restore(
    _ recorded: [SQLiteChangeset.Sequence], _ direction: SQLiteChangeset.Direction,
    _ numbers: [String: Int64]
  ) throws(SQLiteError) {
    var wanted = numbers
    for sequence in recorded {
      let (left, other) =
        direction == .revert
        ? (sequence.after, sequence.before) : (sequence.before, sequence.after)
      // Otherwise further rows have got numbers since.
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
  /// The row that is expected, and the one that is to be.
  fileprivate func states(
    _ direction: SQLiteChangeset.Direction
  ) -> (expected: SQLiteChangeset.Row?, wanted: SQLiteChangeset.Row?) {
    direction == .revert ? (after, before) : (before, after)
  }

  /// The table and the rowid of a row that comes or goes; the table alone where it has none.
  fileprivate func rowidPlace(_ direction: SQLiteChangeset.Direction) -> [Int64] {
    let (expected, wanted) = states(direction)
    return [Int64(table)] + ((expected ?? wanted)?.rowid.map { [$0] } ?? [])
  }
}

/// How the rows of a changeset fit into a table that may have got columns since.
private struct SQLiteTableForm {
  let stored: SQLiteStoredTable
  /// Where each recorded column is now.
  private let places: [Int]
  /// The columns that were added since.
  private let added: [Int]
  /// Whether the table has the same columns in the same order.
  let isSame: Bool

  /// Finds the columns; nil where the table is gone, has lost some or has other keys.
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

  /// Whether a row is another one, in the recorded columns.
  func isEqual(_ current: SQLiteChangeset.Row?, _ recorded: SQLiteChangeset.Row?) throws -> Bool {
    guard let current, let recorded else { return (current == nil) == (recorded == nil) }
    if isSame { return current.columns == recorded.columns }
    guard let now = values(current, stored.table.columns.count),
      let then = values(recorded, places.count)
    else { return false }
    return zip(places, then).allSatisfy { now[$0] == $1 }
  }

  /// Whether the columns that were added hold nothing in a row.
  func addsNothing(to current: SQLiteChangeset.Row?) -> Bool {
    guard !added.isEmpty, let current,
      let now = values(current, stored.table.columns.count)
    else { return true }
    return added.allSatisfy { now[$0] == .null || stored.isDefault(now[$0], of: $0) }
  }

  /// A recorded row with the columns that were added as they are now.
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
    var reader = SQLiteRowReader(row.columns[...])
    return reader.values(count)
  }
}
