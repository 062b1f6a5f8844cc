import LarderModel

/// Undo in memory, for as long as the process runs.
struct MemoryUndo: UndoSupport {
  var isOfOneProcess: Bool { true }
}
