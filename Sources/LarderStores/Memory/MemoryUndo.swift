import LarderModel

/// Undo for entries in memory, available while the process runs.
struct MemoryUndo: UndoSupport {
  var isOfOneProcess: Bool { true }
}
