import LarderFiles
import Harmony
import LarderModel

/// A query to delete a second link to a file, as left by a rename that consists of a link and an
/// unlink and was interrupted between the two.
///
/// Folder sources handle it in `delete`; it has no effect if the name belongs to another file.
struct SecondLinkQuery: Query {
  let key: EntryKey
  /// The name to preserve.
  let first: EntryKey
}

extension FolderWriter {
  /// Deletes a second link to a file.
  func delete(_ query: SecondLinkQuery) throws {
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
        // The file has only one name left, or none.
        guard error.isMissing else { throw error }
        return
      }
      synchronize(directory, query.key, .deleted)
    }
  }
}
