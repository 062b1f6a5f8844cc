import LarderDocuments
import LarderFiles
import Foundation
import HarmonySQLite
import LarderModel

/// The tables of the journal file, for use within one operation on its connection.
struct JournalTable {
  let session: SQLiteSession
  /// The lock of this run, which also tells whether other runs have ended.
  let lock: RunLock
  /// The maximum size of all changes together, in bytes.
  let limit: Int
  /// The table with the stores' records.
  let records: String

  /// Adds a change that is about to be made.
  ///
  /// Older changes are removed only once it has been made, so that a change that fails replaces
  /// nothing.
  ///
  /// - Returns: The change with its number.
  func add(_ step: RecordedChange) throws -> RecordedChange {
    // Encoded one by one, not all at the same time: there may be many.
    let size = step.items.reduce(0) {
      Self.row($1).reduce($0) { $0 + ($1.blob?.count ?? 0) }
    }
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
    try write(step.items.enumerated(), of: step.number)
    if let record = step.storeRecord { try setRecord(record, isSpare: false, of: step.number) }
    return step
  }

  /// Writes items of a change with their positions, replacing those already recorded.
  private func write(
    _ items: some Sequence<EnumeratedSequence<[JournalItem]>.Element>, of number: Int64
  ) throws {
    for (place, item) in items {
      try session.run(
        "INSERT OR REPLACE INTO items(step, number, key, new_key, before, after, shifted, done, "
          + "known) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [.integer(number), .integer(Int64(place))] + Self.row(item))
    }
  }

  /// Writes the items of a change that differ from those in the journal.
  private func update(_ step: RecordedChange) throws {
    var known = step.recorded
    // Usually all items are done or all are undone, and the store wrote each value unchanged.
    if let first = step.items.first,
      step.items.allSatisfy({ $0.isDone == first.isDone && $0.known == first.known })
    {
      try session.run(
        "UPDATE items SET done = ?2, known = ?3 WHERE step = ?1",
        [.integer(step.number), .flag(first.isDone), .integer(first.known)])
      for place in known.indices {
        (known[place].isDone, known[place].known) = (first.isDone, first.known)
      }
    }
    let changed = step.items.enumerated().filter {
      !known.indices.contains($0) || known[$0] != $1
    }
    try write(changed, of: step.number)
  }

  /// Returns the changes of some stores, or of all, newest first, without their items.
  func records(of place: JournalScope?, limit: Int) throws -> [JournalRecord] {
    try first(limit, where: place?.condition ?? "1", Self.newestFirst, place?.values ?? [])
  }

  /// Returns the change with a number, of any store, without its items.
  func record(_ number: Int64) throws -> JournalRecord? {
    try first(1, where: "s.number = ?1", "", [.integer(number)]).first
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
    ).first
  }

  /// Returns a page of the changes of a store, newest first, without their items.
  func page(from offset: Int, limit: Int, at location: StoreLocation) throws -> HistoryPage {
    let values = Self.values(location)
    let total = try session.rows("SELECT count(*) FROM steps AS s WHERE \(Self.isHere)", values)
    let rows = try rows(
      where: Self.isHere, Self.newestFirst, limit: max(0, limit), offset: max(0, offset), values)
    return HistoryPage(
      count: Int(total.first?.first?.integer ?? 0), offset: offset,
      records: try rows.compactMap(record).map(withColumns),
      nextUndo: try steps(isRedo: false, limit: 1, at: location).first?.step.number,
      nextRedo: try steps(isRedo: true, limit: 1, at: location).first?.step.number)
  }

  /// Returns the changes of a store that can be undone or redone, the next one first, without their
  /// items.
  func steps(isRedo: Bool, limit: Int, at location: StoreLocation) throws -> [JournalRecord] {
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
    isWanted: (JournalRecord) -> Bool = { _ in true }
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
      select + " WHERE s.number IN (SELECT s.number FROM steps AS s WHERE \(condition)"
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
      guard let number = row[0].integer, let key = row[1].blob.flatMap(EntryCoding.key) else {
        return nil
      }
      return (number, key)
    }
  }

  /// A change of an entry: the recorded item, the time at which it was last done or undone, as a
  /// number, and the change that it is part of.
  typealias Change = (item: JournalItem, turn: Int64, step: JournalRecord)

  /// The columns of the rows that ``change(_:)`` reads.
  private static func changeColumns(turn: String = "s.turn") -> String {
    "SELECT \(turn), s.number, \(itemColumns) FROM steps AS s JOIN items AS i ON i.step = s.number "
      + "WHERE \(isHere) AND NOT s.pending AND s.action NOT IN (\(valueless)) AND "
  }

  private func change(_ row: [SQLiteValue]) throws -> Change? {
    guard let turn = row[0].integer, let number = row[1].integer, let step = try record(number)
    else { return nil }
    return (try Self.item(Array(row.dropFirst(2)), of: step), turn, step)
  }

  /// Returns the last settled and not undone change before a turn that affected an entry, including
  /// moves of the entry and of its ancestors, or may have because its entries are in the store's
  /// record.
  func change(of key: EntryKey, before turn: Int64, at location: StoreLocation) throws -> Change? {
    let path = key.documentPath ?? []
    let holders = path.indices.map { end in
      SQLiteValue.blob(EntryCoding.encode(EntryKey(path: Array(path.prefix(end + 1)))))
    }
    return try session.rows(
      Self.changeColumns() + "s.turn < ?3 AND i.done AND (count IS NOT NULL "
        + "OR NOT i.shifted AND (i.new_key = ?4 OR i.new_key IS NULL AND i.key = ?4) "
        + "OR i.shifted AND i.key IN (\(holders.indices.map { "?\($0 + 5)" }.joined(separator: ", ")))) "
        + "ORDER BY s.turn DESC, i.number DESC LIMIT 1",
      Self.values(location) + [.integer(turn), .blob(EntryCoding.encode(key))] + holders
    ).first.flatMap(change)
  }

  /// Returns the last settled change of each entry's value or key, done or undone.
  func lastChanges(of keys: [EntryKey], at location: StoreLocation) throws -> [EntryKey: Change] {
    let coded = keys.map { SQLiteValue.blob(EntryCoding.encode($0)) }
    let list = keys.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
    var found: [EntryKey: Change] = [:]
    for column in ["key", "new_key"] {
      // With max(), SQLite takes the other columns from the row of the maximum.
      let rows = try session.rows(
        Self.changeColumns(turn: "max(s.turn)") + "NOT i.shifted AND i.\(column) IN (\(list)) "
          + "GROUP BY i.\(column)", Self.values(location) + coded)
      for change in try rows.compactMap(change) {
        guard let key = column == "key" ? change.item.key : change.item.newKey,
          found[key]?.turn ?? 0 < change.turn
        else { continue }
        found[key] = change
      }
    }
    return found
  }

  /// The actions that only affect expiries or the cache, not values, as an SQL list.
  private static let valueless = [ChangeSummary.Action.touch, .refresh, .evict]
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// Returns the changes of a store that were begun by runs that have ended, oldest first; their
  /// outcome is unknown.
  func abandoned(at location: StoreLocation) throws -> [RecordedChange] {
    try first(
      .max, where: "\(Self.isHere) AND s.pending = 1", " ORDER BY s.number", Self.values(location)
    ) { $0.state == .interrupted && $0.isReadable }.map { try step($0) }
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
  ///
  /// - Parameters:
  ///   - step: The change.
  ///   - isMade: Whether the change has been made; otherwise, none is removed for it yet.
  /// - Throws: `SQLiteError`.
  func settle(_ step: RecordedChange, isMade: Bool = true) throws {
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
      try write(done.enumerated(), of: step.number)
    } else {
      try update(step)
    }
    try session.run(
      "UPDATE steps SET pending = 0, was_done = 1, count = ?2 WHERE number = ?1",
      [number, .number(step.count)])
    if isMade { try makeRoom(but: step) }
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

  /// Removes a change that was undone or could not be made, as if it had never been recorded: the
  /// changes that could be redone before it can be again, unless another one was made since.
  func forget(_ step: RecordedChange) throws {
    try remove(.integer(step.number))
    try session.run(
      "UPDATE steps AS s SET redoable = 1 WHERE \(Self.isHere) AND s.redoable = ?3 AND NOT EXISTS("
        + "SELECT 1 FROM steps WHERE path = ?1 AND collection IS ?2 AND number > ?4)",
      Self.values(step.record.location) + [Self.lost(to: step), .integer(step.number)])
  }

  /// The size of a change in SQL, which may be damaged.
  private var size: String { "min(max(size, 0), \(limit))" }

  /// The number of bytes by which all changes together exceed the limit; negative if they do not.
  var excess: Int {
    get throws {
      let sum = try session.rows("SELECT sum(\(size)) FROM steps").first?.first?.integer ?? 0
      return Int(sum) - limit
    }
  }

  /// Removes the oldest changes until all together are within the limit.
  ///
  /// Data that undo can do without is removed first, from the last change only if it is large.
  /// Changes that are in progress, and the last one, are never removed.
  func makeRoom(but step: RecordedChange) throws {
    let last = SQLiteValue.integer(step.number)
    var excess = try excess
    guard excess > 0 else { return }
    for row in try session.rows(
      "SELECT step, length(bytes) FROM records WHERE spare AND length(bytes) > 0 ORDER BY step")
    where excess > 0 {
      guard let size = row[1].integer, row[0] != last || size > limit / 8 else { continue }
      try session.run(
        "UPDATE steps SET size = size - ?2 WHERE number = ?1", [row[0], row[1]])
      try session.run("DELETE FROM records WHERE step = ?", [row[0]])
      excess -= Int(size)
    }
    for row in try session.rows(
      "SELECT number, \(size), pending, process FROM steps ORDER BY number")
    where excess > 0 && row[0] != last {
      guard let size = row[1].integer, let process = row[3].text else { continue }
      if row[2] == .integer(1), lock.isRunning(process) { continue }
      try remove(row[0])
      excess -= Int(size)
    }
    try session.run("PRAGMA incremental_vacuum")
  }

  /// Replaces the data that the store recorded about a change.
  func setRecord(_ bytes: [UInt8], isSpare: Bool, of number: Int64) throws {
    try session.run(
      "UPDATE steps SET size = size + ?2 - ifnull((SELECT length(bytes) FROM records "
        + "WHERE step = ?1), 0) WHERE number = ?1",
      [.integer(number), .integer(Int64(bytes.count))])
    try session.run(
      "INSERT OR REPLACE INTO records(step, spare, bytes) SELECT number, ?2, ?3 FROM steps "
        + "WHERE number = ?1", [.integer(number), .flag(isSpare), .blob(bytes)])
  }

  func remove(_ number: SQLiteValue) throws {
    try session.run("DELETE FROM records WHERE step = ?", [number])
    try session.run("DELETE FROM items WHERE step = ?", [number])
    try session.run("DELETE FROM steps WHERE number = ?", [number])
  }

  /// Returns a change with its items, or with the first of them.
  func step(_ record: JournalRecord, limit: Int = .max) throws -> RecordedChange {
    let number = SQLiteValue.integer(record.step.number)
    let items = try session.rows(
      "SELECT \(Self.itemColumns) FROM items AS i WHERE step = ? ORDER BY number LIMIT ?",
      [number, .integer(Int64(limit))]
    ).map { try Self.item($0, of: record) }
    let row = try session.rows(
      "SELECT process, (SELECT bytes FROM \(records) WHERE step = number), count FROM steps "
        + "WHERE number = ?", [number]
    ).first
    guard let row, let process = row[0].text else { throw StoreError.damagedJournal }
    return RecordedChange(
      record: record, process: process, items: items, count: row[2].integer.map { Int($0) },
      storeRecord: row[1].blob, recorded: items)
  }
}
