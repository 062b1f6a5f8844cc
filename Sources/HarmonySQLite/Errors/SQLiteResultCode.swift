import CSQLite

/// A result code of SQLite, primary or extended.
///
/// It is a struct rather than an enum, because SQLite may add codes. See
/// <https://www.sqlite.org/rescode.html>.
public struct SQLiteResultCode: RawRepresentable, Sendable, Hashable {
  /// The numeric code of SQLite.
  public let rawValue: Int32

  /// Creates a code from its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code of an extended code.
  public var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }

  /// An error in the statement or the database that has no specific code.
  public static let error = SQLiteResultCode(rawValue: SQLITE_ERROR)
  /// The permissions of the file do not allow the access.
  public static let permission = SQLiteResultCode(rawValue: SQLITE_PERM)
  /// The operation was aborted, for example by a trigger.
  public static let abort = SQLiteResultCode(rawValue: SQLITE_ABORT)
  /// Another connection holds a lock, and the busy timeout has passed.
  public static let busy = SQLiteResultCode(rawValue: SQLITE_BUSY)
  /// Another statement of the same connection holds a lock.
  public static let locked = SQLiteResultCode(rawValue: SQLITE_LOCKED)
  /// There is not enough memory.
  public static let outOfMemory = SQLiteResultCode(rawValue: SQLITE_NOMEM)
  /// The database is read-only.
  public static let readOnly = SQLiteResultCode(rawValue: SQLITE_READONLY)
  /// A write was interrupted, and a read-only connection cannot roll it back.
  public static let readOnlyRollback = SQLiteResultCode(rawValue: 776)
  /// The operation was canceled.
  public static let interrupted = SQLiteResultCode(rawValue: SQLITE_INTERRUPT)
  /// The disk or its driver reported an error.
  public static let ioError = SQLiteResultCode(rawValue: SQLITE_IOERR)
  /// The file ends before the requested page.
  public static let shortRead = SQLiteResultCode(rawValue: 522)
  /// The contents of the file are not valid.
  public static let corrupt = SQLiteResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full.
  public static let full = SQLiteResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cannotOpen = SQLiteResultCode(rawValue: SQLITE_CANTOPEN)
  /// A value or statement is larger than SQLite allows.
  public static let tooBig = SQLiteResultCode(rawValue: SQLITE_TOOBIG)
  /// The change violates a constraint.
  public static let constraint = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT)
  /// The value has a type that a column of a STRICT table does not allow.
  public static let constraintOfType = SQLiteResultCode(rawValue: 3091)
  /// The change violates a foreign key.
  public static let foreignKey = SQLiteResultCode(rawValue: 787)
  /// The statement reads something that the connection does not allow.
  public static let notAuthorized = SQLiteResultCode(rawValue: SQLITE_AUTH)
  /// The value has a type that the column does not allow.
  public static let mismatch = SQLiteResultCode(rawValue: SQLITE_MISMATCH)
  /// The index of a parameter is out of range.
  public static let range = SQLiteResultCode(rawValue: SQLITE_RANGE)
  /// The file is not a database, or is encrypted.
  public static let notADatabase = SQLiteResultCode(rawValue: SQLITE_NOTADB)
}

extension SQLiteResultCode {
  /// Whether the code is a uniqueness violation, of a unique index, a primary key or a rowid.
  package var isUniqueness: Bool { [2067, 1555, 2579].contains(rawValue) }
}

extension SQLiteResultCode: CustomStringConvertible {
  /// SQLite's own description of the code.
  public var description: String {
    sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "SQLite error \(rawValue)"
  }
}
