import HarmonySQLite
import LarderModel

/// Which values of a row are so large that a list does not read them to tell their size.
///
/// SQLite reads a value to the end as soon as a statement names it, but for `typeof`, and `length` of
/// a blob.
struct LargeValues {
  /// The largest value that a list reads, in bytes.
  static let limit = 16 << 20

  /// A value that is not read.
  struct Value {
    let type: StoredType
    let byteCount: Int
  }

  /// The values, by the places of their columns in the layout.
  private(set) var values: [Int: Value] = [:]

  /// Finds those of one row.
  ///
  /// - Throws: ``SQLiteError`` where the row cannot be read.
  init(
    _ layout: TableLayout, _ row: RowAddress, _ session: SQLiteSession, over limit: Int = Self.limit
  ) throws {
    // One expression for each column, as a statement has no more than a table has columns.
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
          column.isGenerated
          ? nil
          : row.rowid.flatMap {
            session.storedByteCount(table: layout.name, column: column.name, rowid: $0)
          }
        count = try known ?? Self.measure(column, layout, row, session)
      default: count = nil
      }
      guard let count, count > limit else { continue }
      values[place] = Value(type: size == .text("text") ? .text : .data, byteCount: count)
    }
  }

  /// The size of a text that is to be read for it: one without a rowid, or one that is computed.
  private static func measure(
    _ column: TableLayout.ValueColumn, _ layout: TableLayout, _ row: RowAddress,
    _ session: SQLiteSession
  ) throws -> Int? {
    try session.limitingValues(to: .max) {
      let rows = try session.rows(
        "SELECT length(CAST(\(column.sql) AS BLOB)) FROM \(row.source) LIMIT 1", row.bindings)
      return if case .integer(let count)? = rows.first?.first { Int(count) } else { nil }
    }
  }
}

/// One row of a table, found by its rowid where it has one: several rows may have a key of which a part
/// is NULL.
struct RowAddress {
  let rowid: Int64?
  /// The table and the condition that finds the row, as they follow FROM.
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
  /// Runs a body that reads values, none of which may be larger than so many bytes.
  ///
  /// - Parameters:
  ///   - maximumSize: The bytes; nil for any number.
  ///   - what: What is read, as the subject of a sentence.
  ///   - body: Reads the values.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and `StoreError` where a value is larger, which is not read then.
  func readingValues<Result>(
    upTo maximumSize: Int?, _ what: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    guard let maximumSize else { return try body() }
    do {
      return try limitingValues(to: maximumSize, body)
    } catch let error as SQLiteError where error.code == .tooBig {
      throw StoreError.failed(
        "\(what()) is larger than \(maximumSize >> 20) MiB and was not read. larder get prints it; "
          + "with --no-journal it can be changed without undo")
    }
  }
}
