import Harmony
import LarderModel

/// Undo for folders: removes the folders that a change created if they are empty.
struct FolderUndo: UndoSupport {
  var recordsChanges: Bool { true }

  func asKept(_ value: StoredValue, form: String?) -> StoredValue { FolderReader.asRead(value) }

  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    try await source.delete(SecondLinkQuery(key: newKey, first: key)).get()
  }
}

/// The folders that a change creates for its files, as paths below the root.
struct FoldersToCreate {
  var paths: Set<[UInt8]>

  /// The paths as stored in the journal.
  var encoded: [UInt8] {
    EntryCoding.encode(
      .array(paths.sorted { $0.lexicographicallyPrecedes($1) }.map { .data($0) }))
  }
}

extension FoldersToCreate {
  /// Decodes paths from ``encoded``, also in the format of earlier versions of larder; returns nil
  /// for other data.
  init?(encoded: [UInt8]) {
    guard case .array(let values)? = EntryCoding.value(encoded) else { return nil }
    paths = []
    for value in values {
      switch value {
      case .data(let path): paths.insert(path)
      case .array(let folders):
        // Earlier versions stored the inode of each folder, and a second list of folders that an
        // undo created.
        for case .array(let parts) in folders {
          guard case .data(let path)? = parts.first else { return nil }
          paths.insert(path)
        }
        return
      default: return nil
      }
    }
  }
}
