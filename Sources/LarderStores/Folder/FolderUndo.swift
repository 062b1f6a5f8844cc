import Harmony
import LarderModel

/// Undo in folders: the folders that a change makes are removed again, if they are empty.
struct FolderUndo: UndoSupport {
  var recordsChanges: Bool { true }

  func asKept(_ value: StoredValue) -> StoredValue { FolderReader.asRead(value) }

  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    try await source.delete(SecondNameQuery(newKey, of: key)).get()
  }
}

/// The folders that a change makes on the way to its files, as paths below the root.
struct MadeFolders {
  var paths: Set<[UInt8]>

  /// The paths in the form that the journal keeps.
  var encoded: [UInt8] {
    EntryCoding.encode(
      .array(paths.sorted { $0.lexicographicallyPrecedes($1) }.map { .data($0) }))
  }
}

extension MadeFolders {
  /// Reads what ``encoded`` made, or an earlier larder; nil for anything else.
  init?(encoded: [UInt8]) {
    guard case .array(let values)? = EntryCoding.value(encoded) else { return nil }
    paths = []
    for value in values {
      switch value {
      case .data(let path): paths.insert(path)
      case .array(let folders):
        // An earlier larder kept each with its inode, and those that an undo made in a second list.
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
