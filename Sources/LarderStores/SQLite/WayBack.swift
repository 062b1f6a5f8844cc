import HarmonySQLite
import LarderCore

/// Finds out, while a change can still be rolled back, whether an undo could take it back.
///
/// A table may hold rows that it would not take today: of a schema that was changed since, or of a
/// time before a trigger. Whoever deletes such a row has to know that beforehand.
struct WayBack {
  /// What the undo would ask for.
  let request: RevisionQuery.Request
  let writer: RowWriter

  private var session: SQLiteSession { writer.session }

  /// That all went well, so that it is rolled back.
  private struct Done: Error {}

  init(_ request: RevisionQuery.Request, _ layout: TableLayout, _ session: SQLiteSession) {
    self.request = request
    var writer = RowWriter(layout, session)
    writer.isRestoring = true
    writer.isUndo = true
    writer.isTrial = true
    writer.isChecked = true
    self.writer = writer
  }

  /// Takes the change back in the transaction of the caller, and rolls that back.
  ///
  /// - Parameter deletes: Whether the change deletes rows, and does nothing else.
  /// - Throws: ``StoreError`` where the database would refuse it, which rolls the change back.
  func check(deletes: Bool) throws {
    var failure = try trial()
    if failure?.mayBeOfCheck == true { failure = try session.withoutChecks { try trial() } }
    guard let failure, let reason = failure.reason else { return }
    let (done, does) = deletes ? ("deleted", "deletes") : ("written", "writes")
    throw StoreError.notSupported(
      "an undo could not bring back what is there now: \(reason); nothing was \(done). "
        + "--no-journal \(does) without a way back")
  }

  /// Why the undo fails, nil where it does not.
  private func trial() throws -> (any Error)? {
    let failure = try session.attempt {
      _ = try writer.makeExactly(request)
      throw Done()
    }
    return failure is Done ? nil : failure
  }
}

extension Error {
  /// Whether it may be that a row is not what a `CHECK` of its table demands, which may call a
  /// function that only its program has.
  var mayBeOfCheck: Bool {
    guard let error = self as? SQLiteError else { return false }
    return error.extendedCode == .check || error.code == .error
  }

  /// Why the database would not take back what it holds, as a clause; nil where that may be otherwise
  /// when a whole step is taken back, with what triggers did.
  fileprivate var reason: String? {
    switch self as any Error {
    case let error as SQLiteError:
      let isLasting =
        [.trigger, .notNull, .dataType].contains(error.extendedCode) && !error.isOfForeignKey
      guard isLasting || error.code == .error else { return nil }
      return "the database would refuse it (\(error.message))"
    case StoreError.failed(let sentence):
      return sentence.replacing("; nothing was written", with: "")
    default: return nil
    }
  }
}

extension SQLiteResultCode {
  /// A row is not what a `CHECK` demands.
  fileprivate static let check = SQLiteResultCode(rawValue: 275)
  /// A column that has to have a value has none.
  fileprivate static let notNull = SQLiteResultCode(rawValue: 1299)
  /// A value is not of the type that the column of a strict table demands.
  fileprivate static let dataType = SQLiteResultCode(rawValue: 3091)
}

extension SQLiteSession {
  /// Runs a body for which rows need not be what the `CHECK`s of their tables demand.
  func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result {
    try run("PRAGMA ignore_check_constraints = ON")
    defer { try? run("PRAGMA ignore_check_constraints = OFF") }
    return try body()
  }
}
