import CSQLite
import Synchronization

/// A connection as one operation sees it, on the connection's queue.
///
/// Lent to closures by ``SQLiteConnection``. Statements are compiled once and kept; whatever an
/// operation leaves open is reset when it ends, and an open transaction is rolled back. Not
/// `Sendable`: keep neither it nor its statements.
public final class SQLiteSession {
  /// The file that the session was opened for.
  public internal(set) var file: SQLiteFile.Identity?
  /// A number that no other session of the process has.
  ///
  /// What SQLite says of a session alone, such as `PRAGMA data_version`, means nothing in another.
  public let number = SQLiteSession.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)
  let handle: OpaquePointer
  private let busy: SQLiteBusyWait
  private var cache: [String: SQLiteStatement] = [:]
  private var lent: [SQLiteStatement] = []
  /// A statement that is in the middle of its rows while an operation runs.
  ///
  /// SQLite forgets an interrupt when no statement runs; this one keeps it in force between them.
  private var guardian: SQLiteStatement?
  private static let cacheLimit = 64
  /// What statements ask which rows they keep, once one has.
  var knownRowTester: SQLiteRowTester?

  /// Whether something was written behind the back of virtual tables, which may have read it ahead:
  /// then the connection closes the session after the operation.
  var isStale = false

  /// How the database keeps its text, once that is known.
  private var knownEncoding: SQLiteEncoding?

  /// How the database keeps its text.
  var encoding: SQLiteEncoding {
    if let knownEncoding { return knownEncoding }
    guard let statement = try? SQLiteStatement(handle, "PRAGMA encoding"),
      (try? statement.step()) == true, let name = statement.text(at: 0)
    else { return .unknown }
    let encoding: SQLiteEncoding = name == "UTF-8" ? .utf8 : .utf16
    knownEncoding = encoding
    return encoding
  }

  /// That SQLite counts no memory, for which all connections would take turns: nobody asks.
  ///
  /// Where something else in the process uses SQLite already, it stays as it is.
  private static let isConfigured = cs_count_no_memory() == SQLITE_OK

  /// Opens the file that a `file:` URI names.
  init(uri: String, flags: Int32, busyTimeout: Duration) throws(SQLiteError) {
    _ = Self.isConfigured
    var handle: OpaquePointer?
    // One serial queue uses the connection, so SQLite's own mutexes are not needed:
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
    // A database is data, not a program: its schema may not reach outside or corrupt itself.
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

  /// Gives up all memory that can be had again, in a session that only has to stay open.
  func shrink() {
    emptyCache()
    sqlite3_db_release_memory(handle)
  }

  /// The statement of a text, compiled or taken from the cache.
  ///
  /// It is lent until the operation ends: one that asks in a loop has as many statements by then, and
  /// better uses ``query(_:_:_:)`` or ``run(_:_:)``.
  ///
  /// - Throws: ``SQLiteError`` where the text cannot be compiled, or is more than one statement.
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

  /// Finds out whether a text can be compiled as things are now, and runs nothing.
  ///
  /// - Throws: ``SQLiteError`` where it cannot.
  public func check(_ sql: String) throws(SQLiteError) {
    _ = try SQLiteStatement(handle, sql)
  }

  /// The statement of a text with its parameters bound.
  ///
  /// - Throws: ``SQLiteError`` where the text cannot be compiled or is more than one statement,
  ///   where there are not as many values as parameters, or where a value cannot be bound.
  public func statement(
    _ sql: String, _ values: [SQLiteValue]
  ) throws(SQLiteError) -> SQLiteStatement {
    let statement = try statement(sql)
    try statement.bind(values)
    return statement
  }

  /// Lends a statement with its parameters bound to a closure, and takes it back afterwards.
  ///
  /// An operation that does so a million times compiles the statement once, as long as one use has
  /// ended before the next begins.
  ///
  /// - Throws: What ``statement(_:_:)`` throws, and what the closure does.
  public func query<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(sql, values)
    defer { takeBack(statement) }
    return try body(statement)
  }

  /// Runs a statement to its end.
  ///
  /// - Throws: ``SQLiteError`` with the database's own message; see ``statement(_:_:)`` too.
  public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    let statement = try statement(sql, values)
    try statement.run()
    takeBack(statement)
  }

  /// Runs a script of statements separated by semicolons.
  ///
  /// - Throws: ``SQLiteError`` for the first statement that fails; those before it have been done.
  public func execute(_ script: String) throws(SQLiteError) {
    try SQLiteText.check(script)
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result, sql: script) }
  }

  /// The rows of a statement, all copied.
  ///
  /// - Throws: ``SQLiteError`` with the database's own message; see ``statement(_:_:)`` too.
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

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, without its triggers.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The rowid of the row that was inserted last.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether the transaction has left rows that refer to others that are not there, so that it
  /// cannot be committed.
  package var hasBrokenForeignKeys: Bool {
    var (count, highest): (Int32, Int32) = (0, 0)
    let result = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    return result == SQLITE_OK && count != 0
  }

  /// Whether the file cannot be written through this connection.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs a body in which values of more than so many bytes are not read: a statement that comes to
  /// one fails with ``SQLiteResultCode/tooBig`` before it takes any memory for it.
  ///
  /// - Throws: What the body throws.
  package func limitingValues<Result, Failure: Error>(
    to count: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, before) }
    return try body()
  }

  /// The number of bytes that the database keeps for a text or blob, which is not read for it; nil
  /// where that cannot be told so.
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

  /// Runs a body that keeps foreign keys, or does not, and goes back to what was.
  ///
  /// - Throws: What the body throws.
  public func withForeignKeys<Result>(_ isOn: Bool, _ body: () throws -> Result) rethrows -> Result
  {
    let wasOn = keepsForeignKeys
    setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, isOn)
    defer { setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, wasOn) }
    return try body()
  }

  /// Whether foreign keys are kept; otherwise rows may refer to what is not there.
  public var keepsForeignKeys: Bool {
    var isOn: Int32 = 0
    _ = cs_get_flag(handle, SQLITE_DBCONFIG_ENABLE_FKEY, &isOn)
    return isOn != 0
  }

  /// Runs one operation, which the cancellation can stop, and cleans up after it.
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

  /// Ends the reach of the cancellation and every statement, so that nothing is interrupted or
  /// locked from here on.
  func settle() {
    busy.cancellation?.end()
    for statement in lent { keep(statement) }
    lent = []
    guardian?.reset()
  }

  /// How many compiled statements the session holds.
  var statementCount: Int { lent.count { !$0.isCached } + cache.count }

  /// Takes back a statement that is done with, so that an operation that runs it a million times
  /// compiles it once.
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
