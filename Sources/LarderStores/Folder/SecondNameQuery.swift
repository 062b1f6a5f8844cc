import LarderFiles
import Harmony
import LarderModel

/// A name that a file has beside another, as where systems rename in two steps, and were stopped
/// after the first.
///
/// Answered by `delete` of folders, which take the name away, unless it is that of another file.
struct SecondNameQuery: Query {
  let key: EntryKey
  /// The name that stays.
  let first: EntryKey

  init(_ key: EntryKey, of first: EntryKey) {
    self.key = key
    self.first = first
  }
}

extension FolderWriter {
  /// Takes a name of a file away that has another.
  func delete(_ query: SecondNameQuery) throws {
    let (path, first) = (try FolderPath(query.key), try FolderPath(query.first))
    guard let directory = try presentDirectory(of: path),
      let firstDirectory = try presentDirectory(of: first)
    else { return }
    try whileLocked([directory, firstDirectory], query.key) {
      guard let status = try directory.status(of: path.name), status.isRegular,
        let other = try firstDirectory.status(of: first.name), status.isSameFile(as: other)
      else { return }
      do throws(FileFailure) {
        try directory.remove(path.name)
      } catch {
        // Then there is one name at most.
        guard error.isMissing else { throw error }
        return
      }
      synchronize(directory, query.key, .deleted)
    }
  }
}
