import HarmonySQLite
import LarderModel

/// A change of a table in a transaction, with the side effects of triggers and foreign keys.
struct RowChange {
  let table: SQLiteTable
  let session: SQLiteSession
  /// The record of the change to write, or to undo or redo; nil if nothing is recorded.
  var record: ChangeRecord?
  /// Receives the change that the database refuses at the end.
  var scan: Scan?

  /// The result of a change, and warnings for the user.
  typealias Outcome<Value> = (value: Value, warnings: [String])

  /// Makes a change without recording it.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows that change, including their new ones; nil for any.
  ///   - body: Makes the change.
  /// - Returns: The result of the body, and warnings.
  /// - Throws: The errors of the body, and ``SQLiteError``.
  func make<Value>(
    keys: Set<EntryKey>? = nil, _ body: (RowWriter) throws -> Value
  ) throws -> Outcome<Value> {
    var (value, warnings, files) = try write { writer in
      try observe(writer, keys, .made) { try body(writer) }
    }
    warnings += ValueFiles.warnings(files, kept: folder.remove(files), .made)
    return (value, warnings)
  }

  /// Makes a change, determines its side effects, and rolls it back.
  ///
  /// - Returns: The entries as they would be stored, and warnings.
  /// - Throws: The error with which the change would be refused.
  func tryOut(_ change: StoreChange) throws -> Outcome<[Entry]> {
    struct TrialEnd: Error {}
    var outcome: Outcome<[Entry]> = ([], [])
    do {
      try write { writer in
        let (entries, warnings, files) = try observe(writer, change.keys, .tried) {
          try writer.make(change)
        }
        outcome = (entries, warnings + ValueFiles.warnings(files, .tried))
        // The database would check this at the commit.
        if session.hasBrokenForeignKeys {
          throw try ConstraintDiagnosis(writer: writer, scan: scan).error()
        }
        throw TrialEnd()
      }
    } catch is TrialEnd {}
    return outcome
  }

  /// The folder with the files that hold values of rows.
  private var folder: ValueFolder { ValueFolder(of: table.database.path) }

  /// Makes a change and returns its result, warnings about its side effects, and the files that
  /// rows no longer name.
  private func observe<Value>(
    _ writer: RowWriter, _ keys: Set<EntryKey>?, _ state: SideEffects.State,
    _ body: () throws -> Value
  ) throws -> (value: Value, warnings: [String], files: [String]) {
    let effects = try SideEffects(of: writer.layout, session)
    let files = try ValueFiles(writer.layout, keys, session)
    let (value, recording): (Value, SQLiteRecording?)
    if effects.arePossible {
      (value, recording) = try session.recordingChanges(limit: nil, body)
    } else {
      (value, recording) = (try body(), nil)
    }
    let warnings = effects.warnings(recording?.sideEffects ?? [:], writer.written, state)
    return (value, warnings, try files?.left() ?? [])
  }

  /// Makes a change of the journal for the first time, undoes it or redoes it.
  func make(_ change: StoreChange) throws -> Outcome<[Entry]> {
    guard let record else { return try make(keys: change.keys) { try $0.make(change) } }
    switch record.purpose {
    case .change: return try makeRecorded(keys: change.keys, record) { try $0.make(change) }
    case .undo: return try apply(record, .revert)
    case .redo: return try apply(record, .reapply)
    }
  }

  /// Makes changes, and records every row that they change.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows that are named; nil for any.
  ///   - record: Stores the record.
  ///   - onChange: Called before each row changes, with the number of rows changed so far.
  ///   - body: Makes the changes, and returns the entries as stored.
  /// - Returns: Those entries, and warnings.
  /// - Throws: The errors of the body, and ``StoreError/journal(_:)`` if they cannot be recorded.
  func makeRecorded(
    keys: Set<EntryKey>?, _ record: ChangeRecord, onChange: @escaping (Int) -> Void = { _ in },
    _ body: (RowWriter) throws -> [Entry]
  ) throws -> Outcome<[Entry]> {
    var gone: [RowRecord.File] = []
    var outcome: Outcome<[Entry]> = try write { writer in
      let effects = try SideEffects(of: writer.layout, session)
      let files = try ValueFiles(writer.layout, keys, session)
      var (written, recording) = try session.recordingChanges(
        limit: record.limit, onChange: onChange
      ) {
        try body(writer)
      }
      if effects.arePossible {
        // Triggers of a later row may have changed one that was written before.
        written = try written.map { try writer.stored(writer.reader.read($0.key, session)) }
      }
      guard let recording else {
        throw StoreError.noChangeReports
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
        throw StoreError.sameRows
      }
      // Before the commit, so that the record exists even if the process is killed right after it.
      try record.record(bytes, written: written)
      gone = kept
      let warnings = effects.warnings(recording.sideEffects, writer.written, .recorded)
      return (written, warnings)
    }
    // If the process is killed before this, files remain that no row names, but none is missing.
    outcome.warnings += ValueFiles.warnings(
      gone.map(\.path), kept: folder.remove(gone), .recorded)
    return outcome
  }

  /// Reverts or reapplies every row of a change exactly; no trigger fires.
  private func apply(
    _ record: ChangeRecord, _ direction: SQLiteChangeset.Direction
  ) throws -> Outcome<[Entry]> {
    let keepsForeignKeys = try keepsForeignKeys
    guard
      let recorded = (record.isWhole ? record.recorded : nil).flatMap(RowRecord.init(encoded:))
    else {
      throw StoreError.noRecordedRows
    }
    let changeset = recorded.changeset
    // An undo restores no more rows than the change reported.
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
        // Rows that a redo skips are no longer part of the change, and undo will not revert them.
        try record.record(
          RowRecord(changeset.excluding(left), files: recorded.files).encoded())
      }
      record.reportWriting()
      let warnings = effects?.warnings(of: changeset, .recorded) ?? []
      return warnings + dangling + Self.sentences(conflicts)
    }
    var warnings: [String]
    do {
      warnings = try session.writeAsIs(apply)
    } catch {
      folder.remove(restored)
      throw error
    }
    warnings += ValueFiles.warnings(gone.map(\.path), kept: folder.remove(gone), .recorded)
    // The journal has the entries.
    return ([], warnings)
  }

  private func error(
    _ conflict: SQLiteChangesetConflict, _ layout: TableLayout, _ reader: RowReader
  ) throws -> StoreError {
    switch conflict.reason {
    case .valueConverted: return .convertedUndo(conflict.table)
    case .tableChanged: return .otherColumns(conflict.table)
    case .indexChanged: return .otherIndex(conflict.table)
    case .columnsAdded: return .addedColumn(conflict.table)
    case .keyTaken:
      return .keyTaken(EntryKey(parts: try session.key(of: conflict)), in: conflict.table)
    case .valueTaken(let columns): return .valueTaken(columns)
    case .rowChanged, .rowidTaken:
      guard conflict.table == layout.name else { return .sideRowChanged(conflict.table) }
      return .conflict(
        current: try session.values(of: layout.keyColumns.map(\.name), in: conflict).flatMap {
          try reader.read(EntryKey(parts: $0), session)
        })
    }
  }

  /// Returns warnings about side effects that stay because other programs changed the rows since,
  /// and about rows with new rowids.
  private static func sentences(_ conflicts: [SQLiteChangesetConflict]) -> [String] {
    Dictionary(grouping: conflicts, by: \.table).sorted { $0.key < $1.key }.flatMap { table, rows in
      let renumbered = rows.count { $0.reason == .rowidTaken }
      return [
        (renumbered, Messages.newRowids), (rows.count - renumbered, Messages.leftChanged),
      ].filter { $0.0 > 0 }.map { count, message in message(count, table) }
    }
  }

  /// Whether foreign keys can be enforced.
  private var keepsForeignKeys: Bool {
    get throws {
      guard !session.isReadOnly else { throw SQLiteError(.readOnly) }
      return ForeignKeyCheck(layout: try table.layout(session), session: session).canBeKept()
    }
  }

  private func write<Value>(_ body: (RowWriter) throws -> Value) throws -> Value {
    let keepsForeignKeys = try keepsForeignKeys
    var made: RowWriter?
    do {
      return try session.withForeignKeys(keepsForeignKeys) {
        try session.write {
          // Only at the end, when it is known which rows refer to a missing one, and in which order
          // the rows were written does not matter.
          try session.run("PRAGMA defer_foreign_keys = ON")
          let layout = try table.layout(session)
          guard layout.isWritable else {
            throw StoreError.readOnly(
              Messages.readOnlyKind(
                layout.name, layout.form.rawValue, keys: layout.keyDescription))
          }
          let writer = RowWriter(
            layout, session,
            written: WrittenKeys(
              isNeeded: try keepsForeignKeys && !ForeignKey.of(layout.name, session).isEmpty))
          made = writer
          let value = try body(writer)
          // Up to here, no error has changed anything.
          record?.reportWriting()
          return value
        } explaining: { error in
          guard let made, error.extendedCode == .foreignKey else { return error }
          return try ConstraintDiagnosis(writer: made, scan: scan).error()
        }
      }
    } catch {
      // Also if all changes were made and the database refuses the commit.
      scan?.reportRollback()
      throw error
    }
  }
}

extension RowWriter {
  /// Makes a change of the journal in the caller's transaction.
  func make(_ change: StoreChange) throws -> [Entry] {
    switch change {
    case .changes(let query): try make(query)
    case .renames(let query): try rename(query.renames, query.scan)
    }
  }
}

extension StoreChange {
  /// The keys that it names.
  fileprivate var keys: Set<EntryKey> { Set(writtenKeys + leftKeys) }
}
