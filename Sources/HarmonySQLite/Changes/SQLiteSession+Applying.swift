import CSQLite

extension SQLiteSession {
  /// Runs a body in a transaction in which rows are written as they are: no trigger fires, and
  /// neither foreign keys nor `CHECK` constraints are enforced.
  ///
  /// Virtual tables may have read ahead what they keep in ordinary ones; so the connection should
  /// be closed before it is used for them again. See ``isStale``.
  ///
  /// - Throws: As ``write(_:)`` does.
  public func writeAsIs<Result>(_ body: () throws -> Result) throws -> Result {
    let flags = [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_DEFENSIVE]
    let wereOn = flags.map(isOn)
    for flag in flags { setFlag(flag, false) }
    try run("PRAGMA ignore_check_constraints = ON")
    defer {
      try? run("PRAGMA ignore_check_constraints = OFF")
      for (flag, wasOn) in zip(flags, wereOn) { setFlag(flag, wasOn) }
    }
    return try withForeignKeys(false) { try write(body) }
  }

  /// Brings every row of a changeset to its other state, each if it is what the changeset left.
  ///
  /// To be called in ``writeAsIs(_:)``. All rows are compared before the first one is written.
  ///
  /// - Parameters:
  ///   - changeset: What was changed.
  ///   - direction: Which state the rows get.
  /// - Returns: The rows that only side effects had changed and that others have changed since, which
  ///   stay as they are; and those that came back under another rowid.
  /// - Throws: ``SQLiteChangesetConflict`` where a row that a statement had changed is not what the
  ///   changeset left, and ``SQLiteError`` where the database refuses a row, for instance because of a
  ///   unique index.
  public func apply(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction
  ) throws -> [SQLiteChangesetConflict] {
    var writes: [SlotWrite] = []
    var conflicts: [SQLiteChangesetConflict] = []
    try compare(changeset, direction) { slot, result in
      switch result {
      case .success(let write): writes.append(write)
      case .failure(let conflict):
        if slot.isDirect { throw conflict }
        conflicts.append(conflict)
      }
    }
    // All rows that go make room, by every unique index, for those that come.
    for write in writes where write.isThere { try write.table.remove(write.place, self) }
    for write in writes {
      guard let row = write.row else { continue }
      guard try write.table.insert(row, self) else {
        conflicts.append(
          SQLiteChangesetConflict(table: write.table.name, place: write.place, reason: .rowidTaken))
        continue
      }
      // A column that is declared otherwise now may have made another value of one.
      guard try write.table.row(at: write.place, self)?.columns == row.columns else {
        throw SQLiteChangesetConflict(
          table: write.table.name, place: write.place, reason: .valueConverted)
      }
    }
    for sequence in changeset.sequences { try apply(sequence, direction) }
    if changeset.tables.contains(where: \.isShadow) { isStale = true }
    return conflicts
  }

  /// Whether every row that a statement had changed is what a changeset left, so that it could be
  /// brought to its other state.
  ///
  /// - Throws: ``SQLiteError`` where the rows cannot be read.
  public func holds(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction
  ) throws -> Bool {
    do {
      try compare(changeset, direction) { slot, result in
        if slot.isDirect { _ = try result.get() }
      }
      return true
    } catch is SQLiteChangesetConflict {
      return false
    }
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
    let place: SQLiteChangeset.Place
    /// Whether there is a row at the place now.
    let isThere: Bool
    /// The row, in the columns that the table has now; nil for none.
    let row: SQLiteChangeset.Row?
  }

  private func compare(
    _ changeset: SQLiteChangeset, _ direction: SQLiteChangeset.Direction,
    _ take: (SQLiteChangeset.Slot, Swift.Result<SlotWrite, SQLiteChangesetConflict>) throws -> Void
  ) throws {
    let forms = try changeset.tables.map {
      try SQLiteTableForm($0, SQLiteStoredTable($0.name, self))
    }
    for slot in changeset.slots {
      let (expected, wanted) =
        direction == .revert ? (slot.after, slot.before) : (slot.before, slot.after)
      func conflict(_ reason: SQLiteChangesetConflict.Reason) -> SQLiteChangesetConflict {
        SQLiteChangesetConflict(
          table: changeset.tables[slot.table].name, place: slot.place, reason: reason)
      }
      guard let form = forms[slot.table] else {
        try take(slot, .failure(conflict(.tableChanged)))
        continue
      }
      var current = try form.stored.row(at: slot.place, self)
      // The rowid of a row that is gone may have been given to another one.
      if expected == nil, wanted != nil, slot.place.isRowid, form.stored.mayMove { current = nil }
      guard try form.isEqual(current, expected) else {
        try take(slot, .failure(conflict(.rowChanged)))
        continue
      }
      guard wanted != nil || form.addsNothing(to: current) else {
        try take(slot, .failure(conflict(.columnsAdded)))
        continue
      }
      try take(
        slot,
        .success(
          SlotWrite(
            table: form.stored, place: slot.place, isThere: current != nil,
            row: form.row(wanted, over: current))))
    }
  }

  private func apply(
    _ sequence: SQLiteChangeset.Sequence, _ direction: SQLiteChangeset.Direction
  ) throws(SQLiteError) {
    let (expected, wanted) =
      direction == .revert ? (sequence.after, sequence.before) : (sequence.before, sequence.after)
    // Otherwise further rows have got numbers since.
    guard try sequences()[sequence.table] == expected else { return }
    try run("DELETE FROM main.sqlite_sequence WHERE name = ?", [.text(sequence.table)])
    if let wanted {
      try run(
        "INSERT INTO main.sqlite_sequence(name, seq) VALUES(?, ?)",
        [.text(sequence.table), .integer(wanted)])
    }
  }

  private func isOn(_ flag: Int32) -> Bool {
    var isOn: Int32 = 0
    _ = cs_get_flag(handle, flag, &isOn)
    return isOn != 0
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
  private let isSame: Bool

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
