import Harmony
import HarmonySQLite
import LarderModel

// The sentences about the tables and rows of a database. Each starts in lower case and has no final
// full stop.

// MARK: Reading

extension StoreError {
  static func noTable(_ name: String, in path: String) -> Self {
    .cannotOpen("\(path) no longer has a table or view “\(name)”")
  }

  static func noColumn(_ name: String, of table: String, among columns: [String]) -> Self {
    .failed("\(table) has no column “\(name)”; it has \(columns.joined(separator: ", "))")
  }

  static func misfit(_ key: EntryKey, _ table: String, keys: String) -> Self {
    .failed("the key \(key.spoken) does not fit \(table), whose keys are (\(keys))")
  }

  static func repeatedKey(_ key: EntryKey, count: Int) -> Self {
    .failed(
      "\(count) rows have the key \(key.spoken), because a primary key may repeat NULL; larder lists "
        + "them, but cannot tell them apart to change one")
  }

  static func largeValue(_ what: String, maximum: Int) -> Self {
    .failed(
      "\(what) is larger than \(maximum >> 20) MiB and was not read. Print it with larder get, or "
        + "change it without undo with --no-journal")
  }
}

extension CoreError.QueryNotSupported {
  static let rowsAsEntries = Self("these rows are listed as entries")
  static let noEstimate = Self("the number of entries is not known without counting")
}

extension Messages {
  static let nothingRead = "nothing was read"

  static func value(of key: EntryKey) -> String { "the value of \(key.spoken)" }
  static func value(in table: String) -> String { "a value of \(table)" }

  static let viewRows = "its rows come from other tables"
  static let moduleRows = "its rows come from an SQLite module"
  static let shadowTable = "it stores the data of a virtual table"
  static let hiddenRowid = "it has no key, and its columns shadow every name of the rowid"

  static func foreignCollation(_ name: String) -> String {
    "its keys use the collation \(name), which only the program that made it defines"
  }

  static func readOnlyKind(_ table: String, _ form: String, keys: String) -> String {
    "\(table) is a \(form) with \(keys) keys, which larder only reads"
  }
}

// MARK: Layouts

extension Messages {
  static let primaryKey = "the primary key"
  static let uniqueColumn = "unique"

  static func lens(
    _ table: String, of program: String, key: String, with tables: [String]
  ) -> String {
    let others =
      tables.isEmpty
      ? "" : " and the \(tables.count == 1 ? "table" : "tables") \(tables.joined(separator: ", "))"
    return
      "\(table): rows of \(program), listed by \(key); recognized by its columns\(others); --raw "
      + "shows the table itself"
  }

  static func keyValue(
    _ table: String, _ value: String, by key: String, _ evidence: String, hasOthers: Bool
  ) -> String {
    "\(table): keys from \(key) (\(evidence)), values from \(value)"
      + (hasOthers ? ", plus other columns" : "")
  }
}

// MARK: Schemas that larder lacks

extension Messages {
  static let programOnly = "only the program that made the database defines"
  static let unreadPragma = "larder does not read for a database"
  static let unsafeFunction = "larder does not run for a database"
  static let schema = "the schema"
  static let anyPragma = "of a pragma"

  static func unsupported(_ subject: String, used by: String, _ reason: String) -> String {
    "\(by) uses \(subject), which \(reason)"
  }
}

// MARK: Writing

extension StoreError {
  static let noRowNumber = StoreError.failed("SQLite has no rowid left; type an unused one")
  static let removedByTrigger = StoreError.failed(
    "a trigger removed or renamed the entry; nothing was written")
  static let keyNaN = StoreError.failed(
    "a key cannot contain nan (not a number), which the database would store as null; nothing was "
      + "written. For the text nan, type '\"nan\"'")

  /// Returns the error for a change that the database does not allow.
  static func refused(_ reason: String) -> Self {
    .failed("the database rejected the change: \(reason); nothing was written")
  }

  static func notUnique(_ reason: String, as other: EntryKey) -> Self {
    refused("\(reason); the row \(other.spoken) has the same value")
  }

  static func notRecord(_ table: String, _ type: StoredType) -> Self {
    .failed("a row of \(table) is a record of its columns, not of type \(type.rawValue)")
  }

  static func noValueColumn(_ name: String, in table: String) -> Self {
    .failed("\(table) has no column “\(name)” outside its key")
  }

  static func computed(_ column: String, of table: String) -> Self {
    .failed("the database computes the column \(column) of \(table); nothing was written")
  }

  static func invalidKey(_ fault: String) -> Self { .notSupported("\(fault); nothing was written") }

  static func unaffected(_ key: EntryKey, _ done: String) -> Self {
    .failed("the database prevented \(key.spoken) from being \(done); nothing was written")
  }

  static func ambiguous(_ key: EntryKey, count: Int, _ done: String) -> Self {
    .failed(
      "\(count) rows have the key \(key.spoken), so none was \(done); nothing was written")
  }

  static func stillReferred(_ column: String, of table: String, _ program: String) -> Self {
    .notSupported(
      "\(column) of \(table) still refers to it, and only \(program) knows what else must change; "
        + "nothing was deleted. Change or delete that row first")
  }

  static func columnNaN(_ column: String) -> Self {
    .failed(
      "the column \(column) cannot hold nan (not a number), which the database would store as null; "
        + "nothing was written")
  }

  static func longNumber(_ digits: String, in column: String) -> Self {
    .failed(
      "the column \(column) cannot hold \(digits): numbers in a database have 64 bits; nothing was "
        + "written")
  }

  static func noColumnType(_ type: StoredType, in column: String) -> Self {
    .failed(
      "the column \(column) cannot hold \(type.rawValue): a database has only null, integer, real, "
        + "text and data")
  }
}

extension Messages {
  static let brokenForeignKey = "a foreign key is broken"

  static func wouldOrphan(_ row: Int64?, of table: String, from parent: String) -> String {
    "\(row.map { "row \($0)" } ?? "a row") of “\(table)” would refer to a row of “\(parent)” that "
      + "does not exist"
  }

  static func orphan(_ key: EntryKey, _ columns: [String], from parent: String) -> String {
    "\(columns.joined(separator: ", ")) of \(key.spoken) refers to a row of “\(parent)” that does "
      + "not exist"
  }

  /// Returns the message that the database would convert a value.
  ///
  /// - Parameters:
  ///   - asked: The value to write, or that is stored in the row.
  ///   - found: The value that the database would store.
  ///   - column: The column.
  ///   - table: Its table.
  ///   - type: The declared type; empty if there is none.
  ///   - isUntouched: Whether the value stays the same in the change.
  /// - Returns: The message.
  static func converted(
    _ asked: SQLiteValue, to found: SQLiteValue, _ column: String, of table: String, type: String,
    isUntouched: Bool
  ) -> String {
    let (asked, found) = (value(asked), value(found))
    let place = type.isEmpty ? "has no declared type" : "is declared \(type)"
    return "the column \(column) of \(table) \(place)"
      + (isUntouched
        ? " and holds \(asked) in this row, which the database would convert to \(found)"
        : ", so the database would store \(found) instead of \(asked)") + "; nothing was written"
  }

  private static func value(_ value: SQLiteValue) -> String {
    let key = EntryKey(value)
    return switch value {
    case .null: "null"
    case .integer: "the integer \(key.spoken)"
    case .real(let number): "the real \(number)"
    case .text, .malformedText: "the text \(key.spoken)"
    case .blob: "the data \(key.spoken)"
    }
  }
}

// MARK: Side effects

extension Messages {
  /// Returns the cause of side effects, as the subject of a sentence.
  static func cause(of table: String, hasTriggers: Bool, hasForeignKeys: Bool) -> String {
    let name = "“\(table)”"
    if !hasForeignKeys { return "the triggers of \(name)" }
    return hasTriggers
      ? "the triggers of \(name) and the foreign keys that refer to it"
      : "the foreign keys that refer to \(name)"
  }

  /// Returns the warning that a row was stored differently than asked for.
  ///
  /// - Parameters:
  ///   - cause: The cause.
  ///   - row: The row.
  ///   - columns: The columns with other values.
  ///   - key: The other key; nil if it is the same.
  ///   - others: The number of further rows with other values.
  ///   - isTrial: Whether the change was only tried.
  /// - Returns: The warning.
  static func storedOther(
    _ cause: String, _ row: EntryKey, columns: [String], key: EntryKey?, others: Int, isTrial: Bool
  ) -> String {
    let values =
      columns.isEmpty
      ? [] : ["other values in \(columns.map { "“\($0)”" }.joined(separator: ", "))"]
    let changes = values + (key.map { ["the key \($0.spoken)"] } ?? [])
    let rows = others == 1 ? "row" : "rows"
    let more = others == 0 ? "" : "; \(Thousands.text(others)) more \(rows) changed, too"
    return "\(cause) \(isTrial ? "would give" : "gave") the row \(row.spoken) "
      + changes.joined(separator: " and ") + more
  }

  static func alsoChanged(
    _ cause: String, _ count: Int, in tables: [String], _ state: SideEffects.State
  ) -> String {
    "\(cause) \(state == .tried ? "would also change" : "also changed") "
      + "\(rows(count)) in \(tables.map { "“\($0)”" }.joined(separator: ", "))"
      + (state == .recorded ? "; undo also reverts \(count == 1 ? "it" : "them")" : "")
  }

  static func rows(_ count: Int) -> String {
    count == 1 ? "1 row" : "\(Thousands.text(count)) rows"
  }
}

// MARK: Undo

extension StoreError {
  static let noChangeReports = StoreError.journal(
    "this build of SQLite does not report the rows that change, so they cannot be recorded; nothing "
      + "was written. --no-journal writes without undo")
  static let sameRows = StoreError.journal(
    "the rows of this table cannot be told apart, so undo could not restore them; nothing was "
      + "changed. --no-journal makes the change without undo")
  static let noRecordedRows = StoreError.notSupported(
    "this change was recorded by another version of larder, or some of its rows are already as they "
      + "were before; nothing was written. Undo it with the version that recorded it")
  static let unreadableRecord = StoreError.corrupt("the journal holds rows that cannot be read")

  static func convertedUndo(_ table: String) -> Self {
    .failed(
      "the type of a column of “\(table)” would change the value; nothing was written")
  }

  static func otherColumns(_ table: String) -> Self {
    .failed(
      "“\(table)” no longer exists or has other columns than when this was recorded; nothing was "
        + "written")
  }

  static func otherIndex(_ table: String) -> Self {
    .changedSince(
      "the index of “\(table)” was changed since and cannot be rebuilt; nothing was written")
  }

  static func addedColumn(_ table: String) -> Self {
    .changedSince(
      "a row of “\(table)” has a value in a column that was added since and would be lost; nothing "
        + "was written. To lose it, delete the row")
  }

  static func keyTaken(_ key: EntryKey, in table: String) -> Self {
    .changedSince(
      "another row of “\(table)” now has the key \(key.spoken) of a row that must be restored; "
        + "nothing was written. Delete or rename the other row first")
  }

  static func valueTaken(_ columns: String) -> Self {
    .changedSince(
      "another row now has the \(columns) of a row that must be restored; nothing was written. "
        + "Delete or change the other row first")
  }

  static func sideRowChanged(_ table: String) -> Self {
    .changedSince(
      "a row of “\(table)” that changed as a side effect was changed again since; nothing was "
        + "written")
  }

  static func wouldOrphan(_ table: String, from parent: String) -> Self {
    .failed(
      "rows of “\(table)” refer to a row of “\(parent)” that would be deleted; nothing was "
        + "written. Delete or change those rows first")
  }
}

extension Messages {
  static func newRowids(_ count: Int, in table: String) -> String {
    "\(rows(count)) of “\(table)” got a new rowid, because another row has the old one"
  }

  static func leftChanged(_ count: Int, in table: String) -> String {
    "\(rows(count)) of “\(table)” changed since and left as is: triggers do not run for an undo"
  }

  static func restoredOrphans(
    _ count: Int, of table: String, _ columns: [String], from parent: String
  ) -> String {
    "\(rows(count)) restored in “\(table)” \(count == 1 ? "refers" : "refer") by "
      + "\(columns.joined(separator: ", ")) to rows of “\(parent)” that no longer exist"
  }
}

// MARK: Known schemas

extension StoreError {
  static func eitherColumn(_ plain: String, or encrypted: String, _ program: String) -> Self {
    .notSupported(
      "\(program) accepts either \(plain) or \(encrypted), not both; nothing was written. Leave one of "
        + "them empty")
  }

  static func derivedColumns(_ column: String, _ program: String) -> Self {
    .notSupported(
      "\(program) computes other columns from \(column), which larder cannot; nothing was written. "
        + "You can change the columns that do not depend on it")
  }

  static func programBytes(_ column: String, of table: String, _ program: String) -> Self {
    .notSupported(
      "\(column) of \(table) must be bytes made by \(program), not text or null; nothing was written"
    )
  }

  static func notText(_ column: String, of table: String, _ type: StoredType) -> Self {
    .notSupported(
      "\(column) of \(table) holds text, not \(type.rawValue); nothing was written")
  }

  static func encrypted(_ column: String, of key: EntryKey, for name: String, _ program: String)
    -> Self
  {
    .notSupported(
      "\(column) of \(key.spoken) is encrypted for its \(name), so \(program) could not read it "
        + "under another; nothing was written")
  }

  static func fixedRows(_ program: String) -> Self {
    .notSupported(
      "only \(program) can add or rename entries here; nothing was written. larder can edit and "
        + "delete existing ones")
  }

  static func programKeys(_ program: String) -> Self {
    .notSupported(
      "\(program) stores keys other than text and numbers in a format that larder cannot write; "
        + "nothing was written")
  }

  static func sharedFile(_ path: String, of key: EntryKey) -> Self {
    .notSupported(
      "the value of \(key.spoken) would be in the file \(path) of another entry; nothing was written. "
        + "Copy it with the program that made the cache")
  }

  static func missingFile(_ path: String, of key: EntryKey) -> Self {
    .notSupported(
      "the value of \(key.spoken) is in the file \(path), which is missing; nothing was written. "
        + "Leave out this entry")
  }

  static func otherFile(_ path: String, isUndo: Bool) -> Self {
    .changedSince(
      isUndo
        ? "there is another file at \(path), where undo must restore a value; nothing was written"
        : "there is now another file at \(path)")
  }

  static func unusableFile(_ path: String, _ reason: String) -> Self {
    .failed("the value file \(path) cannot be used: \(reason); nothing was changed")
  }
}

extension Messages {
  static func otherLens(_ program: String) -> String { "larder knows it as a table of \(program)" }

  static func notUnique(_ columns: [String]) -> String {
    "\(columns.joined(separator: ", ")) is not unique"
  }

  static func noColumns(_ columns: [String]) -> String {
    "it has no column \(columns.joined(separator: ", "))"
  }

  /// Returns the warning about the files of deleted rows.
  ///
  /// - Parameters:
  ///   - path: The path of the first file.
  ///   - count: The number of files.
  ///   - state: The outcome of the change; nil if the files could not be deleted.
  /// - Returns: The warning.
  static func valueFiles(_ path: String, count: Int, _ state: SideEffects.State?) -> String {
    let outcome =
      switch state {
      case .tried: "would also be deleted"
      case .made: "also deleted"
      case .recorded: "also deleted; undo restores them"
      case nil: "could not be deleted"
      }
    return "the values were in files beside the database: \(path)"
      + (count == 1 ? "" : " and \(Thousands.text(count - 1)) more") + ": \(outcome)"
  }
}
