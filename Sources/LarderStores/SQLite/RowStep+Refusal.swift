import HarmonySQLite

extension RowStep {
  /// Finds out which rows stand against a change that the database refuses at once, of which it says
  /// only that a foreign key does: the change is tried without foreign keys, looked at and rolled
  /// back.
  ///
  /// - Parameters:
  ///   - error: What the database said.
  ///   - advice: What to do where a row would refer to nothing, as a sentence.
  ///   - body: The change; whatever it throws now, it is the first error that counts.
  /// - Returns: The error that says more, or the one that was given.
  func explained(
    _ error: any Error, advice: String? = nil, _ body: (RowWriter) throws -> Void
  ) -> any Error {
    guard (error as? SQLiteError)?.isOfForeignKey == true else { return error }
    var reason: (any Error)?
    try? session.withForeignKeys(false) {
      try session.write {
        let layout = try table.layout(session)
        var writer = RowWriter(layout, session, written: WrittenKeys(isNeeded: true))
        writer.isTrial = true
        try body(writer)
        let refusal = LateRefusal(writer: writer, scan: scan, isNear: true)
        reason = try refusal.reason(advice: advice)
        throw error
      }
    }
    return reason ?? error
  }
}

extension SQLiteError {
  /// Whether a foreign key does not allow it: SQLite carries `RESTRICT` out as if a trigger did.
  var isOfForeignKey: Bool {
    extendedCode == .foreignKey
      || extendedCode == .trigger && message == "FOREIGN KEY constraint failed"
  }
}

extension SQLiteResultCode {
  /// A trigger does not allow it.
  fileprivate static let trigger = SQLiteResultCode(rawValue: 1811)
}
