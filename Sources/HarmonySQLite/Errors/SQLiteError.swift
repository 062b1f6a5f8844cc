import CSQLite
public import Foundation
import Harmony

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
  /// The database file, if it is known.
  public let path: String?
  /// What the system said, as `errno`, where that is why; 0 where nothing is known of it.
  public let systemError: Int32

  /// Creates an error with a code and a message of its own.
  public init(
    _ code: SQLiteResultCode, _ message: String? = nil, sql: String? = nil, path: String? = nil,
    systemError: Int32 = 0
  ) {
    self.path = path
    self.systemError = systemError
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
    // SQLite keeps the number of an earlier failure.
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(result & 0xFF)
    self.init(
      SQLiteResultCode(rawValue: extended), message, sql: sql,
      systemError: isReported && isOfSystem ? sqlite3_system_errno(handle) : 0)
  }

  /// The error of a connection that could not be opened, with what the system says about it.
  init(opening handle: OpaquePointer?, _ result: Int32) {
    let error = SQLiteError(handle, result)
    let number = handle.map { sqlite3_system_errno($0) } ?? 0
    let reason = number == 0 ? "" : ": " + String(cString: strerror(number))
    self.init(error.extendedCode, error.message + reason, systemError: number)
  }

  /// The same error, of a file.
  func of(_ path: String) -> SQLiteError {
    SQLiteError(
      extendedCode, message, sql: sql, path: self.path ?? path, systemError: systemError)
  }

  /// The error of an operation that was cancelled.
  static let interrupted = SQLiteError(.interrupted)
}

extension SQLiteError: CustomStringConvertible {
  /// The code, the file, the message and the SQL.
  public var description: String {
    let place = path.map { " in \(PathName($0))" } ?? ""
    let statement = sql.map { " in \($0)" } ?? ""
    return "SQLite error \(extendedCode.rawValue)\(place): \(message)\(statement)"
  }
}

extension SQLiteError: CustomNSError {
  /// The name of this type.
  public static var errorDomain: String { "HarmonySQLite.SQLiteError" }

  /// The extended result code, whose lowest byte is the primary one.
  public var errorCode: Int { Int(extendedCode.rawValue) }

  /// The description, and the path of the file if it is known.
  public var errorUserInfo: [String: Any] {
    var facts: [String: Any] = [NSLocalizedDescriptionKey: description]
    facts[NSFilePathErrorKey] = path
    return facts
  }
}

extension SQLiteError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
