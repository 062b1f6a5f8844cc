import HarmonySQLite
import LarderModel

/// The values of a row that are too large to be read just for their size.
///
/// SQLite reads a value to its end as soon as a statement names it, except for `typeof`, and for
/// `length` of a blob.
struct LargeValues {
  /// The maximum size of a value that a list reads, in bytes.
  static let limit = 16 << 20

  /// A value that is not read.
  struct Value {
    let type: StoredType
    let byteCount: Int
  }

  /// The values, by the indexes of their columns in the layout.
  private(set) var values: [Int: Value] = [:]

  /// Finds the large values of a row.
  ///
  /// - Throws: ``SQLiteError`` if the row cannot be read.
  init(
    _ layout: TableLayout, _ row: RowAddress, _ session: SQLiteSession, over limit: Int = Self.limit
  ) throws {
    // One expression per column, as SQLite's maximum is the same for results and tables.
    let sizes = layout.values.map { column in
      "CASE typeof(\(column.sql)) WHEN 'blob' THEN length(\(column.sql)) WHEN 'text' THEN 'text' END"
    }
    let found = try session.rows(
      "SELECT \(sizes.joined(separator: ", ")) FROM \(row.source) LIMIT 1",
      row.bindings
    ).first
    for (place, (column, size)) in zip(layout.values, found ?? []).enumerated() {
      let count: Int?
      switch size {
      case .integer(let length): count = Int(length)
      case .text:
        let known =
          column.isGenerated || column.join != nil
          ? nil
          : row.rowid.flatMap {
            session.storedByteCount(table: layout.name, column: column.storedName, rowid: $0)
          }
        count = try known ?? Self.measure(column, layout, row, session)
      default: count = nil
      }
      guard let count, count > limit else { continue }
      values[place] = Value(type: size == .text("text") ? .text : .data, byteCount: count)
    }
  }

  /// Returns the size of a text without a rowid or in a generated column, which has to be read.
  private static func measure(
    _ column: TableLayout.ValueColumn, _ layout: TableLayout, _ row: RowAddress,
    _ session: SQLiteSession
  ) throws -> Int? {
    try session.limitingValues(to: .max) {
      try session.integer(
        "SELECT length(CAST(\(column.sql) AS BLOB)) FROM \(row.source) LIMIT 1", row.bindings
      ).map { Int($0) }
    }
  }
}

/// The address of a row: its rowid if it has one, as rows may share a key with a NULL part.
struct RowAddress {
  let rowid: Int64?
  /// The table and the condition that find the row, as they follow FROM.
  let source: String
  let bindings: [SQLiteValue]

  init(_ layout: TableLayout, _ key: [SQLiteValue], rowid: SQLiteValue) {
    if let name = layout.rowid, case .integer(let number) = rowid {
      self.rowid = number
      source = "\(layout.target) WHERE t.\(name) = ?"
      bindings = [rowid]
    } else {
      self.rowid = nil
      source = "\(layout.from) WHERE \(layout.keyCondition)"
      bindings = key
    }
  }
}

extension SQLiteSession {
  /// Runs a body that reads values up to a maximum size.
  ///
  /// - Parameters:
  ///   - maximumSize: The maximum size of a value in bytes; nil for no maximum.
  ///   - what: The subject of the error message.
  ///   - body: Reads the values.
  /// - Returns: The result of the body.
  /// - Throws: The errors of the body, and `StoreError` for a larger value, which is not read.
  func readingValues<Result>(
    upTo maximumSize: Int?, _ what: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    guard let maximumSize else { return try body() }
    do {
      return try limitingValues(to: maximumSize, body)
    } catch let error as SQLiteError where error.code == .tooBig {
      throw StoreError.largeValue(what(), maximum: maximumSize)
    }
  }
}
