import Foundation
import HarmonySQLite
import LarderModel

/// Rows whose values are in files beside the database, read and written with what is in the files.
///
/// A row in a list is as the table has it, without its value, and so is the fingerprint of an entry
/// always: the program never writes to a file again once a row names it. One entry that is asked for
/// with its file has the contents in the column of the value.
struct ValueContents {
  private let lens: TableLens
  private let files: TableLens.Files
  private let folder: ValueFolder

  /// Prepares to read files; nil for a table that has none.
  ///
  /// - Throws: ``SQLiteError`` where the database does not tell its path.
  init?(_ layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    guard let lens = layout.lens, let files = lens.files, let path = try session.path else {
      return nil
    }
    self.lens = lens
    self.files = files
    folder = ValueFolder(of: path)
  }

  /// The entry with the contents of its file; as it is where that is not there, or larger than it may
  /// be.
  ///
  /// - Throws: ``StoreError`` where the file cannot be read.
  func completed(_ entry: Entry, maximumSize: Int?) throws -> Entry {
    guard !entry.isWhole, let row = entry.value, let path = path(of: row),
      let bytes = try bytes(of: path, maximumSize: maximumSize),
      let value = files.value(bytes, row.field(files.modeColumn))
    else { return entry }
    var entry = entry
    entry.value = row.setting(lens.plainValue.column, to: value)
    entry.isWhole = true
    return entry
  }

  /// The bytes of a file; nil where it is not there, or larger than it may be.
  ///
  /// - Throws: ``StoreError`` where it cannot be read.
  func bytes(of path: String, maximumSize: Int?) throws -> [UInt8]? {
    try folder.read([path], limit: maximumSize ?? .max)?.first.map { Array($0.bytes) }
  }

  /// A row with its value as the table is to have it: in the file that the row has already, or in the
  /// table itself.
  ///
  /// - Parameters:
  ///   - row: The row, perhaps with the contents of a file.
  ///   - former: The row that it replaces; nil where a file that is here and has those contents is
  ///     taken for its own.
  /// - Returns: The row that names no file beside a value.
  /// - Throws: ``StoreError`` where the file cannot be read.
  func stored(_ row: StoredValue, over former: StoredValue?) throws -> StoredValue {
    guard let value = row.field(lens.plainValue.column), value != .null,
      case .text(let path)? = row.field(files.column)
    else { return row }
    let mode = row.field(files.modeColumn)
    if files.isPath(path), former.map({ self.path(of: $0) == path }) ?? true,
      let bytes = try bytes(of: path, maximumSize: value.storedSize),
      files.value(bytes, mode) == value
    {
      return row.setting(lens.plainValue.column, to: .null)
    }
    var row = row
    for (name, plain) in lens.plainValue.others where row.field(name) != nil {
      let isMode = name == files.modeColumn
      row = row.setting(
        name, to: isMode ? mode.map { files.modesInTable[$0] ?? $0 } ?? .null : StoredValue(plain))
    }
    return row
  }

  /// The path of the file that the value of a row is in; nil where it is in none.
  private func path(of row: StoredValue) -> String? {
    guard row.field(lens.plainValue.column) == .null,
      case .text(let path)? = row.field(files.column),
      files.isPath(path)
    else { return nil }
    return path
  }
}

extension TableLayout {
  /// A value of another store, as the table is to have it: with its expiry, and in no file that is not
  /// the row's own.
  ///
  /// - Throws: ``StoreError`` where the table has no way to say exactly that.
  func value(
    _ value: StoredValue, counting end: Date?, _ session: SQLiteSession
  ) throws -> StoredValue {
    let value = try ValueContents(self, session)?.stored(value, over: nil) ?? value
    return try self.value(value, counting: end)
  }
}

extension SQLiteSession {
  /// Where the database is; nil for one in memory.
  var path: String? {
    get throws(SQLiteError) {
      let rows = try rows("SELECT file FROM pragma_database_list WHERE name = 'main'")
      return if case .text(let path)? = rows.first?.first { path } else { nil }
    }
  }
}
