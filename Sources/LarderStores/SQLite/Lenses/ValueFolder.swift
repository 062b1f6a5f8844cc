import Foundation
import LarderModel
import LarderFiles

/// The folder of a database in which a cache keeps large values as files.
///
/// Nobody but the caller, who holds the lock of the database, may change the files meanwhile. No path
/// leads out of the folder, whatever a row says.
struct ValueFolder {
  private let path: String

  /// The folder of a database, which may be reached by a link.
  init(of database: String) {
    let resolved = ResolvedPath.of(database) ?? database
    path = URL(filePath: resolved).deletingLastPathComponent().path
  }

  private var root: FolderDescriptor {
    get throws(FileFailure) { try FolderDescriptor(root: path) }
  }

  /// Whether a path leads to a file below the folder, as far as it tells itself.
  static func isInside(_ path: String) -> Bool { (try? FolderPath(.text(path))) != nil }

  /// Reads files, of which some may be gone.
  ///
  /// - Parameters:
  ///   - paths: Where they are; those that lead elsewhere are left out.
  ///   - limit: How many bytes are read in all.
  /// - Returns: Those that are there; nil where they have more bytes.
  /// - Throws: ``StoreError`` for what is no file, and ``FileFailure``.
  func read(_ paths: [String], limit: Int) throws -> [RowRecord.File]? {
    let reader = FolderReader(root: try root)
    let paths = paths.filter(Self.isInside)
    var size = 0
    for path in paths { size += try reader.status(.text(path))?.size ?? 0 }
    guard size <= limit else { return nil }
    return try paths.compactMap { path in
      try reader.read(.text(path)).map { RowRecord.File(path: path, bytes: Data($0.bytes)) }
    }
  }

  /// Makes files again that are gone.
  ///
  /// - Returns: Those that were made.
  /// - Throws: ``StoreError/changedSince(_:)`` where another file has the path of one, and
  ///   ``FileFailure``; then none was made.
  func restore(_ files: [RowRecord.File]) throws -> [RowRecord.File] {
    guard !files.isEmpty else { return [] }
    let root = try root
    var made: [RowRecord.File] = []
    do {
      for file in files {
        let key = EntryKey.text(file.path)
        let path = try FolderPath(toWrite: key)
        let directory = try root.directory(path.parents, creating: FolderTrail())
        let place = FileReplacement(directory: directory, name: path.name, key: key)
        if try place.create(Array(file.bytes)) != nil {
          made.append(file)
        } else if try !holds(file.bytes, key, root) {
          throw StoreError.changedSince(
            "another file is at \(file.path) beside the database, where a value has to be again; "
              + "nothing was written")
        }
      }
    } catch {
      remove(made)
      throw error
    }
    return made
  }

  /// Removes files that are as they were read, and the folders that they leave empty.
  ///
  /// - Returns: The paths of those that could not be removed.
  @discardableResult
  func remove(_ files: [RowRecord.File]) -> [String] {
    files.filter { (try? remove($0.path, holding: $0.bytes)) == nil }.map(\.path)
  }

  /// Removes files whatever is in them, and the folders that they leave empty.
  ///
  /// - Returns: The paths of those that could not be removed.
  func remove(_ paths: [String]) -> [String] {
    paths.filter { (try? remove($0, holding: nil)) == nil }
  }

  /// Removes a file; one that is gone is removed already.
  private func remove(_ path: String, holding bytes: Data?) throws {
    let root = try root
    let key = EntryKey.text(path)
    guard try FolderReader(root: root).status(key) != nil else { return }
    if let bytes, try !holds(bytes, key, root) {
      throw StoreError.changedSince("another file is at \(path) by now")
    }
    let place = try FolderPath(key)
    try root.directory(place.parents).remove(place.name)
    var parents = place.parents
    while let name = parents.popLast() {
      // One that holds another file stays, and all above it.
      guard (try? root.directory(parents).removeDirectory(name)) != nil else { return }
    }
  }

  private func holds(_ bytes: Data, _ key: EntryKey, _ root: FolderDescriptor) throws -> Bool {
    try FolderReader(root: root).read(key).map { Data($0.bytes) == bytes } ?? false
  }
}
