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
      let file = URL(filePath: path)
      let folder = try FolderDescriptor(root: file.deletingLastPathComponent().path)
      let name = Array(file.lastPathComponent.utf8)
      // A long export to a name that is taken fails before it begins.
      if !order.replaces, try folder.status(of: name) != nil { throw FileFailure(EEXIST) }
      let draft = try FileDraft(in: folder)
      try await contents { try draft.write($0) }
      doubt = try draft.place(as: name, replaces: order.replaces)
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

/// A private file under a temporary name, which is deleted unless it gets its name.
final class FileDraft {
  private let folder: FolderDescriptor
  private let file: FolderDescriptor
  // In the same directory, and so on the same disk.
  private let spare: [UInt8]
  private var isPlaced = false

  init(in folder: FolderDescriptor) throws(FileFailure) {
    self.folder = folder
    (file, spare) = try folder.makeTemporary()
  }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try file.write(bytes)
  }

  deinit {
    if !isPlaced { try? folder.remove(spare) }
  }

  /// Renames the file.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - replaces: Whether to replace a file with the name.
  /// - Returns: The error if the file was written but may not survive a power loss.
  /// - Throws: ``FileFailure``, `EEXIST` if the name is taken.
  func place(as name: [UInt8], replaces: Bool) throws(FileFailure) -> FileFailure? {
    if let failure = file.synchronize() { throw failure }
    if replaces {
      try folder.rename(spare, to: name)
    } else if try !folder.move(spare, to: name, in: folder) {
      throw FileFailure(EEXIST)
    }
    isPlaced = true
    return folder.synchronize()
  }
}
