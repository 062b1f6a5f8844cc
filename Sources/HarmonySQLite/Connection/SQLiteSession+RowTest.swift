import CSQLite

extension SQLiteSession {
  /// The name of an SQL function that calls the closure of ``testingRows(_:_:)``.
  ///
  /// Statements may call it with one column, as in `WHERE harmony_keeps(k)`, so that rejected rows
  /// do not leave SQLite. The schema of a database cannot call it.
  package static let rowTest = "harmony_keeps"

  /// Whether text is stored as UTF-8, so that ``testingRows(_:_:)`` receives its bytes.
  package var keepsUTF8: Bool { encoding == .utf8 }

  /// Runs a closure whose statements call a test to select rows.
  ///
  /// - Parameters:
  ///   - test: Returns whether to select a row, given the column that the statement passes. The
  ///     value is borrowed until it returns; text is UTF-8 only if `keepsUTF8`. The test must not
  ///     use the session. If it is nil, every row is selected.
  ///   - body: Steps through the statements.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and ``SQLiteError`` if the function cannot be created.
  package func testingRows<Result>(
    _ test: ((SQLiteLentValue) -> Bool)?, _ body: () throws -> Result
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
    let tester = SQLiteRowTester()
    let result = sqlite3_create_function_v2(
      handle, Self.rowTest, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(tester).toOpaque(),
      { context, _, values in
        let keeps =
          sqlite3_user_data(context).map {
            Unmanaged<SQLiteRowTester>.fromOpaque($0)._withUnsafeGuaranteedRef {
              guard let test = $0.test else { return true }
              let value = SQLiteCell(values?[0], .utf8).lent
              return test._withUnsafeGuaranteedRef { $0.keeps(value) }
            }
          } ?? true
        sqlite3_result_int(context, keeps ? 1 : 0)
      }, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result) }
    knownRowTester = tester
    return tester
  }
}

/// The context of the SQL function, which lives as long as the session.
final class SQLiteRowTester {
  // Read for each of millions of rows, and changed only between statements. It is unmanaged,
  // because reference counting for each row would take a seventh of the time.
  @exclusivity(unchecked) var test: Unmanaged<SQLiteRowTest>?
}

/// A test that selects rows.
final class SQLiteRowTest {
  let keeps: (SQLiteLentValue) -> Bool

  init(_ keeps: @escaping (SQLiteLentValue) -> Bool) {
    self.keeps = keeps
  }
}
