import Foundation
public import Harmony

/// Keeps the times of a cache in the table of its values, in two columns of the row of each.
///
/// ```swift
/// let sessions = SQLiteDataSource<String>(path: path, table: "sessions")
/// let cache = TimedCacheDataSource(
///   sessions, expiryInterval: 600, times: SQLiteCacheTimes(path: path, table: "sessions"))
/// ```
///
/// The columns are added to a table that has not got them:
///
/// ```sql
/// ALTER TABLE sessions ADD COLUMN stored REAL;
/// ALTER TABLE sessions ADD COLUMN expires REAL NOT NULL DEFAULT 946684800;
/// ```
///
/// Both are seconds since 1970; `expires` is 0 for what never expires, and the first second of the
/// year 2000 where nothing is known, which has expired. A time goes with its row. Each call waits for
/// the database, on the thread that calls.
public final class SQLiteCacheTimes: CacheTimesStore {
  private let connection: SQLiteConnection
  private let table: SQLiteEntryTable

  /// What stands for nothing that is known.
  private static let unknown = CacheTimes.unknownEnd.timeIntervalSince1970

  /// Describes where times are kept; nothing is opened before the first call.
  ///
  /// - Parameters:
  ///   - path: The path of the database file, which has to be there by the first call that keeps a time.
  ///   - table: The table of the values.
  ///   - busyTimeout: How long a call waits for the locks of others.
  public init(
    path: String, table: SQLiteEntryTable = "entries", busyTimeout: Duration = .seconds(5)
  ) {
    self.table = table
    connection = SQLiteConnection(
      path: path, access: .writing, busyTimeout: busyTimeout, label: "HarmonySQLite.times")
  }

  /// Reads the times of a key.
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

  /// Keeps the times of a key that has a value, or forgets them.
  public func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([(key, times)])
  }

  /// Keeps the times of keys that have values, or forgets them, in one transaction.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    let table = table
    try waiting(orElse: ()) { session in
      let columns = try Self.columns(of: table, session)
      let isNew = !columns.isSuperset(of: ["stored", "expires"])
      // Where there are no columns, nothing is known that could be forgotten.
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
      // A row that is as it was need not be written, which would have to wait for the disk.
      return try session.run(
        "UPDATE \(table.table) SET stored = NULL, expires = ?1 "
          + "WHERE \(table.key) = ?2 AND expires <> ?1", [.real(unknown), .text(key)])
    }
    let expires = times.expires?.timeIntervalSince1970 ?? 0
    try session.run(
      "UPDATE \(table.table) SET stored = ?, expires = ? WHERE \(table.key) = ?",
      [.real(times.stored.timeIntervalSince1970), .real(expires), .text(key)])
  }

  /// Forgets the times of all keys.
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

  /// The names of the columns of the table; none where there is no such table.
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

  /// Does something in the database, and waits for it; nothing where there is no file yet.
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
