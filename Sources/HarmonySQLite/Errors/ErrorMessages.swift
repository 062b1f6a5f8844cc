import Harmony

// The messages of this module's errors. They may contain names, types and paths, but never values.

// MARK: Files

extension SQLiteError {
  static func notRegular(_ path: String) -> Self {
    Self(.cannotOpen, "it is not a regular file", path: path)
  }

  static func emptyPath(_ path: String) -> Self {
    Self(.cannotOpen, "the path is empty", path: path)
  }

  static func inMemory(_ path: String) -> Self {
    Self(
      .cannotOpen, "databases in memory are not supported; use InMemoryDataSource", path: path)
  }

  static func zeroByte(in path: String) -> Self {
    Self(.cannotOpen, "the path contains a NUL byte", path: path)
  }

  static func companion(_ companion: String, of path: String) -> Self {
    Self(.cannotOpen, "\(companion) beside it is not a regular file", path: path)
  }

  static let keepsChanging = Self(.busy, "the file changes faster than it can be read")
}

// MARK: Statements

extension SQLiteError {
  static func zeroByte(inStatement sql: String) -> Self {
    Self(.error, "the statement contains a NUL byte", sql: sql)
  }

  static func empty(_ sql: String) -> Self { Self(.error, "the statement is empty", sql: sql) }

  static func severalStatements(_ sql: String) -> Self {
    Self(.error, "there is more than one statement; use a script", sql: sql)
  }

  static func notUTF16(_ sql: String) -> Self {
    Self(.constraint, "the bytes are not valid UTF-16, the database's text encoding", sql: sql)
  }

  static func valueCount(_ count: Int, of needed: Int, _ sql: String) -> Self {
    Self(.range, "the statement has \(needed) parameters, but \(count) values were given", sql: sql)
  }
}

// MARK: Entries

extension SQLiteError {
  static let readOnlySource = Self(.readOnly, "the source was created with access .reading")

  static func noTable(_ name: String, isOfLists: Bool) -> Self {
    Self(
      .error,
      "no such table: \(name)"
        + (isOfLists ? "; for a table without lists, pass countColumn: nil" : ""))
  }

  static func ignored(by table: String) -> Self {
    Self(.constraint, "the table \(table) did not store the entry")
  }
}

extension CoreError.IllegalArgument {
  static func zeroByte(inNamesOf table: String) -> Self {
    Self("The name of the table \(PathName(table)), or of a column, contains a NUL byte")
  }

  static func sharedColumn(_ table: String) -> Self {
    Self("The table \(PathName(table)) needs separate columns for keys, values and counts")
  }

  static func view(_ name: String) -> Self { Self("\(name) is a view, which cannot store entries") }
}

extension CoreError.QueryNotSupported {
  static func lists(in table: String) -> Self {
    Self("The table \(PathName(table)) cannot store lists, because it has no countColumn")
  }
}

extension CoreError.DataSerialization {
  static let wideInteger = Self("SQLite's integers are signed and have 64 bits")
  static let notANumber = Self("SQLite cannot store NaN")

  static func wrongType(_ stored: String, not type: Any.Type) -> Self {
    Self("A stored value of type \(stored) cannot be read as \(type)")
  }

  static func converted(by column: String, _ type: String) -> Self {
    Self("The column \(column) does not preserve values of type \(type)")
  }
}

/// The reasons why a table cannot store entries, as the rest of a sentence about the table.
enum LayoutProblem {
  static let wideText = "stores text as UTF-16, which sorts differently from UTF-8"
  static let otherKeys = "has keys that are not text compared by its bytes"
  static let repeatedKeys = "may contain a key twice: its key column is not unique"

  static func noColumn(_ name: String, isCount: Bool) -> String {
    "has no column \(name)" + (isCount ? "; pass countColumn: nil" : "")
  }
}

/// The kinds of damage to entries.
enum EntryDamage {
  static let key = "A key is not UTF-8"
  static let list = "A list is incomplete"
}
