import HarmonySQLite
import LarderModel

/// One change of a table, in a transaction, with what triggers and foreign keys do beside it.
struct RowStep {
  let table: SQLiteTable
  let session: SQLiteSession
  /// What is recorded of the change, or to be reverted; nil where nothing is recorded.
  var record: ChangeRecord?
  /// Who is told which change the database refuses at the end.
  var scan: Scan?

  /// What came of a change, and what the user has to be told of it.
  typealias Outcome<Value> = (value: Value, remarks: [String])

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
    var (value, remarks, files) = try write(isRepeatable: isRepeatable) { writer in
      try observe(writer, keys, .made) { try body(writer) }
    }
    remarks += ValueFiles.remarks(files, kept: folder.remove(files), .made)
    return (value, remarks)
  }

  /// Makes a change, finds out what would become of it, and rolls it back.
  ///
  /// - Returns: The entries as they would be stored, and what there would be to say.
  /// - Throws: What the change would be refused for.
  func tryOut(_ change: StoreChange) throws -> Outcome<[Entry]> {
    struct TrialEnd: Error {}
    var outcome: Outcome<[Entry]> = ([], [])
    do {
      try write { writer in
        let (entries, remarks, files) = try observe(writer, change.keys, .tried) {
          try writer.make(change)
        }
        outcome = (entries, remarks + ValueFiles.remarks(files, .tried))
        // Then the reason of a refusal is looked for.
        guard !writer.isTrial else { return }
        // What the database would look at when the transaction is committed.
        if session.hasBrokenForeignKeys {
          throw try LateRefusal(writer: writer, scan: scan).atEnd()
        }
        throw TrialEnd()
      }
    } catch is TrialEnd {}
    return outcome
  }

  /// Where files with values of rows are.
  private var folder: ValueFolder { ValueFolder(of: table.database.path) }

  /// Makes a change, and finds out what it changes beside the rows that it names, and which files no row
  /// names any more.
  private func observe<Value>(
    _ writer: RowWriter, _ keys: Set<EntryKey>?, _ state: SideEffects.State,
    _ body: () throws -> Value
  ) throws -> (value: Value, remarks: [String], files: [String]) {
    let effects = try SideEffects(of: writer.layout, session)
    let files = try ValueFiles(writer.layout, keys, session)
    let (value, recording): (Value, SQLiteRecording?)
    if effects.arePossible {
      (value, recording) = try session.recordingChanges(limit: nil, body)
    } else {
      (value, recording) = (try body(), nil)
    }
    let remarks = effects.remarks(recording?.sideEffects ?? [:], writer.written, state)
    return (value, remarks, try files?.left() ?? [])
  }

  /// Makes the changes of a step of the journal, for the first time or again, or reverts them.
  func make(_ change: StoreChange) throws -> Outcome<[Entry]> {
    guard let record else { return try make(keys: change.keys) { try $0.make(change) } }
    switch record.purpose {
    case .change: return try makeRecorded(keys: change.keys, record) { try $0.make(change) }
    case .undo: return try apply(record, .revert, change)
    case .redo: return try apply(record, .reapply, change)
    }
  }

  /// Makes changes, and records every row that they change.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows that are named; nil for any.
  ///   - record: Where they are recorded.
  ///   - onChange: Called before each row is changed, with the number of rows until then.
  ///   - body: Makes the changes, and answers with the entries as stored.
  /// - Returns: Those entries, and what there is to say.
  /// - Throws: What the body throws, and ``StoreError/journal(_:)`` where they cannot be recorded.
  func makeRecorded(
    keys: Set<EntryKey>?, _ record: ChangeRecord, onChange: @escaping (Int) -> Void = { _ in },
    _ body: (RowWriter) throws -> [Entry]
  ) throws -> Outcome<[Entry]> {
    var gone: [RowRecord.File] = []
    var outcome: Outcome<[Entry]> = try write { writer in
      let effects = try SideEffects(of: writer.layout, session)
      let files = try ValueFiles(writer.layout, keys, session)
      var (written, recording) = try session.recordingChanges(
        limit: record.limit, onChange: writer.isTrial ? { _ in } : onChange
      ) {
        try body(writer)
      }
      if effects.arePossible {
        // The triggers of a later row may have changed one that was written before.
        written = try written.map { try writer.stored(writer.reader.read($0.key, session)) }
      }
      guard !writer.isTrial else { return (written, []) }
      guard let recording else {
        throw StoreError.journal(
          "this build of SQLite does not report the rows that change, so the journal cannot keep "
            + "them; nothing was written. --no-journal writes without undo")
      }
      if recording.changeset?.slots.isEmpty == true { return (written, []) }
      let left = try files?.left() ?? []
      let kept = try left.isEmpty ? [] : folder.read(left, limit: record.limit)
      let bytes = try recording.changeset.flatMap { changeset in
        try kept.map { try RowRecord(changeset, files: $0).encoded() }
      }
      guard let bytes, let kept, bytes.count <= record.limit else {
        guard !recording.isTooLarge, recording.changeset == nil else {
          throw StoreError.tooLargeForJournal(limit: record.limit)
        }
        throw StoreError.journal(
          "this changes a table whose rows cannot be told apart; nothing was changed. --no-journal "
            + "changes it, but that cannot be undone")
      }
      // Before the store's transaction ends: a kill afterwards must find it.
      try record.record(bytes)
      gone = kept
      let remarks = effects.remarks(recording.sideEffects, writer.written, .recorded)
      return (written, remarks)
    }
    // A kill before this leaves files that nothing names, and takes none that a row names.
    outcome.remarks += ValueFiles.remarks(
      gone.map(\.path), kept: folder.remove(gone), .recorded)
    return outcome
  }

  /// Reverts or reapplies every row that a step changed, exactly; no trigger fires.
  private func apply(
    _ record: ChangeRecord, _ direction: SQLiteChangeset.Direction, _ change: StoreChange
  ) throws -> Outcome<[Entry]> {
    let keepsForeignKeys = try keepsForeignKeys
    guard
      let recorded = (record.isWhole ? record.recorded : nil).flatMap(RowRecord.init(encoded:))
    else {
      throw StoreError.notSupported(
        "larder recorded no rows of this change, or some of them are as before it already; nothing was "
          + "written. What an earlier version recorded, that version can undo")
    }
    let changeset = recorded.changeset
    // An undo brings back no more than the change was said to take along.
    let effects =
      direction == .revert
      ? nil
      : try session.withForeignKeys(keepsForeignKeys) {
        try SideEffects(of: try table.layout(session), session)
      }
    var (restored, gone): ([RowRecord.File], [RowRecord.File]) = ([], [])
    let apply = {
      let layout = try table.layout(session)
      let reader = RowReader(layout)
      let references =
        keepsForeignKeys ? try RevertedReferences(changeset, direction, session) : nil
      let conflicts: [SQLiteChangesetConflict]
      do {
        conflicts = try session.apply(changeset, direction)
      } catch let conflict as SQLiteChangesetConflict {
        throw try error(conflict, layout, reader)
      }
      let dangling = try references?.check() ?? []
      if direction == .revert {
        restored = try folder.restore(recorded.files)
      } else {
        let unnamed = try ValueFiles.unnamed(recorded.files.map(\.path), layout, session)
        gone = recorded.files.filter { unnamed.contains($0.path) }
      }
      let left = conflicts.filter { $0.reason != .rowidTaken }
      if direction == .reapply, !left.isEmpty {
        // What a redo leaves to others is no part of the change any more, and not reverted with it.
        try record.record(
          RowRecord(changeset.excluding(left), files: recorded.files).encoded())
      }
      record.reportWriting()
      let remarks =
        effects?.remarks(
          of: changeset, count: record.count ?? change.changeCount, .recorded) ?? []
      return remarks + dangling + Self.sentences(conflicts)
    }
    var remarks: [String]
    do {
      remarks = try session.writeAsIs(apply)
    } catch {
      folder.remove(restored)
      throw error
    }
    remarks += ValueFiles.remarks(gone.map(\.path), kept: folder.remove(gone), .recorded)
    // The entries are those that were recorded.
    return ([], remarks)
  }

  private func error(
    _ conflict: SQLiteChangesetConflict, _ layout: TableLayout, _ reader: RowReader
  ) throws -> StoreError {
    switch conflict.reason {
    case .valueConverted:
      return .failed(
        "a column of \"\(conflict.table)\" is declared so that it would change the value; nothing was "
          + "written")
    case .tableChanged:
      return .failed(
        "\"\(conflict.table)\" has other columns than when this was recorded, or is gone; nothing was "
          + "written")
    case .indexChanged:
      return .changedSince(
        "the index of \"\(conflict.table)\" was changed since and cannot be rebuilt; nothing was "
          + "written")
    case .columnsAdded:
      return .changedSince(
        "a row of \"\(conflict.table)\" has a value in a column that was added since, which would be "
          + "lost; nothing was written. Delete the row if you want to lose it")
    case .keyTaken:
      let key = EntryKey(parts: try session.key(of: conflict))
      return .changedSince(
        "another row of \"\(conflict.table)\" has the key \(key.spoken) now, which a row that was deleted "
          + "along has to get back; nothing was written. Delete or rename the other row first")
    case .valueTaken(let columns):
      return .changedSince(
        "another row has the \(columns) of a row that has to come back; nothing was written. Delete or "
          + "rename the other row first")
    case .rowChanged, .rowidTaken:
      guard conflict.table == layout.name else {
        return .changedSince(
          "a row of \"\(conflict.table)\", which changed along with it, was changed since; nothing was "
            + "written")
      }
      return .conflict(
        current: try session.values(of: layout.keyColumns.map(\.name), in: conflict).flatMap {
          try reader.read(EntryKey(parts: $0), session)
        })
    }
  }

  /// Says which side effects stay because other programs changed the rows since, and which rows have
  /// new rowids.
  private static func sentences(_ conflicts: [SQLiteChangesetConflict]) -> [String] {
    struct Subject: Hashable, Comparable {
      let table: String
      let isMoved: Bool

      static func < (left: Self, right: Self) -> Bool {
        (left.table, left.isMoved ? 1 : 0) < (right.table, right.isMoved ? 1 : 0)
      }
    }
    let grouped = Dictionary(grouping: conflicts) {
      Subject(table: $0.table, isMoved: $0.reason == .rowidTaken)
    }
    return grouped.sorted { $0.key < $1.key }.map { subject, conflicts in
      let rows =
        (conflicts.count == 1 ? "1 row" : "\(Thousands.text(conflicts.count)) rows")
        + " of \"\(subject.table)\""
      return subject.isMoved
        ? "\(rows) came back under a new rowid, as another row has the old one"
        : "\(rows) changed since and left as is: triggers of the database do not run for an undo"
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
    isRepeatable: Bool = true, _ body: (RowWriter) throws -> Value
  ) throws -> Value {
    let keepsForeignKeys = try keepsForeignKeys
    do {
      return try writeOnce(keepsForeignKeys: keepsForeignKeys, body)
    } catch {
      // Also where all was made, and the database refuses it at the end.
      scan?.reportRollback()
      guard keepsForeignKeys, isRepeatable else { throw error }
      throw explained(error) { _ = try body($0) }
    }
  }

  private func writeOnce<Value>(
    keepsForeignKeys: Bool, _ body: (RowWriter) throws -> Value
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
        let writer = RowWriter(
          layout, session,
          written: WrittenKeys(
            isNeeded: try keepsForeignKeys && !ForeignKey.of(layout.name, session).isEmpty))
        made = writer
        let value = try body(writer)
        // Whatever failed until now has changed nothing.
        record?.reportWriting()
        return value
      } explaining: { error in
        guard let made else { return error }
        return try LateRefusal(writer: made, scan: scan).error(error)
      }
    }
  }
}

extension RowWriter {
  /// Makes what a step of the journal asks for, in the transaction of the caller.
  func make(_ change: StoreChange) throws -> [Entry] {
    switch change {
    case .changes(let query): try make(query)
    case .renames(let query): try rename(query.renames, query.scan)
    }
  }
}

extension StoreChange {
  /// How many values it changes.
  fileprivate var changeCount: Int {
    if case .changes(let query) = self { query.changes.count } else { 0 }
  }

  /// The keys that it names.
  fileprivate var keys: Set<EntryKey> { Set(writtenKeys + leftKeys) }
}
