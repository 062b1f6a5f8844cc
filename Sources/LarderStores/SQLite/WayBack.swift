import HarmonySQLite
import LarderCore

/// Finds out, while a change can still be rolled back, whether an undo could take it back.
///
/// A table may hold rows that it would not take today: of a schema that was changed since, or of a
/// time before a trigger. Whoever deletes such a row has to know that beforehand.
struct WayBack {
  private let request: RevisionQuery.Request
  private let slip: RevisionSlip
  private let writer: RowWriter

  private var session: SQLiteSession { writer.session }

  /// That all went well, so that it is rolled back.
  private struct Done: Error {}

  /// Prepares what an undo would ask for.
  ///
  /// - Parameters:
  ///   - before: What the undo brings back, in the order of the changes.
  ///   - changes: What was made.
  ///   - written: The entries as they are now.
  ///   - rows: What triggers did beside them.
  ///   - layout: The table.
  ///   - session: The transaction in which all that was made.
  init?(
    to before: RevisionQuery.Request, after changes: RevisionQuery.Request, _ written: [Entry],
    rows: SideRows?, _ layout: TableLayout, _ session: SQLiteSession
  ) {
    guard let (request, found) = before.asUndo(of: changes, written) else { return nil }
    self.request = request
    slip = RevisionSlip(nil, rows: rows, found: found, .undo) { _ in }
    var writer = RowWriter(layout, session)
    writer.isTrial = true
    self.writer = writer
  }

  /// Takes the change back in the transaction of the caller, and rolls that back.
  ///
  /// - Parameter deletes: Whether the change deletes rows, and does nothing else.
  /// - Throws: ``StoreError`` where the database would refuse it, which rolls the change back.
  func check(deletes: Bool) throws {
    var failure = try trial()
    if let refusal = failure, try session.mayIgnoreChecks(after: refusal, writer.layout) {
      failure = try session.withoutChecks { try trial() }
    }
    guard let failure, let reason = failure.reason else { return }
    let (done, does) = deletes ? ("deleted", "deletes") : ("written", "writes")
    throw StoreError.notSupported(
      "an undo could not bring back what is there now: \(reason); nothing was \(done). "
        + "--no-journal \(does) without a way back")
  }

  /// Why the undo fails, nil where it does not.
  private func trial() throws -> (any Error)? {
    var undo = RowUndo(request: request, slip: slip, writer: writer)
    undo.refusesLoss = true
    let failure = try session.attempt {
      _ = try undo.make()
      throw Done()
    }
    return failure is Done ? nil : failure
  }
}

extension RevisionQuery.Request {
  /// What takes back changes that were made, and what it finds in their places; nil where it cannot
  /// be told which is which.
  fileprivate func asUndo(
    of changes: RevisionQuery.Request, _ written: [Entry]
  ) -> (RevisionQuery.Request, found: [StoredValue?])? {
    switch (self, changes) {
    case (.changes(let before), .changes(let made)):
      guard before.changes.count == made.changes.count,
        written.count == made.changes.count(where: { $0.value != nil })
      else { return nil }
      var rest = written[...]
      var found: [StoredValue?] = []
      let undo = zip(before.changes, made.changes).map { old, new in
        let entry = new.value == nil ? nil : rest.popFirst()
        found.append(entry?.value)
        return EntryChange(
          entry?.key ?? old.key, value: old.value, expecting: entry?.fingerprint, form: old.form)
      }
      return (.changes(ChangesQuery(undo.reversed())), found.reversed())
    case (.renames(let before), .renames):
      guard before.renames.count == written.count else { return nil }
      let undo = zip(before.renames, written).compactMap { old, entry in
        entry.fingerprint.map { RenameQuery(entry.key, to: old.newKey, expecting: $0) }
      }
      return (.renames(RenamesQuery(undo.reversed())), written.reversed().map(\.value))
    default: return nil
    }
  }
}

extension Error {
  /// Why the database would not take back what it holds, as a clause; nil where it is only not known
  /// whether it would.
  fileprivate var reason: String? {
    switch self as any Error {
    case let error as SQLiteError:
      // Where a foreign key stands against it, the undo goes on without.
      guard !error.isOfForeignKey, error.code.primary == .constraint || error.code == .error else {
        return nil
      }
      return "the database would refuse it (\(error.message))"
    case StoreError.failed(let sentence):
      return sentence.replacing("; nothing was written", with: "")
    default: return nil
    }
  }
}
