import CSQLite

/// Functions that compile SQL texts and reject any part that SQLite would ignore.
enum SQLiteText {
  /// Throws if a text contains a NUL byte, at which SQLite would stop reading.
  static func check(_ sql: String) throws(SQLiteError) {
    if sql.utf8.contains(0) { throw .zeroByte(inStatement: sql) }
  }

  /// Compiles the first statement of a text.
  ///
  /// - Returns: The statement, or nil if there is none, and the rest of the text.
  static func compile(
    _ text: Substring, on connection: OpaquePointer, _ sql: String
  ) throws(SQLiteError) -> (handle: OpaquePointer?, rest: Substring) {
    try check(sql)
    var handle: OpaquePointer?
    var copy = String(text)
    let (result, used) = copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v3(
          connection, bytes.baseAddress, Int32(clamping: bytes.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        let used = bytes.baseAddress.flatMap { start in tail.map { $0 - start } }
        return (result, used ?? bytes.count)
      }
    }
    guard result == SQLITE_OK else { throw SQLiteError(connection, result, sql: sql) }
    return (handle, Substring(text.utf8.dropFirst(used)))
  }

  /// Throws if anything other than comments and semicolons follows a statement, as it would not
  /// run.
  static func checkEmpty(
    _ text: Substring, on connection: OpaquePointer, _ sql: String
  ) throws(SQLiteError) {
    var rest = text
    while !rest.isEmpty {
      let (handle, next) = try compile(rest, on: connection, sql)
      sqlite3_finalize(handle)
      guard handle == nil else { throw .severalStatements(sql) }
      if next.utf8.count == rest.utf8.count { return }
      rest = next
    }
  }
}
