import Foundation
import HarmonySQLite
package import LarderCore

extension FileWriter {
  /// Writes files that only their owner can read, each of which is there whole or not at all.
  package static let `private` = FileWriter { order in
    let path = HomePath.expanded(order.path)
    try check(path, order)
    do throws(FileFailure) {
      try write(order, to: URL(filePath: path))
    } catch {
      throw error.number == EEXIST
        ? StoreError.failed("\(path) is there already; :export --replace FILE takes its place")
        : StoreError.failed("\(path) cannot be written: \(error.message)")
    }
    return path
  }

  private static func write(_ order: Order, to file: URL) throws(FileFailure) {
    let name = Array(file.lastPathComponent.utf8)
    let folder = try FolderDescriptor(root: file.deletingLastPathComponent().path)
    // Beside the file, so that it is on the same disk.
    let (draft, spare, _) = try folder.makeTemporary()
    do throws(FileFailure) {
      try draft.write(order.bytes)
      if let failure = draft.synchronize() { throw failure }
      if order.replaces {
        try folder.rename(spare, to: name)
      } else if try !folder.move(spare, to: name, in: folder) {
        throw FileFailure(EEXIST)
      }
    } catch {
      try? folder.remove(spare)
      throw error
    }
    if let failure = folder.synchronize() { throw failure }
  }

  /// Refuses to take the place of a store that is open, and of any database.
  private static func check(_ path: String, _ order: Order) throws {
    guard order.replaces, let resolved = ResolvedPath.of(path) else { return }
    let stores = order.spared.flatMap { store in
      ["", "-wal", "-shm", "-journal"].map { store + $0 }
    }
    let isOpen = stores.contains { $0.hasBytes(of: resolved) }
    let start = try? SQLiteFile.at(resolved).firstBytes(16)
    guard isOpen || start.map(SQLiteKind.isHeader) == true else { return }
    throw StoreError.failed(
      "\(path) is \(isOpen ? "open as a store" : "a database"), and an export does not take its "
        + "place; nothing was written")
  }
}
