import Foundation
import HarmonySQLite
import LarderCore

/// The tables of the journal's file, inside one operation on its connection.
struct JournalTable {
  /// A step with its entries.
  struct Step: Sendable {
    let record: JournalRecord
    /// Whether it was begun, or taken back or done again, and nobody knows with what success.
    var isPending: Bool
    var items: [JournalItem]
  }

  private let session: SQLiteSession
  private static let version: Int64 = 1

  init(_ session: SQLiteSession) {
    self.session = session
  }

  /// Makes the tables in a new file, and refuses one that a later larder made.
  static func prepare(_ session: SQLiteSession) throws {
    let version = try session.rows("PRAGMA user_version").first?.first
    if version == .integer(Self.version) { return }
    guard version == .integer(0) else {
      throw StoreError.failed(
        "the journal was made by a later version of larder; --no-journal writes without one")
    }
    // Values that are forgotten must not stay readable in the file.
    try session.execute(
      """
      PRAGMA auto_vacuum=INCREMENTAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS steps(
        number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, path TEXT NOT NULL,
        collection TEXT, action TEXT NOT NULL, size INTEGER NOT NULL, pending INTEGER NOT NULL,
        was_done INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL, process TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS pending_steps ON steps(path) WHERE pending;
      CREATE INDEX IF NOT EXISTS turns_of_steps ON steps(turn);
      CREATE INDEX IF NOT EXISTS steps_of_stores ON steps(path, collection);
      CREATE TABLE IF NOT EXISTS items(
        step INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB NOT NULL, new_key BLOB,
        before BLOB, after BLOB, done INTEGER NOT NULL, PRIMARY KEY(step, number)) WITHOUT ROWID;
      PRAGMA user_version=\(Self.version);
      COMMIT;
      """)
  }

  /// Adds a step, and lets the oldest go where all together would be too large.
  func add(
    _ action: JournalStep.Action, _ items: [JournalItem], at location: StoreLocation, limit: Int
  ) throws -> Int64 {
    let rows = items.map { item in
      [
        .blob(EntryCoding.encode(item.key)), Self.blob(item.newKey.map(EntryCoding.encode)),
        Self.blob(item.before.map { EntryCoding.encode($0, form: item.beforeForm) }),
        Self.blob(item.after.map { EntryCoding.encode($0, form: item.afterForm) }),
      ]
    }
    let size = rows.joined().reduce(0) { $0 + Self.size(of: $1) }
    guard size <= limit else {
      throw StoreError.failed(
        "this changes \(size >> 20) MiB, more than the \(limit >> 20) MiB that the journal keeps; "
          + "nothing was written. --no-journal writes without a way back")
    }
    try makeRoom(size, limit: limit)
    try session.run(
      "INSERT INTO steps(time, path, collection, action, size, pending, turn, process) "
        + "VALUES(?, ?, ?, ?, ?, 1, \(Self.nextTurn), ?)",
      [
        .real(Date().timeIntervalSince1970), .text(location.path),
        location.collection.map { .text($0) } ?? .null, .text(action.rawValue),
        .integer(Int64(size)), .text(JournalProcess.own),
      ])
    let number = session.lastInsertedRow
    for (place, row) in rows.enumerated() {
      try session.run(
        "INSERT INTO items VALUES(?, ?, ?, ?, ?, ?, 0)",
        [.integer(number), .integer(Int64(place))] + row)
    }
    return number
  }

  /// The steps of a store, of all its collections where none is named, or of all stores, latest
  /// first, without their entries.
  func records(of location: StoreLocation?, limit: Int) throws -> [JournalRecord] {
    let condition =
      location == nil ? "" : " WHERE path = ?1 AND (?2 IS NULL OR collection IS ?2)"
    return try session.rows(
      Self.select + condition + " ORDER BY s.number DESC LIMIT \(Int64(limit))",
      Self.values(location)
    ).compactMap(Self.record)
  }

  /// The step of a number, of whatever store, without its entries.
  func record(_ number: Int64) throws -> JournalRecord? {
    try session.rows(Self.select + " WHERE s.number = ?", [.integer(number)]).first
      .flatMap(Self.record)
  }

  /// The step of any store that was made or done again last, or that was taken back last and that
  /// no later change of its store stands against.
  func last(isRedo: Bool) throws -> JournalRecord? {
    let condition =
      isRedo
      ? """
       WHERE NOT \(Self.isDone) AND NOT s.pending AND NOT EXISTS(SELECT 1 FROM steps AS other
        WHERE other.path = s.path AND other.collection IS s.collection
        AND other.number > s.number
        AND EXISTS(SELECT 1 FROM items WHERE step = other.number AND done))
      """ : " WHERE s.pending OR \(Self.isDone)"
    return try session.rows(Self.select + condition + " ORDER BY s.turn DESC").lazy
      .compactMap(Self.record).first { $0.canBeReached && $0.state != .running }
  }

  /// The step of a number, or the next one to undo or to do again.
  func step(_ query: UndoQuery, at location: StoreLocation) throws -> Step? {
    let isOfStore = " WHERE path = ?1 AND collection IS ?2"
    let isDone = Self.isDone
    let sql: String
    var values = Self.values(location)
    if let number = query.step {
      sql =
        Self.select + isOfStore + " AND s.number = ?3 AND \(query.isRedo ? "NOT " : "")\(isDone)"
      values.append(.integer(number))
    } else if query.isRedo {
      // What was taken back before another change was made is not done again.
      sql =
        Self.select + isOfStore
          + """
           AND NOT \(isDone) AND s.number > coalesce((SELECT max(number) FROM steps AS s
          \(isOfStore) AND \(isDone)), 0) ORDER BY s.number LIMIT 1
          """
    } else {
      sql = Self.select + isOfStore + " AND \(isDone) ORDER BY s.number DESC LIMIT 1"
    }
    return try session.rows(sql, values).first.flatMap(Self.record).map { try step($0) }
  }

  /// The steps of a store that were begun by processes which are gone, oldest first: nobody knows
  /// what became of them.
  func abandoned(at location: StoreLocation) throws -> [Step] {
    let rows = try session.rows(
      "SELECT number, process FROM steps WHERE path = ?1 AND collection IS ?2 AND pending "
        + "ORDER BY number", Self.values(location))
    return try rows.compactMap { row in
      guard case .integer(let number) = row[0], case .text(let process) = row[1],
        !JournalProcess.isRunning(process)
      else { return nil }
      return try record(number).map { try step($0) }
    }
  }

  func setPending(_ number: Int64) throws {
    try session.run(
      "UPDATE steps SET pending = 1, process = ?2, turn = \(Self.nextTurn) WHERE number = ?1",
      [.integer(number), .text(JournalProcess.own)])
  }

  /// Keeps which entries of a step are as it made them, and forgets one that never did anything.
  func settle(_ step: Step) throws {
    let number = SQLiteValue.integer(step.record.step.number)
    let isDone = step.items.contains(where: \.isDone)
    let wasDone = try session.rows("SELECT was_done FROM steps WHERE number = ?", [number])
    guard isDone || wasDone.first?.first == .integer(1) else { return try remove(number) }
    for (place, item) in step.items.enumerated() {
      try session.run(
        "UPDATE items SET done = ?3, after = ?4 WHERE step = ?1 AND number = ?2",
        [
          number, .integer(Int64(place)), .integer(item.isDone ? 1 : 0),
          Self.blob(item.after.map { EntryCoding.encode($0, form: item.afterForm) }),
        ])
    }
    try session.run("UPDATE steps SET pending = 0, was_done = 1 WHERE number = ?", [number])
  }

  /// Removes the oldest steps until so many bytes more are within the limit.
  private func makeRoom(_ size: Int, limit: Int) throws {
    guard case .integer(let sum)? = try session.rows("SELECT sum(size) FROM steps").first?.first
    else { return }
    var excess = Int(sum) + size - limit
    while excess > 0,
      let oldest = try session.rows("SELECT number, size FROM steps ORDER BY number LIMIT 1").first,
      case .integer(let size) = oldest[1]
    {
      try remove(oldest[0])
      excess -= Int(size)
    }
    try session.run("PRAGMA incremental_vacuum")
  }

  private func remove(_ number: SQLiteValue) throws {
    try session.run("DELETE FROM items WHERE step = ?", [number])
    try session.run("DELETE FROM steps WHERE number = ?", [number])
  }

  private func step(_ record: JournalRecord) throws -> Step {
    let number = SQLiteValue.integer(record.step.number)
    let rows = try session.rows(
      "SELECT key, new_key, before, after, done FROM items WHERE step = ? ORDER BY number", [number]
    )
    let pending = try session.rows("SELECT pending FROM steps WHERE number = ?", [number])
    return Step(
      record: record, isPending: pending.first?.first == .integer(1),
      items: try rows.map(Self.item))
  }
}

// MARK: - Rows

extension JournalTable {
  private static let select = """
    SELECT s.number, s.time, s.path, s.collection, s.action,
      (SELECT count(*) FROM items WHERE step = s.number),
      (SELECT key FROM items WHERE step = s.number AND number = 0),
      \(isDone), s.pending,
      (SELECT new_key FROM items WHERE step = s.number AND number = 0), s.process
    FROM steps AS s
    """
  private static let isDone = "EXISTS(SELECT 1 FROM items WHERE step = s.number AND done)"
  /// A number that grows each time that a step is made, taken back or done again.
  private static let nextTurn = "(SELECT coalesce(max(turn), 0) + 1 FROM steps)"

  private static func values(_ location: StoreLocation?) -> [SQLiteValue] {
    guard let location else { return [] }
    return [.text(location.path), location.collection.map { .text($0) } ?? .null]
  }

  private static func record(_ row: [SQLiteValue]) -> JournalRecord? {
    guard row.count == 11, case .integer(let number) = row[0], case .real(let time) = row[1],
      case .text(let path) = row[2], case .text(let word) = row[4],
      case .text(let process) = row[10], let action = JournalStep.Action(rawValue: word),
      case .integer(let count) = row[5],
      case .blob(let bytes) = row[6], let key = EntryCoding.key(bytes)
    else { return nil }
    let collection: String? = if case .text(let name) = row[3] { name } else { nil }
    return JournalRecord(
      step: JournalStep(
        number: number, action: action, count: Int(count), key: key,
        newKey: Self.bytes(row[9]).flatMap(EntryCoding.key), isUndone: row[7] != .integer(1)),
      time: Date(timeIntervalSince1970: time),
      location: StoreLocation(path: path, collection: collection),
      state: row[8] != .integer(1)
        ? .settled
        : JournalProcess.isRunning(process) ? .running : .interrupted)
  }

  private static func item(_ row: [SQLiteValue]) throws -> JournalItem {
    guard row.count == 5, let key = bytes(row[0]).flatMap(EntryCoding.key) else {
      throw StoreError.corrupt("the journal holds a step that cannot be read")
    }
    return JournalItem(
      key: key, newKey: try decoded(row[1], EntryCoding.key),
      before: try decoded(row[2], EntryCoding.value),
      after: try decoded(row[3], EntryCoding.value), isDone: row[4] == .integer(1),
      beforeForm: bytes(row[2]).flatMap(EntryCoding.form),
      afterForm: bytes(row[3]).flatMap(EntryCoding.form))
  }

  private static func decoded<Value>(
    _ column: SQLiteValue, _ decode: ([UInt8]) -> Value?
  ) throws -> Value? {
    guard let bytes = bytes(column) else { return nil }
    guard let value = decode(bytes) else {
      throw StoreError.corrupt("the journal holds a step that cannot be read")
    }
    return value
  }

  private static func bytes(_ column: SQLiteValue) -> [UInt8]? {
    if case .blob(let bytes) = column { bytes } else { nil }
  }

  private static func blob(_ bytes: [UInt8]?) -> SQLiteValue {
    bytes.map { .blob($0) } ?? .null
  }

  private static func size(of column: SQLiteValue) -> Int {
    bytes(column)?.count ?? 0
  }
}
