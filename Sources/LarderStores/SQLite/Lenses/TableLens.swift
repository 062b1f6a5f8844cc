import Foundation
import HarmonySQLite
import LarderModel

/// How a table of a known program is shown and written, so that its entries are those of the program.
///
/// A lens is a value in a file of its own, and one name in ``all``.
struct TableLens: Sendable {
  /// What a new row gets in a column that nobody gives a value.
  enum Default: Sendable {
    case integer(Int64)
    /// The time in seconds since 1970.
    case now

    /// The value, in words.
    var text: String {
      switch self {
      case .integer(let number): String(number)
      case .now: "now"
      }
    }

    /// The value at this moment.
    var value: SQLiteValue {
      switch self {
      case .integer(let number): .integer(number)
      case .now: .real(Date.now.timeIntervalSince1970)
      }
    }
  }

  /// A column that names the files with large values.
  struct Files: Sendable {
    /// The name of the database in the folder of such files.
    let database: String
    /// The column, with paths below the folder of the database.
    let column: String
    /// Whether a text is a path as the program makes them; no other file is ever touched.
    let isPath: @Sendable (String) -> Bool
    /// The column that tells what a value is.
    let modeColumn: String
    /// The value that a file holds, by the mode of its row; nil for a mode that is not known.
    let value: @Sendable (_ bytes: [UInt8], _ mode: StoredValue?) -> StoredValue?
    /// The modes of values in files that are others in the table.
    let modesInTable: [StoredValue: StoredValue]
  }

  /// The program or library that makes the table.
  let program: String
  /// The name of the table.
  let table: String
  /// Columns that the table has to have, beside others.
  let columns: Set<String>
  /// A table that has to be in the same database.
  let sibling: String
  /// The columns of the unique index that keeps the keys apart and in order; the first is the key.
  let index: [String]
  /// Columns that only number the rows, and are no part of their values.
  let numbers: Set<String>
  /// Where large values are, in whose rows the column of values is null; nil where all are in the table.
  let files: Files?
  /// What the program expects in new rows.
  let defaults: [String: Default]
  /// The column of values, and what other columns have to hold beside a value that is stored as it is.
  let plainValue: (column: String, others: [String: SQLiteValue])

  /// The lenses that there are.
  static let all = [diskcache]

  /// The lens for a table; nil where none suits.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
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
