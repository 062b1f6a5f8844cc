import HarmonySQLite
import LarderCore

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
  /// A row is not what a `CHECK` demands.
  fileprivate static let check = SQLiteResultCode(rawValue: 275)
}

extension SQLiteSession {
  /// Whether what was refused may be done again ``withoutChecks(_:)``: where it may be a `CHECK`, which
  /// may call a function that only its program has, that does not take a row that was there.
  ///
  /// What a trigger adds was not there, and has to be as it should.
  func mayIgnoreChecks(
    after error: any Error, _ layout: @autoclosure () throws -> TableLayout
  ) throws -> Bool {
    guard let error = error as? SQLiteError, error.extendedCode == .check || error.code == .error
    else { return false }
    return try !TriggerWatch(layout(), self).hasTriggers
  }

  /// Runs a body for which rows need not be what the `CHECK`s of their tables demand.
  func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result {
    try run("PRAGMA ignore_check_constraints = ON")
    defer { try? run("PRAGMA ignore_check_constraints = OFF") }
    return try body()
  }
}
