import Harmony
import LarderCore

/// Undo in databases: every row that a change touches is recorded, and written back as it was.
struct SQLiteUndo: UndoSupport {
  var reportsWriting: Bool { true }

  func commit(
    _ change: StoreChange, _ record: ChangeRecord, in source: AnyDataSource<Entry>
  ) async throws -> [Entry] {
    try await source.putAll([], in: RecordedChangeQuery(change, record)).get()
  }
}
