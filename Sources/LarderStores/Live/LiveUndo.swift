import LarderModel
import LarderStoreBase

/// Undo for the sources of a live process.
struct LiveUndo: RemoteUndo {}
