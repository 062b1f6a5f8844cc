import CSQLite
public import Foundation

/// What went wrong in a database, in the database's own words.
///
/// The SQL of the statement is kept, the values bound to it never are: errors do not leak data.
public struct SQLiteError: Error, Sendable, Hashable {
  /// The primary result code, for telling errors apart.
  public let code: SQLiteResultCode
  /// The extended result code, which says more where SQLite knows more.
  public let extendedCode: SQLiteResultCode
  /// SQLite's message.
  public let message: String
  /// The statement, without its values.
  public let sql: String?

  /// Creates an error with a code and a message of its own.
  public init(_ code: SQLiteResultCode, _ message: String? = nil, sql: String? = nil) {
    self.code = code.primary
    extendedCode = code
    self.message = message ?? code.description
    self.sql = sql
  }

  /// The error that a connection reports last, where the call answered with `result`.
  init(_ handle: OpaquePointer?, _ result: Int32, sql: String? = nil) {
    let isReported = handle.map { sqlite3_errcode($0) & 0xFF == result & 0xFF } ?? false
    let message = isReported ? sqlite3_errmsg(handle).map { String(cString: $0) } : nil
    let extended = isReported ? sqlite3_extended_errcode(handle) : result
    self.init(SQLiteResultCode(rawValue: extended), message, sql: sql)
  }

  /// The error of an operation that was cancelled.
  static let interrupted = SQLiteError(.interrupted)
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the code and the SQL.
  public var description: String {
    let statement = sql.map { " in \($0)" } ?? ""
    return "SQLite error \(extendedCode.rawValue): \(message)\(statement)"
  }
}

extension SQLiteError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
