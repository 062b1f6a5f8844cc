import CSQLite

/// What SQLite answered, primary or extended.
///
/// A struct and not an enum, as SQLite may add codes. See <https://www.sqlite.org/rescode.html>.
public struct SQLiteResultCode: RawRepresentable, Sendable, Hashable {
  /// The number that SQLite uses.
  public let rawValue: Int32

  /// Creates a code from SQLite's number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code, which an extended one is a case of.
  public var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }

  /// The statement or the database is wrong in a way that has no code of its own.
  public static let error = SQLiteResultCode(rawValue: SQLITE_ERROR)
  /// The file's permissions do not allow it.
  public static let permission = SQLiteResultCode(rawValue: SQLITE_PERM)
  /// The work was cancelled by the database's own words, such as a trigger's.
  public static let abort = SQLiteResultCode(rawValue: SQLITE_ABORT)
  /// Another connection holds a lock, also after the busy timeout.
  public static let busy = SQLiteResultCode(rawValue: SQLITE_BUSY)
  /// Another statement of the same connection holds a lock.
  public static let locked = SQLiteResultCode(rawValue: SQLITE_LOCKED)
  /// Memory ran out.
  public static let outOfMemory = SQLiteResultCode(rawValue: SQLITE_NOMEM)
  /// The database cannot be written.
  public static let readOnly = SQLiteResultCode(rawValue: SQLITE_READONLY)
  /// A write was left unfinished, and a reader may not undo it.
  public static let readOnlyRollback = SQLiteResultCode(rawValue: 776)
  /// The operation was cancelled.
  public static let interrupted = SQLiteResultCode(rawValue: SQLITE_INTERRUPT)
  /// The disk or its driver failed.
  public static let ioError = SQLiteResultCode(rawValue: SQLITE_IOERR)
  /// The file ends before the page that is needed.
  public static let shortRead = SQLiteResultCode(rawValue: 522)
  /// The bytes of the file are not what they have to be.
  public static let corrupt = SQLiteResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full.
  public static let full = SQLiteResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cannotOpen = SQLiteResultCode(rawValue: SQLITE_CANTOPEN)
  /// A value or statement is larger than SQLite allows.
  public static let tooBig = SQLiteResultCode(rawValue: SQLITE_TOOBIG)
  /// A constraint of the table does not allow it.
  public static let constraint = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT)
  /// A column of a STRICT table does not hold values of the type.
  public static let constraintOfType = SQLiteResultCode(rawValue: 3091)
  /// A foreign key does not allow it.
  public static let foreignKey = SQLiteResultCode(rawValue: 787)
  /// The statement reads something that the connection does not allow it to read.
  public static let notAuthorized = SQLiteResultCode(rawValue: SQLITE_AUTH)
  /// The value has a type that the column does not hold.
  public static let mismatch = SQLiteResultCode(rawValue: SQLITE_MISMATCH)
  /// A parameter's number is out of range.
  public static let range = SQLiteResultCode(rawValue: SQLITE_RANGE)
  /// The file is not a database, or is encrypted.
  public static let notADatabase = SQLiteResultCode(rawValue: SQLITE_NOTADB)
}

extension SQLiteResultCode {
  /// Whether it says that another row has what only one may have: in a unique index, as its primary key
  /// or as its rowid.
  package var isUniqueness: Bool { [2067, 1555, 2579].contains(rawValue) }
}

extension SQLiteResultCode: CustomStringConvertible {
  /// SQLite's own sentence for the code.
  public var description: String {
    sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "SQLite error \(rawValue)"
  }
}
