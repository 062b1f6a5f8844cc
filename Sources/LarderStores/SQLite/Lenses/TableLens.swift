import Foundation
import HarmonySQLite
import LarderModel

/// The conventions of a known program for a table, by which larder shows and writes the same
/// entries as the program.
///
/// A lens is a value in a file of its own, and is listed in ``all``. It describes what the program's
/// schema means; reading, writing and undo are those of any table.
struct TableLens: Sendable {
  /// The value of a column in a new row, if none is given.
  enum Default: Sendable {
    case integer(Int64)
    /// Zero bytes.
    case noBytes
    /// The current time, as a real number if it is in seconds.
    case now(ExpiryUnit)

    /// A description of the value.
    var text: String {
      switch self {
      case .integer(let number): String(number)
      case .noBytes: "no bytes"
      case .now: "now"
      }
    }

    /// The current value.
    var value: SQLiteValue {
      switch self {
      case .integer(let number): .integer(number)
      case .noBytes: .blob([])
      case .now(let unit):
        TimestampForm(unit: unit, storage: unit == .seconds ? .real : .integer)
          .value(.now, like: .null) ?? .null
      }
    }
  }

  /// The column with the expiry of the rows.
  struct Expiry: Sendable {
    let column: String
    /// The unit of the timestamps; nil if versions of the program differ, so that values show it.
    let unit: ExpiryUnit?
    /// The value of a row that never expires; nil if the rows show it.
    var never: SQLiteValue?
    /// Columns that are 1 in rows that expire, and 0 in others.
    var flags: [String] = []
  }

  /// A table with at most one row for each row of the main table, which both have the same number.
  struct Join: Sendable {
    let table: String
    /// The columns that belong to the entry.
    let columns: [String]
  }

  /// A column that names the files with large values.
  struct Files: Sendable {
    /// The name of the database file in the folder of such files.
    let database: String
    /// The column with the names of files.
    let column: String
    /// The folder of the files in that of the database, with a slash; empty if it is the same.
    var folder = ""
    /// Whether a string is a path as the program creates them; no other file is ever touched.
    let isPath: @Sendable (String) -> Bool
    /// The column with the type of a value.
    let modeColumn: String
    /// The mode of a value in a file; nil if its column is NULL then.
    var modeOfFiles: StoredValue?
    /// Returns the value in a file, by the mode of its row; nil for an unknown mode.
    let value: @Sendable (_ bytes: [UInt8], _ mode: StoredValue?) -> StoredValue?
    /// The modes of values in files that have a different mode in the table.
    var modesInTable: [StoredValue: StoredValue] = [:]

    /// Whether a row names a file, by its mode or else by the absence of a value in the table.
    func isNamed(mode: StoredValue?, hasValue: Bool = false) -> Bool {
      modeOfFiles.map { mode == $0 } ?? !hasValue
    }

    /// Returns the path of the file that holds the value of a row, relative to the folder of the
    /// database; nil if there is none, or for a name that the program would not create.
    ///
    /// - Parameters:
    ///   - name: The name, which is read only if it is that of a file.
    ///   - mode: The mode of the row.
    ///   - hasValue: Whether the table has a value; such a row names no file, if no mode shows it.
    /// - Returns: The path; nil if the value is in the table.
    func path(
      named name: @autoclosure () -> StoredValue?, mode: StoredValue?, hasValue: Bool = false
    ) -> String? {
      guard isNamed(mode: mode, hasValue: hasValue) else { return nil }
      let name = name()
      let text: String?
      switch name {
      case .text(let name): text = name
      case .data(let bytes): text = String(validating: bytes, as: UTF8.self)
      default: text = nil
      }
      return text.map { folder + $0 }.flatMap { isPath($0) ? $0 : nil }
    }
  }

  /// The program or library that creates the table.
  let program: String
  /// The name of the table.
  let table: String
  /// The columns that the table must have, among others.
  let columns: Set<String>
  /// The tables that the database must have as well.
  var siblings: [String] = []
  /// The columns of the key, which are the number of the row or have a unique index; empty for the
  /// rowid.
  var key: [String]
  /// All columns of that index; nil for any index with the key, whose other columns end the key.
  var index: [String]?
  /// Columns that only number the rows and are not part of their values.
  var numbers: Set<String> = []
  /// The main value column; nil if a row is a record of equal columns, or its expiry shows it.
  var value: String?
  /// The expiry; nil if it is recognized as in any table, or there is none.
  var expiry: Expiry?
  /// The unit of an expiry that is recognized as in any table; nil if the values show it.
  var momentUnit: ExpiryUnit?
  /// Columns that hold only bytes, such as an encrypted value.
  var bytes: Set<String> = []
  /// The column with an encrypted value, and the key column that it is encrypted for.
  var encrypted: (column: String, key: String)?
  /// The tables with further columns of a row.
  var joins: [Join] = []
  /// The column with the number that joined rows share; in the main table it is the rowid.
  var number: String?
  /// The files with large values; nil if there are none.
  var files: Files?
  /// The values that the program expects in new rows.
  var defaults: [String: Default] = [:]
  /// The value column, and the values of other columns beside a value that is stored as it is.
  var plainValue: (column: String, others: [String: SQLiteValue])?
  /// Returns a new value of that column as the program stores it, and the columns that depend on
  /// it.
  ///
  /// The result is nil for a value that cannot be stored. Without this, any can.
  var encode: (@Sendable (StoredValue) -> [StoredValue.Field]?)?
  /// The column that describes a row whose key is a number or an identifier.
  var title: String?
  /// The names of columns, if they are not those of the table.
  var shown: [String: String] = [:]
  /// A column of another table that a number of each row selects, and its name here.
  var lookup: (name: String, column: String, join: TableLayout.Joined)?
  /// The column that counts the changes of a row.
  var version: String?
  /// The collections whose keys columns hold, by the names of the columns.
  var references: [String: String] = [:]
  /// The columns of tables that hold the key of a row, which is not deleted as long as any does.
  var referrers: [(table: String, column: String)] = []
  /// The columns that the program derives others from, which larder cannot.
  var fixed: Set<String> = []
  /// Whether only the program can add rows.
  var isClosed = false

  /// Whether rows can be added and renamed.
  ///
  /// The rows of several tables depend on each other in ways that only the program knows.
  var takesNewRows: Bool { !isClosed && joins.isEmpty }

  /// All lenses for tables that are known by name.
  static let all = [
    diskcache, chromiumCookies, chromiumHistory, chromiumVisits, firefoxCookies, firefoxPlaces,
    firefoxVisits, firefoxBookmarks, firefoxLocalStorage, appleURLCache, workManager,
  ]

  /// Returns the lens for a table, and the columns of other tables; nil if there is none.
  ///
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  static func of(
    _ name: String, _ columns: [SchemaRows.Column], _ schema: SchemaRows, _ session: SQLiteSession,
    _ lenses: [TableLens], _ coreData: CoreDataSchema?
  ) throws(SQLiteError) -> (lens: TableLens, others: [TableLayout.ValueColumn])? {
    if let lens = coreData?.lens(name, columns) {
      let lookup = lens.lookup.map { name, column, join in
        TableLayout.ValueColumn(name: name, storedName: column, isGenerated: true, join: join)
      }
      return (lens, lookup.map { [$0] } ?? [])
    }
    // What larder knows of a program protects its tables better than a description could.
    for lens in all + lenses
    where lens.table == name && lens.columns.isSubset(of: columns.map(\.name)) {
      var tables = lens.siblings[...]
      while let table = tables.first, try !schema.columns(of: table, .table, session).isEmpty {
        tables.removeFirst()
      }
      if tables.isEmpty, let joined = try lens.joinedColumns(columns, schema, session) {
        return (lens, joined)
      }
    }
    return nil
  }

  /// Returns the columns of joined tables; nil if one is missing or has the name of a column of the
  /// main table, or if the number is not the primary key of each table.
  private func joinedColumns(
    _ columns: [SchemaRows.Column], _ schema: SchemaRows, _ session: SQLiteSession
  ) throws(SQLiteError) -> [TableLayout.ValueColumn]? {
    guard !joins.isEmpty else { return [] }
    guard let number, columns.isNumbered(by: number) else { return nil }
    let names = Set(columns.map { $0.name.lowercased() })
    var joined: [TableLayout.ValueColumn] = []
    for join in joins {
      let others = try schema.columns(of: join.table, .table, session)
      guard others.isNumbered(by: number) else { return nil }
      for name in join.columns {
        guard let column = others.first(where: { $0.name == name }),
          !names.contains(name.lowercased())
        else { return nil }
        joined.append(
          TableLayout.ValueColumn(
            name: name, storedName: name, type: column.type, isNotNull: column.isNotNull,
            join: TableLayout.Joined(table: join.table, number: number)))
      }
    }
    return joined
  }
}

extension [SchemaRows.Column] {
  /// Whether a column alone is the INTEGER PRIMARY KEY.
  fileprivate func isNumbered(by number: String) -> Bool {
    let keys = filter { $0.keyPlace > 0 }
    return keys.count == 1 && keys[0].name == number && keys[0].type.uppercased() == "INTEGER"
  }
}
