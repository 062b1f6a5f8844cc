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

  /// Makes a change that is asked for, of which nothing is recorded.
  func make<Value>(_ body: (RowWriter) throws -> Value) throws -> Outcome<Value> {
    try write(keepsForeignKeys: try keepsForeignKeys) { writer in
      let watch = TriggerWatch(layout: writer.layout, session: session)
      let (value, report) = try watch.watch { try body(writer) }
      return (value, report.sentences(writer.layout, isUndoable: false))
    }
  }

  /// Makes the changes of a step of the journal, for the first time or again, or takes them back.
  func make(_ request: RevisionQuery.Request) throws -> Outcome<[Entry]> {
    guard let slip else { return try make { try $0.make(request) } }
    switch slip.purpose {
    case .change: return try record(request, slip) { try $0.make(request) }
    case .undo: return try undo(request, slip)
    case .redo:
      var said: [String] = []
      let made = try record(request, slip) { writer in
        var writer = writer
        writer.isRestoring = true
        let (written, differences) = try writer.makeExactly(
          writer.withoutComputed(request, found: slip.found))
        said = differences
        return written
      }
      return (made.value, made.said + said)
    }
  }

  /// Makes changes, and records what becomes of rows that they do not name.
  private func record(
    _ request: RevisionQuery.Request, _ slip: RevisionSlip, _ body: (RowWriter) throws -> [Entry]
  ) throws -> Outcome<[Entry]> {
    try write(keepsForeignKeys: try keepsForeignKeys) { writer in
      let sequence = RowSequence(writer.layout, session)
      let number = try sequence?.number()
      let watch = TriggerWatch(layout: writer.layout, session: session)
      var (written, report) = try watch.record {
        request.keys.union($0.map(\.key))
      } _: {
        try body(writer)
      }
      if report.touchesOwn {
        // The triggers of a later row may have changed one that was written before.
        written = try written.map { try writer.stored(writer.reader.read($0.key, session)) }
        try report.add(request.removedKeys, in: writer)
      }
      // Before the store's transaction ends: a kill afterwards must find it.
      try slip.record(report.record, try sequence?.change(since: number))
      return (written, report.sentences(writer.layout, isUndoable: true))
    }
  }

  private func undo(
    _ request: RevisionQuery.Request, _ slip: RevisionSlip
  ) throws -> Outcome<[Entry]> {
    let keepsForeignKeys = try keepsForeignKeys
    do {
      return try write(keepsForeignKeys: keepsForeignKeys) {
        try RowUndo(request: request, slip: slip, writer: $0).make()
      }
    } catch {
      guard keepsForeignKeys, let keys = request.restoredKeys,
        (error as? SQLiteError)?.extendedCode == .foreignKey
      else { throw error }
      // What is brought back was there, and its program did not look at foreign keys.
      return try write(keepsForeignKeys: false) { writer in
        var writer = writer
        writer.references = CarryingReferences(writer.layout, session, areAll: true)
        let (written, said) = try RowUndo(request: request, slip: slip, writer: writer).make()
        let check = ForeignKeyCheck(layout: writer.layout, session: session)
        return (written, said + (try check.brokenReferences(of: keys)))
      }
    }
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
  /// The keys that it names.
  fileprivate var keys: Set<EntryKey> { Set(writtenKeys).union(removedKeys) }

  /// The keys under which there is to be nothing afterwards.
  fileprivate var removedKeys: [EntryKey] {
    switch self {
    case .changes(let query): query.changes.filter { $0.value == nil }.map(\.key)
    case .renames(let query):
      query.renames.map(\.entryKey).filter { key in
        !query.renames.contains { $0.newKey == key }
      }
    }
  }

  /// The keys of the rows that are brought back, nil where there are none.
  fileprivate var restoredKeys: [EntryKey]? {
    guard case .changes = self, !writtenKeys.isEmpty else { return nil }
    return writtenKeys
  }
}

extension TriggerReport {
  /// Adds the rows that triggers put where the step has removed its own.
  fileprivate mutating func add(_ removed: [EntryKey], in writer: RowWriter) throws {
    let isRecorded = rows != nil || places?.isEmpty == true
    for key in removed {
      guard let entry = try writer.reader.read(key, writer.session) else { continue }
      let row = SideRows.Row(
        table: writer.layout.name, key: key, before: nil, after: entry.value)
      places?.insert(TriggerWatch.Place(table: row.table, row: row.key))
      if isRecorded { rows = (rows ?? []) + [row] }
    }
  }
}
