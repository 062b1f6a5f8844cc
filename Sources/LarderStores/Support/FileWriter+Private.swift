import LarderFiles
import Foundation
import HarmonySQLite
package import LarderModel

extension FileWriter {
  /// A writer that creates or replaces files atomically, readable only by their owner.
  package static let `private` = FileWriter { order in
    let path = HomePath.expanded(order.path)
    try check(path, order)
    let doubt: FileFailure?
    do throws(FileFailure) {
      let file = URL(filePath: path)
      let folder = try FolderDescriptor(root: file.deletingLastPathComponent().path)
      doubt = try folder.place(
        order.bytes, as: Array(file.lastPathComponent.utf8), replaces: order.replaces)
    } catch {
      throw error.number == EEXIST
        ? StoreError.exists(path) : StoreError.notExported(path, error.message)
    }
    if let doubt { throw StoreError.doubtfulExport(path, doubt.message) }
    return path
  }

  /// Throws an error if the export would replace an open store, a file in an open folder or
  /// container, a database, or anything but a regular file.
  private static func check(_ path: String, _ order: Order) throws {
    guard order.replaces else { return }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw StoreError.exportOver(Messages.otherFile, path)
    }
    guard let resolved = ResolvedPath.of(path) else { return }
    for store in order.spared {
      if ["", "-wal", "-shm", "-journal"].contains(where: { (store + $0).hasBytes(of: resolved) }) {
        throw StoreError.exportOver(Messages.openStore, path)
      }
      let folder = store.hasSuffix("/") ? store : store + "/"
      if resolved.utf8.starts(with: folder.utf8) {
        throw StoreError.exportOver(Messages.file(of: store), path)
      }
    }
    let start = try? SQLiteFile.at(resolved).firstBytes(16)
    if start.map(SQLiteKind.isHeader) == true { throw StoreError.exportOver("a database", path) }
  }
}

extension FolderDescriptor {
  /// Writes a private file under a temporary name, then renames it.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - name: The name.
  ///   - replaces: Whether to replace a file with the name.
  /// - Returns: The error if the file was written but may not survive a power loss.
  /// - Throws: ``FileFailure``, `EEXIST` if the name is taken.
  func place(
    _ bytes: [UInt8], as name: [UInt8], replaces: Bool
  ) throws(FileFailure) -> FileFailure? {
    // In the same directory, and so on the same disk.
    let (draft, spare) = try makeTemporary()
    do throws(FileFailure) {
      try draft.write(bytes)
      if let failure = draft.synchronize() { throw failure }
      if replaces {
        try rename(spare, to: name)
      } else if try !move(spare, to: name, in: self) {
        throw FileFailure(EEXIST)
      }
    } catch {
      try? remove(spare)
      throw error
    }
    return synchronize()
  }
}
