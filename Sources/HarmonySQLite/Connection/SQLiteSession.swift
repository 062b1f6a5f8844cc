import CSQLite
import Synchronization

/// A database connection during one operation, on the connection's queue.
///
/// ``SQLiteConnection`` passes it to closures. Statements are compiled once and cached. When an
/// operation ends, open statements are reset and an open transaction is rolled back. It is not
/// `Sendable`: store neither a session nor its statements.
public final class SQLiteSession {
  /// The identity of the file that the session was opened for.
  public internal(set) var file: SQLiteFile.Identity?
  /// A number that is unique in the process.
  ///
  /// Values that are specific to a session, such as `PRAGMA data_version`, must not be compared
  /// across sessions.
  public let number = SQLiteSession.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)
  let handle: OpaquePointer
  private let busy: SQLiteBusyWait
  private var cache: [String: SQLiteStatement] = [:]
  private var lent: [SQLiteStatement] = []
  /// A statement that stays between two rows while an operation runs.
  ///
  /// SQLite clears an interrupt when no statement is running; this one keeps it in effect in
  /// between.
  private var guardian: SQLiteStatement?
  private static let cacheLimit = 64
  /// The test function for rows, once it was created.
  var knownRowTester: SQLiteRowTester?

  /// Whether shadow tables were written directly, whose contents virtual tables may have cached.
  ///
  /// The connection then closes the session after the operation.
  var isStale = false

  /// The text encoding of the database, once it is known.
  private var knownEncoding: SQLiteEncoding?

  /// The text encoding of the database.
  var encoding: SQLiteEncoding {
    if let knownEncoding { return knownEncoding }
    guard let statement = try? SQLiteStatement(handle, "PRAGMA encoding"),
      (try? statement.step()) == true, let name = statement.text(at: 0)
    else { return .unknown }
    let encoding: SQLiteEncoding = name == "UTF-8" ? .utf8 : .utf16
    knownEncoding = encoding
    return encoding
  }

  /// Disables SQLite's memory statistics, for which all connections would share a lock.
  ///
  /// This has no effect if SQLite is already in use in the process.
  private static let isConfigured = cs_count_no_memory() == SQLITE_OK

  /// Opens the file of a `file:` URI.
  init(uri: String, flags: Int32, busyTimeout: Duration) throws(SQLiteError) {
    _ = Self.isConfigured
    var handle: OpaquePointer?
    // A serial queue uses the connection, so SQLite's own mutexes are not needed:
    // https://www.sqlite.org/threadsafe.html, "Multi-thread".
    let result = sqlite3_open_v2(
      uri, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle else {
      let error = SQLiteError(opening: handle, result)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    busy = SQLiteBusyWait(timeout: busyTimeout)
    busy.install(on: handle)
    sqlite3_extended_result_codes(handle, 1)
    // A database is untrusted data: its schema must not have effects outside of it or corrupt it.
    _ = cs_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    try SQLiteSchemaFunctions.restrict(handle)
    guardian = try SQLiteStatement(handle, "SELECT 1 UNION ALL SELECT 2")
  }

  deinit {
    guardian = nil
    lent = []
    cache = [:]
    sqlite3_close_v2(handle)
  }

  /// Releases all caches of a session that only has to stay open.
  func shrink() {
    emptyCache()
    sqlite3_db_release_memory(handle)
  }

  /// Returns the statement of an SQL text, compiled or from the cache.
  ///
  /// It is in use until the operation ends. To run a statement repeatedly in a loop, use
  /// ``query(_:_:_:)`` or ``run(_:_:)``, which return it to the cache.
  ///
  /// - Throws: ``SQLiteError`` if the text cannot be compiled or has more than one statement.
  public func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    let statement: SQLiteStatement
    if let cached = cache[sql], !cached.isLent {
      statement = cached
    } else {
      statement = try SQLiteStatement(handle, sql)
      statement.encoding = encoding
    }
    statement.isLent = true
    lent.append(statement)
    return statement
  }

  /// Checks whether an SQL text can be compiled with the current schema, without running it.
  ///
  /// - Throws: ``SQLiteError`` if it cannot.
  public func check(_ sql: String) throws(SQLiteError) {
    _ = try SQLiteStatement(handle, sql)
  }

  /// Returns the statement of an SQL text, with its parameters bound.
  ///
  /// - Throws: ``SQLiteError`` if the text cannot be compiled or has more than one statement, if
  ///   the numbers of values and parameters differ, or if a value cannot be bound.
  public func statement(
    _ sql: String, _ values: [SQLiteValue]
  ) throws(SQLiteError) -> SQLiteStatement {
    let statement = try statement(sql)
    try statement.bind(values)
    return statement
  }

  /// Calls a closure with a statement, whose parameters are bound, and returns it to the cache.
  ///
  /// The statement is compiled only once, even in a loop of a million calls, as long as the calls
  /// are not nested.
  ///
  /// - Throws: The errors of ``statement(_:_:)`` and of the closure.
  public func query<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(sql, values)
    defer { takeBack(statement) }
    return try body(statement)
  }

  /// Runs a statement to completion.
  ///
  /// - Throws: ``SQLiteError`` with SQLite's own message; see also ``statement(_:_:)``.
  public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    try run(sql) { statement throws(SQLiteError) in try statement.bind(values) }
  }

  /// Runs a statement to completion, after a closure has bound its parameters.
  func run(
    _ sql: String, binding bind: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try statement(sql)
    try bind(statement)
    try statement.run()
    takeBack(statement)
  }

  /// Runs a script of statements separated by semicolons.
  ///
  /// - Throws: ``SQLiteError`` of the first statement that fails, after those before it have run.
  public func execute(_ script: String) throws(SQLiteError) {
    try SQLiteText.check(script)
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result, sql: script) }
  }

  /// Returns copies of all rows of a statement.
  ///
  /// - Throws: ``SQLiteError`` with SQLite's own message; see also ``statement(_:_:)``.
  public func rows(
    _ sql: String, _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try statement(sql, values)
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
    }
    takeBack(statement)
    return rows
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, excluding triggers.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The rowid of the last inserted row.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether the transaction has unresolved foreign key violations, so that it cannot be committed.
  package var hasBrokenForeignKeys: Bool {
    var (count, highest): (Int32, Int32) = (0, 0)
    let result = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    return result == SQLITE_OK && count != 0
  }

  /// Whether the connection is read-only.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs a closure with a limit on the size of values: a statement that encounters a larger value
  /// fails with ``SQLiteResultCode/tooBig`` before allocating memory for it.
  ///
  /// - Throws: The error of the closure.
  package func limitingValues<Result, Failure: Error>(
    to count: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, before) }
    return try body()
  }

  /// Returns the number of stored bytes of a text or blob, without reading it; nil if not
  /// available.
  package func storedByteCount(table: String, column: String, rowid: Int64) -> Int? {
    var blob: OpaquePointer?
    defer { sqlite3_blob_close(blob) }
    guard sqlite3_blob_open(handle, "main", table, column, rowid, 0, &blob) == SQLITE_OK else {
      return nil
    }
    return Int(sqlite3_blob_bytes(blob))
  }

  func setFlag(_ flag: Int32, _ isOn: Bool) {
    _ = cs_set_flag(handle, flag, isOn ? 1 : 0)
  }

  /// Runs a closure with foreign keys enforced or not, and restores the previous setting.
  ///
  /// - Throws: The error of the closure.
  public func withForeignKeys<Result>(_ isOn: Bool, _ body: () throws -> Result) rethrows -> Result
  {
    let wasOn = keepsForeignKeys
    setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, isOn)
    defer { setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, wasOn) }
    return try body()
  }

  /// Whether foreign keys are enforced; otherwise rows may reference missing rows.
  public var keepsForeignKeys: Bool {
    var isOn: Int32 = 0
    _ = cs_get_flag(handle, SQLITE_DBCONFIG_ENABLE_FKEY, &isOn)
    return isOn != 0
  }

  /// Runs an operation, which the cancellation can stop, and cleans up afterwards.
  func operate<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    busy.cancellation = cancellation
    defer {
      settle()
      busy.cancellation = nil
      if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
    _ = try guardian?.step()
    try cancellation?.begin(handle)
    return try body(self)
  }

  /// Ends the cancellation's access and resets all statements, so that nothing is interrupted or
  /// locked afterwards.
  func settle() {
    busy.cancellation?.end()
    for statement in lent { keep(statement) }
    lent = []
    guardian?.reset()
  }

  /// The number of compiled statements of the session.
  var statementCount: Int { lent.count { !$0.isCached } + cache.count }

  /// Returns a statement to the cache, so that an operation that runs it repeatedly compiles it
  /// only once.
  private func takeBack(_ statement: SQLiteStatement) {
    if lent.last === statement {
      lent.removeLast()
    } else {
      lent.removeAll { $0 === statement }
    }
    keep(statement)
  }

  private func keep(_ statement: SQLiteStatement) {
    statement.clear()
    statement.isLent = false
    guard !statement.isCached else { return }
    if cache.count >= Self.cacheLimit { emptyCache() }
    cache.updateValue(statement, forKey: statement.sql)?.isCached = false
    statement.isCached = true
  }

  private func emptyCache() {
    for statement in cache.values { statement.isCached = false }
    cache = [:]
  }
}
