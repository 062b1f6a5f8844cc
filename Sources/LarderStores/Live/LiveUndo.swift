import Harmony
import LarderModel

/// Undo for the sources of a live process.
struct LiveUndo: UndoSupport {
  func isUnreached(_ error: any Error) -> Bool {
    if case StoreError.cannotOpen = error { true } else { false }
  }

  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    // The program writes the new key before it deletes the old one.
    try await source.delete(EntryQuery(newKey, expecting: fingerprint)).get()
  }
}
