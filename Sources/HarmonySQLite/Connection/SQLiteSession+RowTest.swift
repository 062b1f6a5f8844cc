import CSQLite

extension SQLiteSession {
  /// The name of a function of SQL that asks the closure of ``testingRows(_:_:)``.
  ///
  /// Statements may call it with one column, such as in `WHERE harmony_keeps(k)`: a row that is
  /// left out so costs no step out of SQLite. The schema of a database cannot call it.
  package static let rowTest = "harmony_keeps"

  /// Whether text is kept as UTF-8, so that ``testingRows(_:_:)`` sees its bytes.
  package var keepsUTF8: Bool { encoding == .utf8 }

  /// Runs a body, in which statements ask a closure which rows they keep.
  ///
  /// - Parameters:
  ///   - test: Whether a row is kept, by the column that the statement hands over: lent until it
  ///     returns, with text as UTF-8 only where `keepsUTF8`. It may not use the session. Without it
  ///     nothing is asked, and every row is kept.
  ///   - body: Steps through the statements.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and ``SQLiteError`` where the function cannot be had.
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

/// What the function of SQL asks; it lives as long as the session.
final class SQLiteRowTester {
  // Looked at for each of millions of rows, and changed between statements only. Whoever sets it
  // keeps it: to count references for each row would take a seventh of the time.
  @exclusivity(unchecked) var test: Unmanaged<SQLiteRowTest>?
}

/// Which rows are kept.
final class SQLiteRowTest {
  let keeps: (SQLiteLentValue) -> Bool

  init(_ keeps: @escaping (SQLiteLentValue) -> Bool) {
    self.keeps = keeps
  }
}
