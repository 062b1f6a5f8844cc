import HarmonySQLite

extension SQLiteSession {
  /// Tries something in the transaction of the caller, and takes it back where it fails.
  ///
  /// - Returns: Why it failed, nil where it did not.
  /// - Throws: ``SQLiteError`` where the whole transaction is lost, or its work is not wanted any
  ///   more.
  func attempt(_ body: () throws -> Void) throws -> (any Error)? {
    guard case .failure(let error) = try result(of: body) else { return nil }
    return error
  }

  /// Tries something in the transaction of the caller, and takes it back where it fails.
  ///
  /// - Returns: What came of it, or why it failed.
  /// - Throws: ``SQLiteError`` where the whole transaction is lost, or its work is not wanted any
  ///   more.
  func result<Value>(of body: () throws -> Value) throws -> Result<Value, any Error> {
    try run("SAVEPOINT larder_attempt")
    do {
      let value = try body()
      try run("RELEASE larder_attempt")
      return .success(value)
    } catch {
      let isCancelled = (error as? SQLiteError)?.code == .interrupted || error is CancellationError
      guard isInTransaction, !isCancelled else { throw error }
      try run("ROLLBACK TO larder_attempt")
      try run("RELEASE larder_attempt")
      return .failure(error)
    }
  }
}
