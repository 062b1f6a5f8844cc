import Foundation
import HarmonySQLite
import LarderModel

/// Access to rows whose values are in files beside the database, with the contents of the files.
///
/// In a list, a row is as the table has it, without its value, and so is every fingerprint: the
/// program never changes a file once a row names it. Only a single entry that is requested with its
/// file has the contents in its value column.
struct ValueContents {
  private let lens: TableLens
  private let files: TableLens.Files
  private let column: String
  private let folder: ValueFolder

  /// Prepares to read files; nil for a table without any.
  ///
  /// - Throws: ``SQLiteError`` if the path of the database is unknown.
  init?(_ layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    guard let lens = layout.lens, let files = lens.files, let column = lens.plainValue?.column,
      let path = try session.path
    else { return nil }
    self.lens = lens
    self.column = column
    self.files = files
    folder = ValueFolder(of: path)
  }

  /// Returns an entry with the contents of its file; unchanged if that is missing or too large.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  func completed(_ entry: Entry, maximumSize: Int?) throws -> Entry {
    guard !entry.isWhole, let row = entry.value, let path = path(of: row),
      let bytes = try bytes(of: path, maximumSize: maximumSize),
      let value = files.value(bytes, row.field(files.modeColumn))
    else { return entry }
    var entry = entry
    entry.value = row.setting(column, to: value)
    entry.isWhole = true
    return entry
  }

  /// Returns the bytes of a file; nil if it is missing or too large.
  ///
  /// - Throws: ``StoreError`` if it cannot be read.
  func bytes(of path: String, maximumSize: Int?) throws -> [UInt8]? {
    try folder.read([path], limit: maximumSize ?? .max)?.first.map { Array($0.bytes) }
  }

  /// Returns a row with its value as the table will store it: in the file that the row has already,
  /// or in the table itself.
  ///
  /// - Parameters:
  ///   - row: The row, perhaps with the contents of a file.
  ///   - former: The row that it replaces; nil if any existing file with those contents is the
  ///     row's.
  /// - Returns: A row that has either a value or a file.
  /// - Throws: ``StoreError`` if the file cannot be read.
  func stored(_ row: StoredValue, over former: StoredValue?) throws -> StoredValue {
    guard let value = row.field(column), value != .null else { return row }
    let mode = row.field(files.modeColumn)
    // The column itself may name the file, so that the row does not once it has the contents.
    let isName = files.column == column
    if isName {
      guard mode == files.modeOfFiles, value != former?.field(column) else { return row }
    } else {
      guard case .text = row.field(files.column) else { return row }
    }
    let path =
      isName
      ? former.flatMap { self.path(of: $0) }
      : files.path(named: row.field(files.column), mode: mode)
    if let path, former.map({ self.path(of: $0) == path }) ?? true,
      let bytes = try bytes(of: path, maximumSize: value.storedSize),
      files.value(bytes, mode) == value
    {
      return row.setting(column, to: isName ? former?.field(column) ?? .null : .null)
    }
    var row = row
    for (name, plain) in lens.plainValue?.others ?? [:] where row.field(name) != nil {
      let keepsMode = name == files.modeColumn && !isName
      row = row.setting(
        name,
        to: keepsMode ? mode.map { files.modesInTable[$0] ?? $0 } ?? .null : StoredValue(plain))
    }
    return row
  }

  /// Returns the path of the file that holds the value of a row; nil if there is none.
  private func path(of row: StoredValue) -> String? {
    files.path(
      named: row.field(files.column), mode: row.field(files.modeColumn),
      hasValue: row.field(column) != .null)
  }
}

extension TableLayout {
  /// Converts a value from another store to one with the same expiry, and with a file only if that
  /// is already beside this database.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - former: The row that it replaces; nil if there is none, or it is unknown.
  ///   - end: The expiry.
  ///   - session: A connection to the table.
  /// - Returns: The value as the table stores it.
  /// - Throws: ``StoreError`` if the table cannot store exactly that expiry.
  func value(
    _ value: StoredValue, over former: StoredValue? = nil, counting end: Date?,
    _ session: SQLiteSession
  ) throws -> StoredValue {
    let value = try ValueContents(self, session)?.stored(value, over: former) ?? value
    return try self.value(value, counting: end)
  }
}

extension SQLiteSession {
  /// The path of the database; nil for one in memory.
  var path: String? {
    get throws(SQLiteError) {
      let rows = try rows("SELECT file FROM pragma_database_list WHERE name = 'main'")
      return if case .text(let path)? = rows.first?.first { path } else { nil }
    }
  }
}
