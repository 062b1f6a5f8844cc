import HarmonySQLite

extension RowChange {
  /// Returns an error that names the rows for which a foreign key refuses a change.
  ///
  /// SQLite reports only that an immediate constraint failed, so the change is made again without
  /// foreign keys, examined and rolled back.
  ///
  /// - Parameters:
  ///   - error: The error that SQLite reported.
  ///   - body: Makes the change. Any error it throws is ignored in favour of `error`.
  /// - Returns: The more specific error, or `error` itself if no row is found.
  func explained(_ error: any Error, _ body: (RowWriter) throws -> Void) -> any Error {
    guard (error as? SQLiteError)?.isOfForeignKey == true else { return error }
    var reason: (any Error)?
    try? session.withForeignKeys(false) {
      try session.write {
        let layout = try table.layout(session)
        var writer = RowWriter(layout, session, written: WrittenKeys(isNeeded: true))
        writer.isTrial = true
        try body(writer)
        reason = try ConstraintDiagnosis(writer: writer, scan: scan, isNear: true).reason()
        throw error
      }
    }
    return reason ?? error
  }
}

extension SQLiteError {
  /// Whether a foreign key failed, directly or as `RESTRICT`, which SQLite reports as a trigger.
  var isOfForeignKey: Bool {
    extendedCode == .foreignKey
      || extendedCode == .trigger && message == "FOREIGN KEY constraint failed"
  }
}

extension SQLiteResultCode {
  /// `SQLITE_CONSTRAINT_TRIGGER`: a trigger refused the change.
  fileprivate static let trigger = SQLiteResultCode(rawValue: 1811)
}
