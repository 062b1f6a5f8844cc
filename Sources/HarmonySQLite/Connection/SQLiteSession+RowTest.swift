import CSQLite

extension SQLiteSession {
  /// The name of an SQL function that calls the closure of ``testingRows(_:_:)``.
  ///
  /// Statements may call it with some columns, as in `WHERE harmony_keeps(k)`, so that rejected
  /// rows do not leave SQLite. The schema of a database cannot call it.
  package static let rowTest = "harmony_keeps"

  /// Whether text is stored as UTF-8, so that ``testingRows(_:_:)`` receives its bytes.
  package var keepsUTF8: Bool { encoding == .utf8 }

  /// Runs a closure whose statements call a test to select rows.
  ///
  /// - Parameters:
  ///   - test: Returns whether to select a row, given the columns that the statement passes. The
  ///     values are borrowed until it returns; text is UTF-8 only if `keepsUTF8`. The test must
  ///     not use the session. If it is nil, every row is selected.
  ///   - body: Steps through the statements.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and ``SQLiteError`` if the function cannot be created.
  package func testingRows<Result>(
    _ test: ((SQLiteLentValues) -> Bool)?, _ body: () throws -> Result
  ) throws -> Result {
    guard let test else { return try body() }
    let tester = try rowTester()
    let (outer, own) = (tester.test, SQLiteRowTest(test))
    tester.test = Unmanaged.passUnretained(own)
    defer { tester.test = outer }
    return try withExtendedLifetime(own) { try body() }
  }

  private func rowTester() throws(SQLiteError) -> SQLiteRowTester {
    if let tester = knownRowTester { return tester }
    let tester = SQLiteRowTester(encoding)
    let result = sqlite3_create_function_v2(
      handle, Self.rowTest, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(tester).toOpaque(),
      { context, count, values in
        let keeps =
          sqlite3_user_data(context).map {
            Unmanaged<SQLiteRowTester>.fromOpaque($0)._withUnsafeGuaranteedRef {
              guard let test = $0.test else { return true }
              let values = SQLiteLentValues(values, count: Int(count), $0.encoding)
              return test._withUnsafeGuaranteedRef { $0.keeps(values) }
            }
          } ?? true
        sqlite3_result_int(context, keeps ? 1 : 0)
      }, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result) }
    knownRowTester = tester
    return tester
  }
}

/// The columns of a row that a statement passes to a test.
package struct SQLiteLentValues {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  /// The number of columns.
  package let count: Int
  private let encoding: SQLiteEncoding

  init(
    _ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int, _ encoding: SQLiteEncoding
  ) {
    self.encoding = encoding
    self.values = values
    self.count = values == nil ? 0 : count
  }

  /// Returns a column, numbered from 0; null if there is none.
  package subscript(place: Int) -> SQLiteLentValue {
    guard let values, place >= 0, place < count else { return .null }
    return SQLiteCell(values[place], .utf8).lent
  }

  /// Returns a copy of a column in a database of any encoding, numbered from 0; null if there is
  /// none.
  package func copy(_ place: Int) -> SQLiteValue {
    guard let values, place >= 0, place < count else { return .null }
    return SQLiteCell(values[place], encoding).value
  }
}

/// The context of the SQL function, which lives as long as the session.
final class SQLiteRowTester {
  /// The encoding of text in the database.
  let encoding: SQLiteEncoding

  init(_ encoding: SQLiteEncoding) {
    self.encoding = encoding
  }

  // Read for each of millions of rows, and changed only between statements. It is unmanaged,
  // because reference counting for each row would take a seventh of the time.
  @exclusivity(unchecked) var test: Unmanaged<SQLiteRowTest>?
}

/// A test that selects rows.
final class SQLiteRowTest {
  let keeps: (SQLiteLentValues) -> Bool

  init(_ keeps: @escaping (SQLiteLentValues) -> Bool) {
    self.keeps = keeps
  }
}
