import CSQLite

/// A compiled statement of a session.
///
/// It is created by ``SQLiteSession/statement(_:)`` and reset when the operation of the session
/// ends, so that no read lock outlives an operation. Use it only within the operation; it is not
/// `Sendable`.
public final class SQLiteStatement {
  /// The SQL text.
  public let sql: String
  /// The number of columns in each row.
  public let columnCount: Int
  let handle: OpaquePointer
  private let connection: OpaquePointer
  // These are accessed for each of millions of rows, on a single thread and never during a change,
  // so that exclusivity need not be checked.
  /// The text encoding of the database.
  @exclusivity(unchecked) var encoding = SQLiteEncoding.unknown
  /// Buffers that replace the database's own bytes until the next step.
  @exclusivity(unchecked) var lent: [UnsafeMutableRawBufferPointer] = []
  /// Whether an operation uses the statement.
  @exclusivity(unchecked) var isLent = false
  /// Whether its session caches the statement.
  @exclusivity(unchecked) var isCached = false
  /// Whether the last row was passed; SQLite would start again with the first one.
  @exclusivity(unchecked) private var isDone = false

  init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteError) {
    let (handle, rest) = try SQLiteText.compile(sql[...], on: connection, sql)
    guard let handle else { throw SQLiteError.empty(sql) }
    do throws(SQLiteError) {
      try SQLiteText.checkEmpty(rest, on: connection, sql)
    } catch {
      sqlite3_finalize(handle)
      throw error
    }
    self.sql = sql
    self.connection = connection
    self.handle = handle
    columnCount = Int(sqlite3_column_count(handle))
  }

  deinit {
    takeBack()
    sqlite3_finalize(handle)
  }

  /// The number of parameters, which are numbered from 1.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Whether the statement does not change the database.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Returns the name of a column, numbered from 0.
  public func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(clamping: column)).map { String(cString: $0) } ?? ""
  }

  /// Binds a copy of a value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if there is no such parameter or the value is too large.
  public func bind(_ value: SQLiteValue, at parameter: Int) throws(SQLiteError) {
    let index = Int32(clamping: parameter)
    let result: Int32
    switch value {
    case .null: result = sqlite3_bind_null(handle, index)
    case .integer(let number): result = sqlite3_bind_int64(handle, index, number)
    case .real(let number): result = sqlite3_bind_double(handle, index, number)
    case .text(let text) where encoding == .utf16: result = bindWide(Array(text.utf16), index)
    case .text(var text): result = text.withUTF8 { bindText($0, index) }
    case .malformedText(let bytes) where encoding == .utf16:
      guard let units = SQLiteWideText.units(bytes) else { throw .notUTF16(sql) }
      result = bindWide(units, index)
    case .malformedText(let bytes): result = bytes.withUnsafeBufferPointer { bindText($0, index) }
    case .blob(let bytes):
      result =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : bytes.withUnsafeBytes {
          sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), cs_transient())
        }
    }
    guard result == SQLITE_OK else { throw SQLiteError(connection, result, sql: sql) }
  }

  /// Binds values to all parameters.
  ///
  /// - Throws: ``SQLiteError`` if the numbers of values and parameters differ, or if a value is too
  ///   large.
  public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    // An unbound parameter would be null or have a previous value.
    guard values.count == parameterCount else {
      throw .valueCount(values.count, of: parameterCount, sql)
    }
    for (index, value) in values.enumerated() {
      try bind(value, at: index + 1)
    }
  }

  /// Binds a copy of text to a parameter, if the encoding of the database is UTF-8.
  func bind(utf8 text: ArraySlice<UInt8>, at parameter: Int) throws(SQLiteError) {
    let result = text.withUnsafeBufferPointer { bindText($0, Int32(clamping: parameter)) }
    guard result == SQLITE_OK else { throw SQLiteError(connection, result, sql: sql) }
  }

  private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int32) -> Int32 {
    // A buffer without an address would be bound as null.
    guard let start = bytes.baseAddress else {
      return sqlite3_bind_text(handle, index, "", 0, cs_transient())
    }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text64(
        handle, index, $0, UInt64(bytes.count), cs_transient(), UInt8(SQLITE_UTF8))
    }
  }

  /// Binds UTF-16 unchanged: SQLite's own conversion loses some characters, even valid ones.
  private func bindWide(_ units: [UInt16], _ index: Int32) -> Int32 {
    // SQLite interprets the first unit as a byte order mark if it looks like one.
    let marked = [0xFEFF] + units
    return marked.withUnsafeBytes { bytes in
      sqlite3_bind_text64(
        handle, index, bytes.bindMemory(to: CChar.self).baseAddress, UInt64(bytes.count),
        cs_transient(), UInt8(SQLITE_UTF16))
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: False after the last row, until the statement is reset.
  /// - Throws: ``SQLiteError`` with SQLite's own message; the statement is then reset.
  public func step() throws(SQLiteError) -> Bool {
    guard !isDone else { return false }
    takeBack()
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE {
      isDone = true
      return false
    }
    let error = SQLiteError(connection, result, sql: sql)
    reset()
    throw error
  }

  /// Steps to the end and ignores any rows.
  ///
  /// - Throws: ``SQLiteError`` with SQLite's own message.
  public func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Resets the statement to before the first row and releases its locks; bound values stay.
  public func reset() {
    isDone = false
    takeBack()
    sqlite3_reset(handle)
  }

  private func takeBack() {
    guard !lent.isEmpty else { return }
    for bytes in lent { bytes.deallocate() }
    lent = []
  }

  /// Resets the statement and releases the bound values, which may be large.
  func clear() {
    reset()
    sqlite3_clear_bindings(handle)
  }
}
