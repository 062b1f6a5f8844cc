import CSQLite

extension SQLiteSession {
  /// Runs a closure in a write transaction, and rolls back if it throws.
  ///
  /// The write lock is taken immediately (`BEGIN IMMEDIATE`), so that no other connection can write
  /// between the reads and writes of the closure.
  ///
  /// - Throws: ``SQLiteError`` if the lock is not available or the changes cannot be committed, and
  ///   the error of the closure. The database is then unchanged.
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try write(body) { $0 }
  }

  /// Runs a closure in a write transaction, and rolls back if it throws or the commit fails.
  ///
  /// - Parameters:
  ///   - body: Makes the changes.
  ///   - explain: Converts the error of a failed commit, while the uncommitted changes can still be
  ///     read.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of `write(_:)`, and the result of `explain` if the commit fails.
  package func write<Result>(
    _ body: () throws -> Result, explaining explain: (SQLiteError) throws -> any Error
  ) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      do throws(SQLiteError) {
        try run("COMMIT")
      } catch {
        throw isInTransaction ? try explain(error) : error
      }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs a closure in a read transaction, which sees one consistent state of the database.
  ///
  /// - Throws: The error of the closure, and ``SQLiteError`` if the database cannot be read.
  public func read<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs a closure in a savepoint of the caller's transaction, and rolls back to it if it throws.
  ///
  /// - Throws: The error of the closure, and ``SQLiteError``.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try run("SAVEPOINT harmony")
    do {
      let result = try body()
      try run("RELEASE harmony")
      return result
    } catch {
      settle()
      // Some errors roll back the whole transaction.
      if isInTransaction {
        try run("ROLLBACK TO harmony")
        try run("RELEASE harmony")
      }
      throw error
    }
  }

  /// Rolls back the transaction, without being interrupted by the cancellation that led to it.
  private func rollBack() {
    settle()
    guard isInTransaction else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }
}
