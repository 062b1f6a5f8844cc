import Harmony
import LarderModel

/// Undo in the sources of a running program.
struct LiveUndo: UndoSupport {
  func isUnreached(_ error: any Error) -> Bool {
    if case StoreError.cannotOpen = error { true } else { false }
  }

  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    // A program writes under the new key before it deletes the old one.
    try await source.delete(EntryQuery(newKey, expecting: fingerprint)).get()
  }
}
