import HarmonySQLite
import LarderCore

/// Takes a step of the journal back, in the transaction of the caller, with what triggers did then.
struct RowUndo {
  let request: RevisionQuery.Request
  let slip: RevisionSlip
  let writer: RowWriter

  private var session: SQLiteSession { writer.session }

  init(request: RevisionQuery.Request, slip: RevisionSlip, writer: RowWriter) {
    self.request = request
    self.slip = slip
    var writer = writer
    writer.isRestoring = true
    self.writer = writer
  }

  /// Takes it back.
  func make() throws -> RowStep.Outcome<[Entry]> {
    let request = try writer.withoutComputed(request, found: slip.found)
    guard slip.wantedRows?.rows.isEmpty == false else { return try make(request) }
    var outcome: RowStep.Outcome<[Entry]>?
    let failure = try session.attempt { outcome = try make(request) }
    if failure == nil, let outcome { return outcome }
    // What comes back may need room that triggers have given to other rows.
    if let failure, (failure as? SQLiteError)?.code.primary != .constraint { throw failure }
    return try make(request, isSideFirst: true)
  }

  private func make(
    _ request: RevisionQuery.Request, isSideFirst: Bool = false
  ) throws -> RowStep.Outcome<[Entry]> {
    var side = try SideRestoration(
      slip.wantedRows, of: writer.layout.name, beside: Set(request.writtenKeys), session)
    let watch = TriggerWatch(layout: writer.layout, session: session)
    var said: [String] = []
    var (written, report) = try watch.watch {
      if slip.wantedRows?.rows.isEmpty == false {
        try session.run("PRAGMA defer_foreign_keys = ON")
        try side.removeIntruders()
        if try !writer.references.on(.delete).isEmpty { try side.removeAdded() }
        if isSideFirst { try side.restore() }
      }
      let (written, differences) = try writer.makeExactly(request) { try side.finish() }
      said = differences
      return written
    }
    try report.forget(side.known, watch)
    said += try writer.reader.otherNumbers(request.restoredNumbers, session)
    if let lost = slip.wantedRows?.lost {
      said.append(
        "\(lost == 0 ? "rows" : lost == 1 ? "1 row" : "\(lost) rows") that triggers changed along "
          + "with it could not be recorded, and did not come back")
    }
    return (written, said + side.sentences + report.sentences(writer.layout, isUndoable: false))
  }
}

extension RevisionQuery.Request {
  /// The rows that come back, with the rowids that they had.
  fileprivate var restoredNumbers: [(key: EntryKey, number: RowNumber)] {
    guard case .changes(let query) = self else { return [] }
    return query.changes.compactMap { change in
      guard change.value != nil else { return nil }
      return RowNumber(form: change.form).map { (change.key, $0) }
    }
  }
}

extension TriggerReport {
  /// Leaves out rows that were changed on purpose.
  fileprivate mutating func forget(
    _ known: Set<TriggerWatch.Place>, _ watch: TriggerWatch
  ) throws {
    guard let places, !places.isEmpty, !known.isEmpty else { return }
    let rows = try watch.rows(places) ?? [:]
    self.places = places.filter { place in
      let key = rows[place]?.entry.key ?? place.row
      return !known.contains(TriggerWatch.Place(table: place.table, row: key))
    }
  }
}
