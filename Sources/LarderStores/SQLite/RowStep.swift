import HarmonySQLite
import LarderCore

/// One change of a table, in a transaction, with what the triggers of the table do beside it.
struct RowStep {
  let table: SQLiteTable
  let session: SQLiteSession
  /// What is recorded of the change, or to be brought back; nil where nothing is recorded.
  var slip: RevisionSlip?
  /// Who is told which change the database refuses at the end.
  var scan: Scan?

  /// What came of a change, and what a person has to be told of it.
  typealias Outcome<Value> = (value: Value, said: [String])

  /// Makes a change that is asked for, of which nothing is recorded.
  ///
  /// - Parameters:
  ///   - isRepeatable: Whether the body can be called again to find out why it was refused.
  ///   - keys: The keys of the rows that are changed, also those that they get; nil for any.
  ///   - body: Makes the change.
  /// - Returns: What the body returns, and what there is to say.
  /// - Throws: What the body throws, and ``SQLiteError``.
  func make<Value>(
    isRepeatable: Bool = true, keys: Set<EntryKey>? = nil, _ body: (RowWriter) throws -> Value
  ) throws -> Outcome<Value> {
    try write(keepsForeignKeys: try keepsForeignKeys, isRepeatable: isRepeatable) { writer in
      let watch = try TriggerWatch(writer.layout, session)
      let files = try ValueFiles(writer.layout, keys, session)
      let (value, report) = try watch.watch { try body(writer) }
      return (value, try report.sentences(isUndoable: false) + (files?.sentences() ?? []))
    }
  }

  /// Makes the changes of a step of the journal, for the first time or again, or takes them back.
  func make(_ request: RevisionQuery.Request) throws -> Outcome<[Entry]> {
    guard let slip else { return try make(keys: request.keys) { try $0.make(request) } }
    switch slip.purpose {
    case .change: return try record(request, slip) { try $0.make(request) }
    case .undo: return try undoIgnoringChecks(request, slip)
    case .redo:
      var said: [String] = []
      let made = try record(request, slip) { writer in
        var writer = writer
        writer.isRestoring = true
        let (written, differences) = try writer.makeExactly(
          writer.comparable(request, found: slip.found),
          values: request.renamedValues(
            slip.wantedRows, of: writer.layout.name, isUndo: false))
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
      var writer = writer
      let watch = try TriggerWatch(writer.layout, session)
      func sequences() throws -> RowSequences {
        try RowSequences(writer.layout, andOthers: watch.isNeeded, session)
      }
      let numbers = try sequences()
      let files = try ValueFiles(writer.layout, request.keys, session)
      let renamed = RenamedRows(notesAll: watch.isNeeded)
      writer.renamed = renamed
      var (written, report) = try watch.record {
        request.keys.union($0.map(\.key))
      } _: {
        try body(writer)
      }
      if report.losesRows, try watch.mayBeCarriedOn(to: report.places) {
        throw StoreError.failed(
          "\(watch.cause) would change more rows than the journal keeps to bring them back; nothing "
            + "was written. Delete or change those rows first, or open it with --no-journal")
      }
      if report.touchesOwn {
        // The triggers of a later row may have changed one that was written before.
        written = try written.map { try writer.stored(writer.reader.read($0.key, session)) }
        try report.add(request.removedKeys, in: writer)
      }
      report.renamed = renamed.changed(written, of: writer.layout.name)
      if !writer.isTrial {
        let rows = report.record(try sequences().changes(since: numbers))
        if let before = slip.wayBack {
          try WayBack(to: before, after: request, written, rows: rows, writer.layout, session)?
            .check(deletes: request.writtenKeys.isEmpty)
        }
        // Before the store's transaction ends: a kill afterwards must find it.
        try slip.record(rows)
      }
      return (written, try report.sentences(isUndoable: true) + (files?.sentences() ?? []))
    }
  }

  /// Takes a step back, also where a row would not be what a `CHECK` of its table demands: it was
  /// there, and comes back as it was.
  private func undoIgnoringChecks(
    _ request: RevisionQuery.Request, _ slip: RevisionSlip
  ) throws -> Outcome<[Entry]> {
    do {
      return try undo(request, slip)
    } catch {
      guard try session.mayIgnoreChecks(after: error, table.layout(session)) else { throw error }
      let refusal = (error as? SQLiteError)?.message ?? ""
      guard let (written, said) = try? session.withoutChecks({ try undo(request, slip) }) else {
        throw error
      }
      return (
        written,
        said + ["a CHECK of the database stands against it (\(refusal)); it came back all the same"]
      )
    }
  }

  private func undo(
    _ request: RevisionQuery.Request, _ slip: RevisionSlip
  ) throws -> Outcome<[Entry]> {
    let keepsForeignKeys = try keepsForeignKeys
    do {
      return try write(keepsForeignKeys: keepsForeignKeys, isExplained: false) {
        try RowUndo(request: request, slip: slip, writer: $0).make()
      }
    } catch {
      guard keepsForeignKeys, let refusal = error as? SQLiteError, refusal.isOfForeignKey else {
        throw error
      }
      guard let keys = request.restoredKeys, refusal.extendedCode == .foreignKey else {
        // What refers to a row now may have done so before it was there; nobody can tell.
        throw explained(error, advice: "Delete or change that row first") {
          _ = try RowUndo(request: request, slip: slip, writer: $0).make()
        }
      }
      // What is brought back was there, and its program did not look at foreign keys.
      return try write(keepsForeignKeys: false) { writer in
        var writer = writer
        writer.references = CarryingReferences(writer.layout, session, areAll: true)
        let before = Set(try brokenReferences(of: keys, slip))
        let orphans = try orphansOfOthers(slip)
        let (written, said) = try RowUndo(request: request, slip: slip, writer: writer).make()
        // What a trigger adds now was not there.
        guard try orphansOfOthers(slip).subtracting(orphans).isEmpty else { throw refusal }
        let broken = try brokenReferences(of: keys, slip).map {
          $0 + (before.contains($0) ? ", as before the undo" : "; it came back all the same")
        }
        return (written, said + broken)
      }
    }
  }

  /// The rows that refer to rows that are not there, in tables to which the step brings none back.
  private func orphansOfOthers(_ slip: RevisionSlip) throws -> Set<[String]> {
    let layout = try table.layout(session)
    guard try TriggerWatch(layout, session).hasTriggers else { return [] }
    let restored = slip.wantedRows?.rows.filter { $0.before != nil }.map(\.table) ?? []
    let own = Set([layout.name] + restored)
    // A table that refers to what nothing can refer to lets nobody look.
    let broken = (try? session.rows("PRAGMA main.foreign_key_check")) ?? []
    return Set(
      broken.compactMap { row in
        guard case .text(let name)? = row.first, !own.contains(name) else { return nil }
        return row.map { String(describing: $0) }
      })
  }

  /// The rows that an undo brings back and that refer to rows that are not there, each in a clause:
  /// others may have deleted those since.
  private func brokenReferences(of keys: [EntryKey], _ slip: RevisionSlip) throws -> [String] {
    var restored = [try table.layout(session).name: Set(keys)]
    for row in slip.wantedRows?.rows ?? [] where row.before != nil {
      restored[row.table, default: []].insert(row.key)
    }
    return try restored.sorted { $0.key < $1.key }.flatMap { name, keys -> [String] in
      guard let layout = try TableCatalogue.layouts(session, named: name).first else { return [] }
      let check = ForeignKeyCheck(layout: layout, session: session)
      do {
        return try check.brokenReferences(of: keys.sorted())
      } catch is StoreError {
        // A table that has other keys by now, to which none of these came back.
        return []
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
    keepsForeignKeys: Bool, isExplained: Bool = true, isRepeatable: Bool = true,
    _ body: (RowWriter) throws -> Value
  ) throws -> Value {
    do {
      return try writeOnce(keepsForeignKeys: keepsForeignKeys, isExplained: isExplained, body)
    } catch {
      // Also where all was made, and the database refuses it at the end.
      scan?.reportRollback()
      guard isExplained, keepsForeignKeys, isRepeatable else { throw error }
      throw explained(error) { _ = try body($0) }
    }
  }

  private func writeOnce<Value>(
    keepsForeignKeys: Bool, isExplained: Bool, _ body: (RowWriter) throws -> Value
  ) throws -> Value {
    var made: RowWriter?
    return try session.withForeignKeys(keepsForeignKeys) {
      try session.write {
        let layout = try table.layout(session)
        guard layout.isWritable else {
          throw StoreError.readOnly(
            "\(layout.name) is a \(layout.form.rawValue) with \(layout.keyDescription) keys, "
              + "which larder only reads")
        }
        let isWatched = isExplained && keepsForeignKeys
        let writer = RowWriter(
          layout, session,
          written: WrittenKeys(
            isNeeded: try isWatched && !ForeignKey.of(layout.name, session).isEmpty))
        made = writer
        let value = try body(writer)
        // Whatever failed until now has changed nothing.
        slip?.reportWriting()
        return value
      } explaining: { error in
        guard isExplained, let made else { return error }
        return try LateRefusal(writer: made, scan: scan).error(error)
      }
    }
  }
}

extension RevisionQuery.Request {
  /// The keys that it names.
  var keys: Set<EntryKey> { Set(writtenKeys).union(removedKeys) }

  /// The keys under which there is to be nothing afterwards.
  var removedKeys: [EntryKey] {
    switch self {
    case .changes(let query): return query.changes.filter { $0.value == nil }.map(\.key)
    case .renames(let query):
      let taken = Set(query.renames.map(\.newKey))
      return query.renames.map(\.entryKey).filter { !taken.contains($0) }
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
