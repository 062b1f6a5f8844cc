import Foundation
public import Harmony

/// A store that persists the times of a cache in the table of its values, in two columns of each
/// row.
///
/// ```swift
/// let sessions = SQLiteDataSource<String>(path: path, table: "sessions")
/// let cache = TimedCacheDataSource(
///   sessions, expiryInterval: 600, times: SQLiteCacheTimes(path: path, table: "sessions"))
/// ```
///
/// The columns are added to a table that does not have them:
///
/// ```sql
/// ALTER TABLE sessions ADD COLUMN stored REAL;
/// ALTER TABLE sessions ADD COLUMN expires REAL NOT NULL DEFAULT 946684800;
/// ```
///
/// Both contain seconds since 1970. `expires` is 0 for values that never expire, and the first
/// second of 2000, which is in the past, for values with unknown times. Times are deleted with
/// their rows. Each call blocks its thread until the database answers.
public final class SQLiteCacheTimes: CacheTimesStore {
  private let connection: SQLiteConnection
  private let table: SQLiteEntryTable

  /// The expiry of values with unknown times.
  private static let unknown = CacheTimes.unknownEnd.timeIntervalSince1970

  /// Creates a store without opening the database.
  ///
  /// - Parameters:
  ///   - path: The path of the database file, which must exist when times are first saved.
  ///   - table: The table of the values.
  ///   - busyTimeout: The maximum time that a call waits for locks of other connections.
  public init(
    path: String, table: SQLiteEntryTable = "entries", busyTimeout: Duration = .seconds(5)
  ) {
    self.table = table
    connection = SQLiteConnection(
      path: path, access: .writing, busyTimeout: busyTimeout, label: "HarmonySQLite.times")
  }

  /// Returns the times of a key.
  public func times(of key: String) throws -> CacheTimes? {
    let table = table
    return try waiting(orElse: nil) { session in
      guard try Self.columns(of: table, session).isSuperset(of: ["stored", "expires"]) else {
        return nil
      }
      let rows = try session.rows(
        "SELECT stored, expires FROM \(table.table) WHERE \(table.key) = ?", [.text(key)])
      guard let row = rows.first, let stored = Self.number(row[0]),
        let expires = Self.number(row[1]),
        expires != Self.unknown
      else { return nil }
      return CacheTimes(
        stored: Date(timeIntervalSince1970: stored),
        expires: expires == 0 ? nil : Date(timeIntervalSince1970: expires))
    }
  }

  /// Saves or removes the times of a key that has a value.
  public func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([(key, times)])
  }

  /// Saves or removes the times of keys that have values, in one transaction.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    let table = table
    try waiting(orElse: ()) { session in
      let columns = try Self.columns(of: table, session)
      let isNew = !columns.isSuperset(of: ["stored", "expires"])
      // Without the columns, no times are known that could be removed.
      guard !columns.isEmpty, !isNew || changes.contains(where: { $0.times != nil }) else { return }
      try session.write {
        if isNew { try Self.prepare(table, session) }
        for (key, times) in changes { try Self.set(times, key, table, session) }
      }
    }
  }

  private static func set(
    _ times: CacheTimes?, _ key: String, _ table: SQLiteEntryTable, _ session: SQLiteSession
  ) throws(SQLiteError) {
    guard let times else {
      // Unchanged rows are not written, because that would wait for the disk.
      return try session.run(
        "UPDATE \(table.table) SET stored = NULL, expires = ?1 "
          + "WHERE \(table.key) = ?2 AND expires <> ?1", [.real(unknown), .text(key)])
    }
    let expires = times.expires?.timeIntervalSince1970 ?? 0
    try session.run(
      "UPDATE \(table.table) SET stored = ?, expires = ? WHERE \(table.key) = ?",
      [.real(times.stored.timeIntervalSince1970), .real(expires), .text(key)])
  }

  /// Removes the times of all keys.
  public func forgetTimes() throws {
    let table = table
    try waiting(orElse: ()) { session in
      guard try Self.columns(of: table, session).contains("expires") else { return }
      try session.write {
        _ = try session.rows(
          "UPDATE \(table.table) SET stored = NULL, expires = ?", [.real(Self.unknown)])
      }
    }
  }

  private static func number(_ value: SQLiteValue) -> Double? {
    switch value {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .null, .text, .malformedText, .blob: nil
    }
  }

  /// Returns the names of the table's columns; empty if there is no such table.
  private static func columns(
    of table: SQLiteEntryTable, _ session: SQLiteSession
  ) throws(SQLiteError) -> Set<String> {
    let rows = try session.rows("SELECT name FROM pragma_table_info(?)", [.text(table.name)])
    return Set(
      rows.compactMap { row in
        if case .text(let name)? = row.first { name.lowercased() } else { nil }
      })
  }

  private static func prepare(
    _ table: SQLiteEntryTable, _ session: SQLiteSession
  ) throws(SQLiteError) {
    let columns = try columns(of: table, session)
    if !columns.contains("stored") {
      try session.execute("ALTER TABLE \(table.table) ADD COLUMN stored REAL")
    }
    if !columns.contains("expires") {
      try session.execute(
        "ALTER TABLE \(table.table) ADD COLUMN expires REAL NOT NULL DEFAULT \(Int(unknown))")
    }
  }

  /// Performs an action with the database and waits for it; does nothing if there is no file yet.
  private func waiting<Answer>(
    orElse missing: Answer, _ body: (SQLiteSession) throws -> Answer
  ) throws -> Answer {
    do {
      return try connection.wait(body)
    } catch let error as SQLiteError where error.code == .cannotOpen {
      return missing
    }
  }
}
