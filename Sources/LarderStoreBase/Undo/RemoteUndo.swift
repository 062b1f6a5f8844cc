package import Harmony
package import LarderModel

/// Undo for a store of another process, which writes the new key of a renamed entry before it
/// deletes the old one.
package protocol RemoteUndo: UndoSupport {}

extension RemoteUndo {
  package func isUnreached(_ error: any Error) -> Bool {
    (error as? StoreError)?.code == StoreError.cannotOpen("").code
  }

  package func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    try await source.delete(EntryQuery(newKey, expecting: fingerprint)).get()
  }
}
