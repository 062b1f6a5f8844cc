import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// Undo for databases: every row that a change touches is recorded and can be restored exactly.
struct SQLiteUndo: UndoSupport {
  let source: SQLiteEntrySource

  var recordsChanges: Bool { true }
  var recordsEntries: Bool { true }
  var reportsWriting: Bool { true }

  func isMade(_ record: [UInt8]) async throws -> Bool? {
    guard let changeset = RowRecord(encoded: record)?.changeset else { return nil }
    return try await source.future(.page) { session, _ in
      try session.read { try session.wasMade(changeset) }
    }.getCancelling()
  }

  func entries(of record: [UInt8]) async throws -> [RecordedEntry] {
    guard let changeset = RowRecord(encoded: record)?.changeset else {
      throw StoreError.unreadableRecord
    }
    return try await source.future(.page) { _, layout in
      changeset.slots.compactMap { slot in
        let table = changeset.tables[slot.table]
        guard table.name == layout.name else { return nil }
        func entry(_ direction: SQLiteChangeset.Direction) -> (EntryKey, StoredValue)? {
          changeset.values(of: slot, at: direction).flatMap { values in
            layout.entry(
              Dictionary(zip(table.columns, values)) { $1 },
              rowid: changeset.rowid(of: slot, at: direction))
          }
        }
        let (before, after) = (entry(.revert), entry(.reapply))
        guard let key = before?.0 ?? after?.0 else { return nil }
        return RecordedEntry(key, before: before?.1, after: after?.1)
      }
    }.getCancelling()
  }
}

extension TableLayout {
  /// Returns the key and the value of a row from its stored columns; nil if these lack the key.
  fileprivate func entry(
    _ columns: [String: SQLiteValue], rowid: Int64?
  ) -> (EntryKey, StoredValue)? {
    guard case .columns(let parts) = keys else { return nil }
    var key: [SQLiteValue] = []
    for part in parts {
      guard let value = columns[part.name] ?? rowid.map(SQLiteValue.integer) else { return nil }
      key.append(value)
    }
    let fields = values.compactMap { column in
      columns[column.storedName].map { StoredValue.Field(column.name, StoredValue($0)) }
    }
    let value = isSingleValue ? fields.first?.value ?? .null : .record(fields)
    return (EntryKey(parts: key), value)
  }
}
