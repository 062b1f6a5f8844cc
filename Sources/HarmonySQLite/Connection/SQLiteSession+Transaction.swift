import CSQLite

extension SQLiteSession {
  /// Runs the body in a transaction that may write, and rolls back if it throws.
  ///
  /// The write lock is taken at once (`BEGIN IMMEDIATE`), so what the body reads is what it
  /// writes over.
  ///
  /// - Throws: ``SQLiteError`` if the lock cannot be had or the changes cannot be written, and
  ///   what the body throws. Nothing was changed then.
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try write(body) { $0 }
  }

  /// Runs the body in a transaction that may write, and rolls back if it throws or the database
  /// refuses to keep what it did.
  ///
  /// - Parameters:
  ///   - body: Makes the changes.
  ///   - explain: Says more of why they are not kept, while they can still be looked at.
  /// - Returns: What the body returns.
  /// - Throws: As `write(_:)` does, and what `explain` makes of the error that ends the transaction.
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

  /// Runs the body in a transaction that sees one state of the database throughout.
  ///
  /// - Throws: What the body throws, and ``SQLiteError`` if the database cannot be read.
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

  /// Runs the body in a savepoint of the caller's transaction, and rolls back to it if it throws.
  ///
  /// - Throws: What the body throws, and ``SQLiteError``.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try run("SAVEPOINT harmony")
    do {
      let result = try body()
      try run("RELEASE harmony")
      return result
    } catch {
      settle()
      // Some errors have ended the whole transaction.
      if isInTransaction {
        try run("ROLLBACK TO harmony")
        try run("RELEASE harmony")
      }
      throw error
    }
  }

  /// A ROLLBACK must not be interrupted by the cancellation that led to it.
  private func rollBack() {
    settle()
    guard isInTransaction else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }
}
