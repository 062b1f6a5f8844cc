import CSQLite

/// A compiled statement of a session, which is bound, stepped and reset.
///
/// Made by ``SQLiteSession/statement(_:)`` and reset by the session when its operation ends, so
/// that no read lock outlives an operation. Use it inside the operation only; it is not `Sendable`.
public final class SQLiteStatement {
  /// The text that was compiled.
  public let sql: String
  /// The number of columns in each row.
  public let columnCount: Int
  let handle: OpaquePointer
  private let connection: OpaquePointer
  // These are looked at for each of millions of rows, on one thread and never while they are changed,
  // so that nothing has to watch over it.
  /// How the database keeps its text.
  @exclusivity(unchecked) var encoding = SQLiteEncoding.unknown
  /// Bytes that were lent in place of the database's own, until the next step.
  @exclusivity(unchecked) var lent: [UnsafeMutableRawBufferPointer] = []
  /// Whether an operation uses it, and whether its session keeps it for the next one.
  @exclusivity(unchecked) var isLent = false
  @exclusivity(unchecked) var isCached = false
  /// Whether the last row was passed; SQLite would start again from the first.
  @exclusivity(unchecked) private var isDone = false

  init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteError) {
    let (handle, rest) = try SQLiteText.compile(sql[...], on: connection, sql)
    guard let handle else { throw SQLiteError(.error, "the statement is empty", sql: sql) }
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

  /// The number of parameters, which are counted from 1.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Whether the statement leaves the database as it is.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The name of a column, counted from 0.
  public func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(clamping: column)).map { String(cString: $0) } ?? ""
  }

  /// Gives a parameter its value, copied.
  ///
  /// - Throws: ``SQLiteError`` where there is no such parameter or the value is too big.
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
      guard let units = SQLiteWideText.units(bytes) else {
        throw SQLiteError(
          .constraint, "its text is UTF-16, and these bytes are not text in it", sql: sql)
      }
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

  /// Gives all parameters their values.
  ///
  /// - Throws: ``SQLiteError`` where there are not as many values as parameters, or a value is too
  ///   big.
  public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    // A parameter without a value would be null, or what it was before.
    guard values.count == parameterCount else {
      throw SQLiteError(
        .range, "\(parameterCount) values are needed, and there are \(values.count)", sql: sql)
    }
    for (index, value) in values.enumerated() {
      try bind(value, at: index + 1)
    }
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

  /// Binds units as they are: SQLite's own conversion loses some, also of what is valid.
  private func bindWide(_ units: [UInt16], _ index: Int32) -> Int32 {
    // SQLite takes the first unit for a mark of the byte order where it looks like one.
    let marked = [0xFEFF] + units
    return marked.withUnsafeBytes { bytes in
      sqlite3_bind_text64(
        handle, index, bytes.bindMemory(to: CChar.self).baseAddress, UInt64(bytes.count),
        cs_transient(), UInt8(SQLITE_UTF16))
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: False after the last row, until the statement is reset.
  /// - Throws: ``SQLiteError`` with the database's own message; the statement is then reset.
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

  /// Steps to the end, for statements whose rows do not matter.
  ///
  /// - Throws: ``SQLiteError`` with the database's own message.
  public func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Goes back before the first row and gives up the locks; bound values stay.
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

  /// Forgets bound values, which may be large.
  func clear() {
    reset()
    sqlite3_clear_bindings(handle)
  }
}
