import CSQLite
public import Foundation
import Harmony

/// An error of a database, with SQLite's own message.
///
/// It contains the SQL of the statement but never the bound values, so that errors do not leak
/// data.
public struct SQLiteError: Error, Sendable, Hashable {
  /// The primary result code, which distinguishes kinds of errors.
  public let code: SQLiteResultCode
  /// The extended result code, which is more specific if SQLite has one.
  public let extendedCode: SQLiteResultCode
  /// SQLite's message.
  public let message: String
  /// The SQL of the statement, without its values.
  public let sql: String?
  /// The path of the database file, if it is known.
  public let path: String?
  /// The `errno` of the system error that caused this one; 0 if there is none.
  public let systemError: Int32

  /// Creates an error with a code and a custom message.
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

  /// Creates the error that a connection reports for the result of a call.
  init(_ handle: OpaquePointer?, _ result: Int32, sql: String? = nil) {
    let isReported = handle.map { sqlite3_errcode($0) & 0xFF == result & 0xFF } ?? false
    let message = isReported ? sqlite3_errmsg(handle).map { String(cString: $0) } : nil
    let extended = isReported ? sqlite3_extended_errcode(handle) : result
    // SQLite does not reset the number of an earlier failure.
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(result & 0xFF)
    self.init(
      SQLiteResultCode(rawValue: extended), message, sql: sql,
      systemError: isReported && isOfSystem ? sqlite3_system_errno(handle) : 0)
  }

  /// Creates the error of a connection that could not be opened, including the system error.
  init(opening handle: OpaquePointer?, _ result: Int32) {
    let error = SQLiteError(handle, result)
    let number = handle.map { sqlite3_system_errno($0) } ?? 0
    let reason = number == 0 ? "" : ": " + String(cString: strerror(number))
    self.init(error.extendedCode, error.message + reason, systemError: number)
  }

  /// Returns the same error with the path of a file.
  func of(_ path: String) -> SQLiteError {
    SQLiteError(
      extendedCode, message, sql: sql, path: self.path ?? path, systemError: systemError)
  }

  /// The error of a canceled operation.
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
