import LarderCore

/// Undo in databases: every row that a change touches is recorded, and written back as it was.
struct SQLiteUndo: UndoSupport {
  var recordsChanges: Bool { true }
  var reportsWriting: Bool { true }
}
