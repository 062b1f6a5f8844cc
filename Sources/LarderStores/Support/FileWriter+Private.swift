import LarderFiles
import Foundation
import HarmonySQLite
package import LarderModel

extension FileWriter {
  /// A writer that creates or replaces files atomically, readable only by their owner.
  package static let `private` = FileWriter { order, contents in
    let path = HomePath.expanded(order.path)
    try check(path, order)
    let doubt: FileFailure?
    do {
      let url = URL(filePath: path)
      let folder = try FolderDescriptor(root: url.deletingLastPathComponent().path)
      let name = Array(url.lastPathComponent.utf8)
      // A long export to a name that is taken fails before it begins.
      if !order.replaces, try folder.status(of: name) != nil { throw FileFailure(EEXIST) }
      let file = try TemporaryFile(in: folder)
      try await contents { try file.write($0) }
      try check(path, order)
      doubt = try file.rename(to: name, replaces: order.replaces)
    } catch let error as FileFailure {
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
    for store in order.spared() {
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
