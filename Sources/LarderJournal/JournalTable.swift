import LarderDocuments
import LarderFiles
import Foundation
import HarmonySQLite
import LarderModel

/// The tables of the journal file, for use within one operation on its connection.
struct JournalTable {
  let session: SQLiteSession
  /// The lock of this run, which also tells whether other runs have ended.
  private let lock: RunLock
  /// The maximum size of all changes together, in bytes.
  private let limit: Int

  init(_ session: SQLiteSession, _ lock: RunLock, limit: Int) {
    self.session = session
    self.lock = lock
    self.limit = limit
  }

  /// Returns whether the named run is still alive.
  func isRunning(_ run: String) -> Bool { lock.isRunning(run) }

  /// Adds a change that is about to be made.
  ///
  /// Older changes are removed only once it has been made, so that a change that fails replaces
  /// nothing.
  ///
  /// - Returns: The change with its number.
  func add(_ step: RecordedChange) throws -> RecordedChange {
    // Encoded one by one, not all at the same time: there may be many.
    let size = step.items.reduce(0) { $0 + Self.size(of: $1) }
    guard size <= limit else { throw StoreError.tooLargeForJournal(limit: limit) }
    try session.run(
      "INSERT INTO steps(path, collection, time, action, size, pending, turn, process, count) "
        + "VALUES(?, ?, ?, ?, ?, 1, \(Self.nextTurn), ?, ?)",
      Self.values(step.record.location) + [
        .real(step.record.time.timeIntervalSince1970), .text(step.record.step.action.rawValue),
        .integer(Int64(size)), .text(lock.name), .number(step.count),
      ])
    var step = step
    step.record.step.number = session.lastInsertedRow
    step.recorded = step.items
    try insert(step.items, into: step.number)
    if let record = step.storeRecord { try setRecord(record, isSpare: false, of: step.number) }
    return step
  }

  private func insert(_ items: [JournalItem], into number: Int64) throws {
    for (place, item) in items.enumerated() {
      try session.run(
        "INSERT INTO items(step, number, key, new_key, before, after, shifted, done, known) "
          + "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [.integer(number), .integer(Int64(place))] + Self.row(item))
    }
  }

  /// Writes the items of a change that differ from those in the journal.
  private func update(_ step: RecordedChange) throws {
    let number = SQLiteValue.integer(step.number)
    var known = step.recorded
    // Usually all items are done or all are undone, and the store wrote each value unchanged.
    if let first = step.items.first,
      step.items.allSatisfy({ $0.isDone == first.isDone && $0.known == first.known })
    {
      try session.run(
        "UPDATE items SET done = ?2, known = ?3 WHERE step = ?1",
        [number, .flag(first.isDone), .integer(first.known)])
      for place in known.indices {
        (known[place].isDone, known[place].known) = (first.isDone, first.known)
      }
    }
    for (place, item) in step.items.enumerated()
    where !known.indices.contains(place) || known[place] != item {
      try session.run(
        "UPDATE items SET key = ?3, new_key = ?4, before = ?5, after = ?6, shifted = ?7, done = ?8, "
          + "known = ?9 WHERE step = ?1 AND number = ?2",
        [number, .integer(Int64(place))] + Self.row(item))
    }
  }

  /// Returns the changes of some stores, or of all, newest first, without their items.
  func records(of place: JournalScope?, limit: Int) throws -> [JournalRecord] {
    try first(
      limit, where: place?.condition ?? "1", " ORDER BY s.number DESC", place?.values ?? []
    ) { _ in true }
  }

  /// Returns the change with a number, of any store, without its items.
  func record(_ number: Int64) throws -> JournalRecord? {
    try first(1, where: "s.number = ?1", "", [.integer(number)]) { _ in true }.first
  }

  /// Returns the next change to undo or redo in some stores, or in any, without its items.
  func last(isRedo: Bool, of place: JournalScope?) throws -> JournalRecord? {
    let condition = Self.isNext(isRedo) + (place.map { " AND \($0.condition)" } ?? "")
    // Across stores, the last one changed comes first: an interrupted change only matters in its
    // own.
    let latest = try first(1, where: condition, Self.latestFirst, place?.values ?? []) {
      $0.canBeReached && $0.isReadable && Self.isKnown($0, isRedo)
    }.first
    guard let latest, isRedo else { return latest }
    return try record(ReplayRequest(isRedo: true), at: latest.location) ?? latest
  }

  /// Returns the most recently undone change that cannot be redone next because its store was
  /// changed since, without its items.
  func lastUndone(of place: JournalScope?) throws -> JournalRecord? {
    try first(
      1,
      where: "NOT s.redoable AND s.was_done AND NOT s.pending AND NOT \(Self.isWhole)"
        + (place.map { " AND \($0.condition)" } ?? ""), Self.latestFirst, place?.values ?? []
    ) { $0.canBeReached && $0.isReadable }.first
  }

  /// Returns the change with the requested number, or the next one to undo or redo, without its
  /// items.
  func record(_ request: ReplayRequest, at location: StoreLocation) throws -> JournalRecord? {
    guard let number = request.step else {
      return try steps(isRedo: request.isRedo, limit: 1, at: location).first
    }
    return try first(
      1,
      where: "\(Self.isHere) AND s.number = ?3 "
        + "AND (s.pending OR \(request.isRedo ? "NOT \(Self.isWhole)" : Self.isDone))", "",
      Self.values(location) + [.integer(number)]
    ) { _ in true }.first
  }

  /// Returns a page of the changes of a store, newest first, without their items.
  func page(from offset: Int, limit: Int, at location: StoreLocation) throws -> HistoryPage {
    let values = Self.values(location)
    let count = try session.rows(
      "SELECT count(*) FROM steps AS s WHERE \(Self.isHere)", values
    ).first
    guard case .integer(let total)? = count?.first else {
      return HistoryPage(count: 0, offset: 0, records: [])
    }
    let rows = try rows(
      where: Self.isHere, " ORDER BY s.number DESC", limit: max(0, limit), offset: max(0, offset),
      values)
    return HistoryPage(
      count: Int(total), offset: offset, records: try rows.compactMap(record).map(withColumns))
  }

  /// Returns the changes of a store that can be undone or redone, the next one first, without their
  /// items.
  func steps(
    isRedo: Bool, limit: Int, at location: StoreLocation
  ) throws -> [JournalRecord] {
    try first(
      limit, where: "\(Self.isHere) AND \(Self.isNext(isRedo))",
      Self.order(isRedo), Self.values(location)
    ) { $0.isReadable && Self.isKnown($0, isRedo) }
  }

  /// Returns the first changes that match a condition and a predicate, without their items.
  ///
  /// Rows are read in batches of growing size: there may be many, and few are needed.
  private func first(
    _ count: Int, where condition: String, _ order: String, _ values: [SQLiteValue],
    isWanted: (JournalRecord) -> Bool
  ) throws -> [JournalRecord] {
    var found: [JournalRecord] = []
    var (offset, stretch) = (0, 64)
    while found.count < count {
      let rows = try rows(where: condition, order, limit: stretch, offset: offset, values)
      let wanted = rows.lazy.compactMap(record).filter(isWanted)
      found += try wanted.prefix(count - found.count).map(withColumns)
      guard rows.count == stretch else { break }
      offset += stretch
      stretch *= 4
    }
    return found
  }

  /// Returns the rows of changes in an order; only these are completed from the other table.
  private func rows(
    where condition: String, _ order: String, limit: Int, offset: Int, _ values: [SQLiteValue]
  ) throws -> [[SQLiteValue]] {
    try session.rows(
      try select() + " WHERE s.number IN (SELECT s.number FROM steps AS s WHERE \(condition)"
        + "\(order) LIMIT \(limit) OFFSET \(offset))\(order)", values)
  }

  /// Returns whether a candidate for undo or redo is known to qualify.
  ///
  /// A change that another process is just making cannot be undone yet, and one that it is undoing
  /// for the first time cannot be redone yet. One that is being replayed otherwise stays the next.
  private static func isKnown(_ record: JournalRecord, _ isRedo: Bool) -> Bool {
    record.state != .running || record.step.isUndone == isRedo || record.isPartlyUndone
  }

  /// Returns the array indices that later changes of the store have shifted, with the numbers of
  /// these changes.
  func shifted(after number: Int64, at location: StoreLocation) throws -> [(Int64, EntryKey)] {
    try session.rows(
      "SELECT s.number, i.key FROM steps AS s JOIN items AS i ON i.step = s.number "
        + "WHERE \(Self.isHere) AND s.number > ?3 AND i.shifted AND i.done",
      Self.values(location) + [.integer(number)]
    ).compactMap { row in
      guard case .integer(let number) = row[0],
        let key = Self.bytes(row[1]).flatMap(EntryCoding.key)
      else { return nil }
      return (number, key)
    }
  }

  /// Returns the last settled and not undone change of an entry before a turn, including moves of
  /// the entry and of its ancestors.
  func change(
    of key: EntryKey, before turn: Int64, at location: StoreLocation
  ) throws -> (item: JournalItem, turn: Int64, step: JournalRecord)? {
    let path = key.documentPath ?? []
    let holders = path.indices.map { end in
      SQLiteValue.blob(EntryCoding.encode(EntryKey(path: Array(path.prefix(end + 1)))))
    }
    let row = try session.rows(
      "SELECT s.turn, s.number, i.key, i.new_key, i.before, i.after, i.done, i.shifted, i.known "
        + "FROM steps AS s JOIN items AS i ON i.step = s.number "
        + "WHERE \(Self.isHere) AND s.turn < ?3 AND NOT s.pending AND i.done "
        + "AND s.action NOT IN (\(Self.valueless)) "
        + "AND (NOT i.shifted AND (i.new_key = ?4 OR i.new_key IS NULL AND i.key = ?4) "
        + "OR i.shifted AND i.key IN (\(holders.indices.map { "?\($0 + 5)" }.joined(separator: ", ")))) "
        + "ORDER BY s.turn DESC, i.number DESC LIMIT 1",
      Self.values(location) + [.integer(turn), .blob(EntryCoding.encode(key))] + holders
    ).first
    guard let row, case .integer(let turn) = row[0], case .integer(let number) = row[1],
      let step = try record(number)
    else { return nil }
    return (try Self.item(Array(row.dropFirst(2)), of: step), turn, step)
  }

  /// Returns the last settled change of each entry's value or key, done or undone.
  func lastChanges(
    of keys: [EntryKey], at location: StoreLocation
  ) throws -> [EntryKey: (item: JournalItem, turn: Int64, step: ChangeSummary)] {
    let coded = keys.map { SQLiteValue.blob(EntryCoding.encode($0)) }
    let list = keys.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
    var found: [EntryKey: (item: JournalItem, turn: Int64, step: ChangeSummary)] = [:]
    for column in ["key", "new_key"] {
      // With max(), SQLite takes the other columns from the row of the maximum.
      let rows = try session.rows(
        "SELECT max(s.turn), s.number, i.key, i.new_key, i.before, i.after, i.done, i.shifted, "
          + "i.known FROM steps AS s JOIN items AS i ON i.step = s.number "
          + "WHERE \(Self.isHere) AND NOT s.pending AND NOT i.shifted "
          + "AND s.action NOT IN (\(Self.valueless)) "
          + "AND i.\(column) IN (\(list)) GROUP BY i.\(column)",
        Self.values(location) + coded)
      for row in rows {
        guard case .integer(let turn) = row[0], case .integer(let number) = row[1],
          let record = try record(number)
        else { continue }
        let item = try Self.item(Array(row.dropFirst(2)), of: record)
        guard let key = column == "key" ? item.key : item.newKey, found[key]?.turn ?? 0 < turn
        else { continue }
        found[key] = (item, turn, record.step)
      }
    }
    return found
  }

  /// The actions that only affect expiries or the cache, not values, as an SQL list.
  private static let valueless = [ChangeSummary.Action.touch, .refresh, .evict]
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// Returns the last change between two turns that is done and lists only the first of its
  /// entries.
  func countedStep(
    between first: Int64, and last: Int64, at location: StoreLocation
  ) throws -> (step: RecordedChange, turn: Int64)? {
    let row = try session.rows(
      "SELECT s.number, s.turn FROM steps AS s WHERE \(Self.isHere) AND s.turn > ?3 AND s.turn < ?4 "
        + "AND \(JournalSchema.count(session)) IS NOT NULL AND NOT s.pending AND \(Self.isDone) ORDER BY s.turn DESC LIMIT 1",
      Self.values(location) + [.integer(first), .integer(last)]
    ).first
    guard let row, case .integer(let number) = row[0], case .integer(let turn) = row[1],
      let record = try record(number)
    else { return nil }
    return (try step(record), turn)
  }

  /// Returns the changes of a store that were begun by runs that have ended, oldest first; their
  /// outcome is unknown.
  func abandoned(at location: StoreLocation) throws -> [RecordedChange] {
    let rows = try session.rows(
      "SELECT s.number, s.process FROM steps AS s WHERE \(Self.isHere) AND s.pending = 1 "
        + "ORDER BY s.number", Self.values(location))
    return try rows.compactMap { row in
      guard case .integer(let number) = row[0], case .text(let process) = row[1],
        !isRunning(process), let record = try record(number), record.isReadable
      else { return nil }
      return try step(record)
    }
  }

  /// Marks a settled change as being undone or redone, and returns whether it still could be.
  func setPending(_ number: Int64, isUndo: Bool) throws -> Bool {
    try session.run(
      "UPDATE steps AS s SET pending = 1, process = ?2 "
        + "WHERE s.number = ?1 AND NOT s.pending AND \(isUndo ? Self.isDone : "NOT \(Self.isWhole)")",
      [.integer(number), .text(lock.name)])
    return session.changes > 0
  }

  /// Marks a change that this process has begun as abandoned, so that the next run determines its
  /// outcome, and records what is known of it.
  func leave(_ step: RecordedChange) throws {
    try session.run(
      "UPDATE steps SET process = '' WHERE number = ?1 AND pending = 1 AND process = ?2",
      [.integer(step.number), .text(lock.name)])
    if session.changes > 0 { try update(step) }
  }

  /// Records the outcome of an interrupted change, unless another process has done so, or has
  /// continued the change, since it was read.
  ///
  /// - Parameters:
  ///   - step: The change.
  ///   - isDecided: Whether the outcome could be determined. If not, it is not checked again until
  ///     the change is undone: a check after other changes would see their effects.
  /// - Throws: `SQLiteError`.
  func settleInterrupted(_ step: RecordedChange, isDecided: Bool) throws {
    try session.run(
      "UPDATE steps SET pending = 2 WHERE number = ? AND pending AND process = ?",
      [.integer(step.number), .text(step.process)])
    if session.changes > 0, isDecided { try settle(step) }
  }

  /// Records which items of a change are done, removes a change that never had an effect, and
  /// removes the oldest ones if all together exceed the limit.
  func settle(_ step: RecordedChange) throws {
    let number = SQLiteValue.integer(step.number)
    let done = step.items.filter(\.isDone)
    let (isDone, isWhole) = (!done.isEmpty, done.count == step.items.count)
    let known = try session.rows(
      "SELECT was_done, \(Self.isDone), \(Self.isWhole) FROM steps AS s WHERE number = ?", [number]
    ).first
    let wasDone = known?.first == .integer(1)
    guard isDone || wasDone else { return try remove(number) }
    if !wasDone, !isWhole {
      // An item that was not done when the change ended is not part of it, and must not be redone.
      try session.run("DELETE FROM items WHERE step = ?", [number])
      try insert(done, into: step.number)
    } else {
      try update(step)
    }
    try session.run(
      "UPDATE steps SET pending = 0, was_done = 1, count = ?2 WHERE number = ?1",
      [number, .number(step.count)])
    try makeRoom(but: number)
    if !wasDone {
      // Changes that were undone before a new change was made can no longer be redone.
      try session.run(
        "UPDATE steps AS s SET redoable = ?3 WHERE \(Self.isHere) AND s.redoable AND NOT s.pending "
          + "AND NOT \(Self.isWhole)",
        Self.values(step.record.location) + [Self.lost(to: step)])
    } else if known.map({ Array($0.dropFirst()) }) != [.flag(isDone), .flag(isWhole)] {
      try session.run(
        "UPDATE steps SET redoable = 1, turn = \(Self.nextTurn) WHERE number = ?", [number])
    }
  }

  /// Returns the `redoable` value of a change that cannot be redone because another one was made:
  /// text, which SQL evaluates as false.
  private static func lost(to step: RecordedChange) -> SQLiteValue {
    .text("lost to \(step.number)")
  }

  /// Removes an undone change as if it had never been made: the changes that could be redone before
  /// it can be again, unless another one was made since.
  func forget(_ step: RecordedChange) throws {
    try remove(.integer(step.number))
    try session.run(
      "UPDATE steps AS s SET redoable = 1 WHERE \(Self.isHere) AND s.redoable = ?3 AND NOT EXISTS("
        + "SELECT 1 FROM steps WHERE path = ?1 AND collection IS ?2 AND number > ?4)",
      Self.values(step.record.location) + [Self.lost(to: step), .integer(step.number)])
  }

  /// Removes the oldest changes until all together are within the limit.
  ///
  /// Data that undo can do without is removed first, from the last change only if it is large.
  /// Changes that are in progress, and the last one, are never removed.
  private func makeRoom(but last: SQLiteValue) throws {
    let known = "min(max(size, 0), \(limit))"
    guard
      case .integer(let sum)? = try session.rows("SELECT sum(\(known)) FROM steps").first?.first
    else { return }
    var excess = Int(sum) - limit
    guard excess > 0 else { return }
    for row in try session.rows(
      "SELECT number, length(revision) FROM steps WHERE spare AND length(revision) > 0 "
        + "ORDER BY number")
    where excess > 0 {
      guard case .integer(let size) = row[1], row[0] != last || size > limit / 8 else { continue }
      try session.run(
        "UPDATE steps SET size = size - length(revision), revision = NULL WHERE number = ?",
        [row[0]])
      excess -= Int(size)
    }
    for row in try session.rows(
      "SELECT number, \(known), pending, process FROM steps ORDER BY number")
    where excess > 0 && row[0] != last {
      guard case .integer(let size) = row[1], case .text(let process) = row[3] else { continue }
      if row[2] == .integer(1), isRunning(process) { continue }
      try remove(row[0])
      excess -= Int(size)
    }
    try session.run("PRAGMA incremental_vacuum")
  }

  /// Replaces the data that the store recorded about a change.
  func setRecord(_ bytes: [UInt8], isSpare: Bool, of number: Int64) throws {
    try session.run(
      "UPDATE steps SET size = size - ifnull(length(revision), 0) + ?3, revision = ?2, spare = ?4 "
        + "WHERE number = ?1",
      [.integer(number), .blob(bytes), .integer(Int64(bytes.count)), .flag(isSpare)])
  }

  func remove(_ number: SQLiteValue) throws {
    try session.run("DELETE FROM items WHERE step = ?", [number])
    try session.run("DELETE FROM steps WHERE number = ?", [number])
  }

  /// Returns a change with its items, or with the first of them.
  func step(_ record: JournalRecord, limit: Int = .max) throws -> RecordedChange {
    let number = SQLiteValue.integer(record.step.number)
    let rows = try session.rows(
      "SELECT key, new_key, before, after, done, shifted, known FROM items WHERE step = ? "
        + "ORDER BY number LIMIT ?", [number, .integer(Int64(limit))])
    guard
      let row = try session.rows(
        "SELECT process, revision, \(JournalSchema.count(session)) FROM steps WHERE number = ?",
        [number]
      ).first, case .text(let process) = row[0]
    else { throw StoreError.damagedJournal }
    let items = try rows.map { try Self.item($0, of: record) }
    let count: Int? = if case .integer(let count) = row[2] { Int(count) } else { nil }
    return RecordedChange(
      record: record, process: process, items: items, count: count,
      storeRecord: Self.bytes(row[1]), recorded: items)
  }
}
