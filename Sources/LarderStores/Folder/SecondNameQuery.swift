import Harmony
import LarderCore

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
    do throws(FileFailure) {
      let directory = try root.directory(path.parents)
      guard let status = try directory.status(of: path.name), status.isRegular,
        let other = try root.directory(first.parents).status(of: first.name),
        status.isSameFile(as: other)
      else { return }
      try directory.remove(path.name)
      synchronize(directory, query.key)
    } catch {
      // Then there is one name at most.
      guard error.isMissing else { throw error }
    }
  }
}
