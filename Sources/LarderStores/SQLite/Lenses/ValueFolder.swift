import Foundation
import LarderModel
import LarderFiles

/// The folder of a database in which a cache stores large values as files.
///
/// The program never writes to such a file again once a row names it, and never reuses its name. No
/// path leads out of the folder, and links are not followed.
struct ValueFolder {
  private let path: String
  /// The folders that programs expect even if they are empty, as the names on their paths.
  private static let permanent = Set(
    TableLens.all.compactMap(\.files?.folder).filter { !$0.isEmpty }
      .map { $0.split(separator: "/").map { Array($0.utf8) } })

  /// Creates the folder of a database, which may be reached through a link.
  init(of database: String) {
    let resolved = ResolvedPath.of(database) ?? database
    path = URL(filePath: resolved).deletingLastPathComponent().path
  }

  /// Reads files and ignores missing ones.
  ///
  /// - Parameters:
  ///   - paths: Their paths, relative to the folder.
  ///   - limit: The maximum size of all files in bytes.
  /// - Returns: The existing files; nil if they exceed the maximum.
  /// - Throws: ``StoreError`` for anything that is not a file or cannot be read.
  func read(_ paths: [String], limit: Int) throws -> [RowRecord.File]? {
    var size = 0
    for path in paths { size += try at(path) { try $0.status($1)?.size } ?? 0 }
    guard size <= limit else { return nil }
    return try paths.compactMap { path in
      try at(path) { try $0.read($1) }.map {
        RowRecord.File(path: path, bytes: Data($0.bytes), form: $0.form.text)
      }
    }
  }

  /// Whether a file exists.
  ///
  /// - Throws: ``StoreError`` if it is not a file or cannot be accessed.
  func holds(_ path: String) throws -> Bool { try at(path) { try $0.status($1) } != nil }

  /// Restores files that are missing.
  ///
  /// - Returns: The files that were created.
  /// - Throws: ``StoreError`` if another file exists at a path, or a file cannot be created; then
  ///   none is restored.
  func restore(_ files: [RowRecord.File]) throws -> [RowRecord.File] {
    var made: [RowRecord.File] = []
    do {
      for file in files {
        let isMade = try at(file.path) { reader, key in
          if let found = try reader.read(key) {
            guard Data(found.bytes) == file.bytes else {
              throw StoreError.otherFile(file.path, isUndo: true)
            }
            return false
          }
          let place = try FolderPath(toWrite: key)
          let directory = try reader.root.directory(place.parents, creating: CreatedFolders())
          let form = file.form.flatMap(FileForm.init(text:))
          return try FileReplacement(directory: directory, name: place.name, key: key)
            .create(Array(file.bytes), form: form) != nil
        }
        if isMade { made.append(file) }
      }
    } catch {
      remove(made)
      throw error
    }
    return made
  }

  /// Removes files that have not changed since they were read, and the folders that become empty.
  ///
  /// - Returns: The paths of files that could not be removed.
  @discardableResult
  func remove(_ files: [RowRecord.File]) -> [String] {
    files.filter { (try? remove($0.path, holding: $0.bytes)) == nil }.map(\.path)
  }

  /// Removes files whatever they contain, and the folders that become empty.
  ///
  /// - Returns: The paths of files that could not be removed.
  func remove(_ paths: [String]) -> [String] {
    paths.filter { (try? remove($0, holding: nil)) == nil }
  }

  /// Removes a file, unless it is already gone.
  private func remove(_ path: String, holding bytes: Data?) throws {
    try at(path) { reader, key in
      guard try reader.status(key) != nil else { return }
      if let bytes, try reader.read(key).map({ Data($0.bytes) }) != bytes {
        throw StoreError.otherFile(path, isUndo: false)
      }
      let place = try FolderPath(key)
      try reader.root.directory(place.parents).remove(place.name)
      var parents = place.parents
      while !Self.permanent.contains(Array(parents)), let name = parents.popLast() {
        // A folder with other files stays, and so do its parents.
        guard (try? reader.root.directory(parents).removeDirectory(name)) != nil else { return }
      }
    }
  }

  /// Runs a body on a file and adds the path to its errors.
  private func at<Value>(
    _ path: String, _ body: (FolderReader, EntryKey) throws -> Value
  ) throws -> Value {
    do {
      return try body(FolderReader(root: try FolderDescriptor(root: self.path)), .text(path))
    } catch let failure as FileFailure {
      throw StoreError.unusableFile(path, failure.message)
    }
  }
}
