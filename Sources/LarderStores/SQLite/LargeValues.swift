import HarmonySQLite
import LarderCore

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
  init(_ layout: TableLayout, _ key: [SQLiteValue], _ session: SQLiteSession) throws {
    let facts = layout.values.flatMap { column in
      [
        "typeof(\(column.sql))",
        "CASE typeof(\(column.sql)) WHEN 'blob' THEN length(\(column.sql)) END",
      ]
    }
    let rowid = layout.form == .table ? layout.rowid.map { "t.\($0)" } : nil
    let row = try session.rows(
      "SELECT \(([rowid ?? "NULL"] + facts).joined(separator: ", ")) FROM \(layout.from) "
        + "WHERE \(layout.keyCondition) LIMIT 1", key
    ).first
    guard let row else { return }
    for (place, column) in layout.values.enumerated() {
      let count: Int?
      switch row[1 + 2 * place] {
      case .text("blob"):
        count = if case .integer(let count) = row[2 + 2 * place] { Int(count) } else { nil }
      case .text("text"):
        var known: Int?
        if case .integer(let rowid) = row[0], !column.isGenerated {
          known = session.storedByteCount(table: layout.name, column: column.name, rowid: rowid)
        }
        count = try known ?? Self.measure(column, layout, key, session)
      default: count = nil
      }
      guard let count, count > Self.limit else { continue }
      values[place] = Value(
        type: row[1 + 2 * place] == .text("blob") ? .data : .text, byteCount: count)
    }
  }

  /// The size of a text that is to be read for it: one without a rowid, or one that is computed.
  private static func measure(
    _ column: TableLayout.ValueColumn, _ layout: TableLayout, _ key: [SQLiteValue],
    _ session: SQLiteSession
  ) throws -> Int? {
    try session.limitingValues(to: .max) {
      let rows = try session.rows(
        "SELECT length(CAST(\(column.sql) AS BLOB)) FROM \(layout.from) "
          + "WHERE \(layout.keyCondition) LIMIT 1", key)
      return if case .integer(let count)? = rows.first?.first { Int(count) } else { nil }
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
        "\(what()) is larger than \(maximumSize >> 20) MiB, so it was not read, and nothing was "
          + "written; larder get prints it, and --no-journal changes it, but that cannot be undone")
    }
  }
}
