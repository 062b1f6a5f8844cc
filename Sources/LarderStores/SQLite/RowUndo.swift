import HarmonySQLite
import LarderCore

/// Takes a step of the journal back, in the transaction of the caller, with what triggers did then.
struct RowUndo {
  let request: RevisionQuery.Request
  let slip: RevisionSlip
  let writer: RowWriter
  /// Whether rows of others that do not come back are a reason to refuse it, and not only to say so.
  var refusesLoss = false

  private var session: SQLiteSession { writer.session }

  init(request: RevisionQuery.Request, slip: RevisionSlip, writer: RowWriter) {
    self.request = request
    self.slip = slip
    var writer = writer
    writer.isRestoring = true
    writer.isUndo = true
    self.writer = writer
  }

  /// Takes it back.
  func make() throws -> RowStep.Outcome<[Entry]> {
    let request = try writer.comparable(request, found: slip.found)
    // What comes back may need room that triggers have given to other rows, or those before it.
    var others: [(request: RevisionQuery.Request, isSideFirst: Bool)] = []
    if slip.wantedRows?.rows.isEmpty == false { others.append((request, true)) }
    if try request.hasSeveral && TriggerWatch(writer.layout, session).hasTriggers {
      others.append((request.reversed, false))
    }
    guard !others.isEmpty else { return try make(request) }
    var result = try session.result { try make(request) }
    for (other, isSideFirst) in others where Self.isRefused(result) {
      let next = try session.result { try make(other, isSideFirst: isSideFirst) }
      // Where all are refused, the reason of the first is the one that is said.
      if !Self.isRefused(next) { result = next }
    }
    return try result.get()
  }

  /// Whether a constraint has refused it, which another order may not meet.
  private static func isRefused(_ result: Result<RowStep.Outcome<[Entry]>, any Error>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return (error as? SQLiteError)?.code.primary == .constraint
  }

  private func make(
    _ request: RevisionQuery.Request, isSideFirst: Bool = false
  ) throws -> RowStep.Outcome<[Entry]> {
    var side = try SideRestoration(
      slip.wantedRows, of: writer.layout.name, beside: Set(request.writtenKeys),
      but: request.renamedKeys, session)
    let watch = try TriggerWatch(writer.layout, session)
    let sequences = try SequenceRestoration(
      slip.wantedRows?.sequences ?? [], writer.layout, reachesOthers: watch.isNeeded, session)
    var writer = writer
    writer.renamed = RenamedRows(notesAll: watch.isNeeded)
    var values = request.renamedValues(slip.wantedRows, of: writer.layout.name, isUndo: true)
    if watch.isNeeded {
      // What triggers make of the rows from here on is no reason to leave them so.
      let found = try check(request, taken: side.taken)
      values.merge(found) { known, _ in known }
      writer.isChecked = true
    }
    // A row that goes could make a trigger add it again; so it becomes the one that comes back.
    let taken = isSideFirst ? [:] : side.taken
    let takingOver = request.takingOver(taken)
    let isTakenOver = takingOver != nil
    let request = takingOver ?? request
    var said: [String] = []
    var (written, report) = try watch.watch {
      if slip.wantedRows?.rows.isEmpty == false {
        try session.run("PRAGMA defer_foreign_keys = ON")
        try side.removeIntruders(underKeys: !isTakenOver)
        if try !writer.references.on(.delete).isEmpty { try side.removeAdded() }
        if isSideFirst { try side.restore() }
      }
      let (written, differences) = try writer.makeExactly(request, values: values) {
        if watch.isNeeded { try clear(request.removedKeys) }
        try side.finish()
        for (key, number) in request.restoredNumbers where watch.isNeeded || taken[key] != nil {
          _ = try session.attempt { try writer.renumber(key, to: number) }
        }
      }
      if watch.isNeeded { said = try kept(request.removedKeys) }
      said += differences
      try side.look()
      if refusesLoss, let loss = side.loss { throw StoreError.failed(loss) }
      return written
    }
    try report.forget(side.known, request.keys, watch)
    try sequences.finish(report.places)
    said += try writer.reader.otherNumbers(request.restoredNumbers, session)
    said += report.otherVirtualTables(
      than: slip.wantedRows?.virtualTables ?? [], writer.layout)
    said += report.otherSearchTotals(than: slip.wantedRows?.searchTotals ?? [:], writer.layout)
    if let lost = slip.wantedRows?.lost {
      said.append(
        "\(lost == 0 ? "rows" : lost == 1 ? "1 row" : "\(lost) rows") that triggers changed along "
          + "with it are not in the journal, or had to make room there, and did not come back")
    }
    return (written, said + side.sentences + report.sentences(isUndoable: false))
  }

  /// Makes sure that rows are what the step has left, before anything is changed.
  ///
  /// - Returns: The values of those that get their keys back, by these.
  private func check(
    _ request: RevisionQuery.Request, taken: [EntryKey: StoredValue]
  ) throws -> [EntryKey: StoredValue] {
    switch request {
    case .changes(let query):
      for change in query.changes {
        let current = try writer.reader.read(change.key, session)
        let isTaken = change.expecting == nil && current?.value == taken[change.key]
        guard isTaken || WriteRequest(change).condition.allows(current) else {
          throw StoreError.conflict(current: current)
        }
      }
      return [:]
    case .renames(let query):
      var values: [EntryKey: StoredValue] = [:]
      for rename in query.renames {
        let current = try writer.reader.read(rename.entryKey, session)
        guard let current, current.fingerprint == rename.expecting else {
          throw StoreError.conflict(current: current)
        }
        values[rename.newKey] = current.value
      }
      return values
    }
  }

  /// Takes rows away again that triggers have put under the keys of those that were taken away.
  private func clear(_ keys: [EntryKey]) throws {
    for key in keys where try writer.reader.read(key, session) != nil {
      _ = try session.attempt { try writer.delete(.one(key, .anything)) }
    }
  }

  /// Which of the keys of rows that were taken away have a row, in a sentence for each.
  private func kept(_ keys: [EntryKey]) throws -> [String] {
    try keys.filter { try writer.reader.read($0, session) != nil }.map { key in
      "\(key.spoken) of \"\(writer.layout.name)\" is there, though it was not before: a trigger "
        + "of the database added it when the row was taken back"
    }
  }
}

extension RevisionQuery.Request {
  /// The same changes where rows are under keys that are to be empty; nil for what changes no values.
  fileprivate func takingOver(_ taken: [EntryKey: StoredValue]) -> RevisionQuery.Request? {
    guard case .changes(let query) = self, !taken.isEmpty else { return nil }
    let changes = query.changes.map { change in
      var change = change
      if change.expecting == nil {
        change.expecting = taken[change.key].map { Fingerprint(of: $0) }
      }
      return change
    }
    return .changes(ChangesQuery(changes, scan: query.scan))
  }

  /// Whether more than one entry is changed, in an order that may matter.
  fileprivate var hasSeveral: Bool {
    if case .changes(let query) = self { query.changes.count > 1 } else { false }
  }

  /// The same changes from the last to the first.
  fileprivate var reversed: RevisionQuery.Request {
    guard case .changes(let query) = self else { return self }
    return .changes(ChangesQuery(query.changes.reversed(), scan: query.scan))
  }

  /// The keys that rows have which get other ones.
  fileprivate var renamedKeys: Set<EntryKey> {
    guard case .renames(let query) = self else { return [] }
    return Set(query.renames.map(\.entryKey))
  }

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
  /// The virtual tables that triggers changed in a step, or as it is taken back, but not in both,
  /// each in a sentence: only triggers can take back what others have made there.
  fileprivate func otherVirtualTables(
    than changed: Set<String>, _ layout: TableLayout
  ) -> [String] {
    let triggers = "the triggers of \"\(layout.name)\""
    return changed.subtracting(virtualTables).sorted().map {
      "\"\($0)\", which \(triggers) changed along with it, was not changed back by them"
    }
      + virtualTables.subtracting(changed).sorted().map {
        "\(triggers) changed \"\($0)\" now, and had not changed it then"
      }
  }

  /// The indexes for full-text search that have more or fewer words than before the step, each in a
  /// sentence: their triggers do not take back what they do.
  fileprivate func otherSearchTotals(
    than changed: [String: [Int64]], _ layout: TableLayout
  ) -> [String] {
    searchTotals.keys.sorted()
      .filter { SearchIndexTotals.differ(changed[$0], searchTotals[$0]) }
      .map {
        "\"\($0)\" does not hold the words that it held before: the triggers of "
          + "\"\(layout.name)\" do not take all of them back"
      }
  }

  /// Leaves out rows that were changed on purpose, beside a step or as its own.
  fileprivate mutating func forget(
    _ known: Set<TriggerWatch.Place>, _ own: Set<EntryKey>, _ watch: TriggerWatch
  ) throws {
    guard let places, !places.isEmpty else { return }
    let rows = try watch.rows(places) ?? [:]
    self.places = places.filter { place in
      let key = rows[place]?.entry.key ?? place.row
      if known.contains(TriggerWatch.Place(table: place.table, row: key)) { return false }
      // Where one of the step's own rows is now, another may have been that is gone.
      return place.table != watch.layout.name || !own.contains(key) || displaced.contains(place)
    }
  }
}
