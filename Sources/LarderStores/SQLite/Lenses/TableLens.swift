import Foundation
import HarmonySQLite
import LarderModel

/// The conventions of a known program for a table, by which larder shows and writes the same
/// entries as the program.
///
/// A lens is a value in a file of its own, and is listed in ``all``.
struct TableLens: Sendable {
  /// The value of a column in a new row, if none is given.
  enum Default: Sendable {
    case integer(Int64)
    /// The current time in seconds since 1970.
    case now

    /// A description of the value.
    var text: String {
      switch self {
      case .integer(let number): String(number)
      case .now: "now"
      }
    }

    /// The current value.
    var value: SQLiteValue {
      switch self {
      case .integer(let number): .integer(number)
      case .now: .real(Date.now.timeIntervalSince1970)
      }
    }
  }

  /// A column that names the files with large values.
  struct Files: Sendable {
    /// The name of the database file in the folder of such files.
    let database: String
    /// The column with paths relative to the folder of the database.
    let column: String
    /// Whether a string is a path as the program creates them; no other file is ever touched.
    let isPath: @Sendable (String) -> Bool
    /// The column with the type of a value.
    let modeColumn: String
    /// Returns the value in a file, by the mode of its row; nil for an unknown mode.
    let value: @Sendable (_ bytes: [UInt8], _ mode: StoredValue?) -> StoredValue?
    /// The modes of values in files that have a different mode in the table.
    let modesInTable: [StoredValue: StoredValue]
  }

  /// The program or library that creates the table.
  let program: String
  /// The name of the table.
  let table: String
  /// The columns that the table must have, among others.
  let columns: Set<String>
  /// A table that the database must have as well.
  let sibling: String
  /// The columns of the unique index that sorts the keys; the first is the key.
  let index: [String]
  /// Columns that only number the rows and are not part of their values.
  let numbers: Set<String>
  /// The files with large values, in whose rows the value column is NULL; nil if there are none.
  let files: Files?
  /// The values that the program expects in new rows.
  let defaults: [String: Default]
  /// The value column, and the values of other columns beside a value that is stored as it is.
  let plainValue: (column: String, others: [String: SQLiteValue])

  /// All lenses.
  static let all = [diskcache]

  /// Returns the lens for a table; nil if there is none.
  ///
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  static func of(
    _ name: String, _ columns: [SchemaRows.Column], _ session: SQLiteSession
  ) throws(SQLiteError) -> TableLens? {
    for lens in all where lens.table == name && lens.columns.isSubset(of: columns.map(\.name)) {
      let siblings = try session.rows(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [.text(lens.sibling)])
      if !siblings.isEmpty { return lens }
    }
    return nil
  }
}
