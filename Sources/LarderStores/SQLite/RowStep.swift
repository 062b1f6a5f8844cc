import HarmonySQLite
import LarderCore

/// One change of a table, in a transaction, with what the triggers of the table do beside it.
struct RowStep {
  let table: SQLiteTable
  let session: SQLiteSession
  /// What is recorded of the change, or to be brought back; nil where nothing is recorded.
  var slip: RevisionSlip?

  /// What came of a change, and what a person has to be told of it.
  typealias Outcome<Value> = (value: Value, said: [String])

  /// Makes a change that is asked for.
  func make<Value>(_ body: (RowWriter) throws -> Value) throws -> Outcome<Value> {
    try write(keepsForeignKeys: try keepsForeignKeys) { writer in
      let watch = TriggerWatch(layout: writer.layout, session: session)
      let (value, report) = try watch.watch(records: slip != nil) { try body(writer) }
      slip?.report(report.record)
      return (value, report.sentences(writer.layout, isUndoable: slip != nil))
    }
  }

  /// Makes the changes of a step of the journal, for the first time or again, or takes them back.
  func make(_ request: RevisionQuery.Request) throws -> Outcome<[Entry]> {
    guard let slip, slip.purpose != .change else { return try make { try $0.make(request) } }
    guard slip.purpose == .undo else {
      var said: [String] = []
      let made = try make { writer in
        var writer = writer
        writer.isRestoring = true
        let (written, differences) = try writer.makeExactly(
          writer.withoutComputed(request, found: slip.found))
        said = differences
        return written
      }
      return (made.value, made.said + said)
    }
    let keepsForeignKeys = try keepsForeignKeys
    do {
      return try write(keepsForeignKeys: keepsForeignKeys) { try undo(request, $0) }
    } catch {
      guard keepsForeignKeys, let keys = request.restoredKeys,
        (error as? SQLiteError)?.extendedCode == .foreignKey
      else { throw error }
      // What is brought back was there, and its program did not look at foreign keys.
      return try write(keepsForeignKeys: false) { writer in
        let (written, said) = try undo(request, writer)
        let check = ForeignKeyCheck(layout: writer.layout, session: session)
        return (written, said + (try check.brokenReferences(of: keys)))
      }
    }
  }

  private func undo(
    _ request: RevisionQuery.Request, _ writer: RowWriter
  ) throws -> Outcome<[Entry]> {
    var writer = writer
    writer.isRestoring = true
    let request = try writer.withoutComputed(request, found: slip?.found ?? [])
    let rows = slip?.wantedRows?.rows ?? []
    var side = try SideRestoration(rows, session)
    let watch = TriggerWatch(layout: writer.layout, session: session)
    var said: [String] = []
    var (written, report) = try watch.watch(records: false) {
      if !rows.isEmpty {
        try session.run("PRAGMA defer_foreign_keys = ON")
        if try !writer.references.on(.delete).isEmpty { try side.removeAdded() }
      }
      let (written, differences) = try writer.makeExactly(request) { try side.restore() }
      said = differences
      return written
    }
    try report.forget(rows, watch)
    if let lost = slip?.wantedRows?.lost {
      said.append(
        "\(lost == 0 ? "rows" : lost == 1 ? "1 row" : "\(lost) rows") that triggers changed along "
          + "with it could not be recorded, and did not come back")
    }
    return (written, said + side.sentences + report.sentences(writer.layout, isUndoable: false))
  }

  /// Whether foreign keys can be kept.
  private var keepsForeignKeys: Bool {
    get throws {
      guard !session.isReadOnly else { throw SQLiteError(.readOnly) }
      return ForeignKeyCheck(layout: try table.layout(session), session: session).canBeKept()
    }
  }

  private func write<Value>(
    keepsForeignKeys: Bool, _ body: (RowWriter) throws -> Value
  ) throws -> Value {
    try session.withForeignKeys(keepsForeignKeys) {
      try session.write {
        let layout = try table.layout(session)
        guard layout.isWritable else {
          throw StoreError.readOnly(
            "\(layout.name) is a \(layout.form.rawValue) with \(layout.keyDescription) keys, "
              + "which larder only reads")
        }
        return try body(RowWriter(layout, session))
      }
    }
  }
}

extension RevisionQuery.Request {
  /// The keys of the rows that are brought back, where nothing else is done.
  fileprivate var restoredKeys: [EntryKey]? {
    guard case .changes(let query) = self, query.changes.allSatisfy({ $0.value != nil }) else {
      return nil
    }
    return query.changes.map(\.key)
  }
}

extension TriggerWatch.Report {
  /// Leaves out rows that were changed on purpose.
  fileprivate mutating func forget(_ rows: [SideRows.Row], _ watch: TriggerWatch) throws {
    guard let places, !places.isEmpty, let entries = try watch.entries(places) else { return }
    self.places = places.filter { place in
      guard let key = entries[place]?.key else {
        return !rows.contains { $0.table == place.table && $0.key == place.row }
      }
      return !rows.contains { $0.table == place.table && $0.key == key }
    }
  }
}
