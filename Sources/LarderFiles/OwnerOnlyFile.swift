import Foundation
import Harmony

/// A file that only its owner may read, and that a library such as SQLite opens by path.
package struct OwnerOnlyFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The suffixes of the files that the library creates next to it.
  private let endings: [String]

  /// The reason that a file cannot be used.
  package struct Obstacle: Error {
    /// The reason, as a clause.
    package let reason: String
  }

  /// Creates a description of a file, without creating the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - endings: The suffixes of the files that the library creates next to it.
  package init(_ path: String, besides endings: [String] = []) {
    self.path = path
    self.endings = endings
  }

  /// Returns whether the file exists, or throws if it cannot be reached.
  package func exists() throws(Obstacle) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw Obstacle(errno) }
    guard lstat(path, &status) != 0 else {
      throw .danglingLink
    }
    return false
  }

  /// Creates the file and its folder, or removes the access that other users have to the file and
  /// those next to it.
  ///
  /// A library would create the file with the default permissions, which others can often read.
  ///
  /// - Throws: ``Obstacle``, and `TrustedPath.Refusal` if others can write to the file.
  package func prepare() throws {
    do {
      try StateFolder.make(path.parentPath)
    } catch let refusal as TrustedPath.Refusal {
      throw refusal
    } catch {
      throw Obstacle.unusableFolder
    }
    try TrustedPath.check(file: path)
    if try exists() { return try restrictToOwner() }
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw Obstacle(errno) }
    if file >= 0 { close(file) }
  }

  /// Changes permissions by path: closing a descriptor of the file would drop SQLite's locks on it.
  private func restrictToOwner() throws(Obstacle) {
    for path in [path] + endings.map({ path + $0 }) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(path, status.st_mode & 0o700) == 0 else {
        throw .readableByOthers(FileFailure(errno))
      }
    }
  }
}

extension OwnerOnlyFile.Obstacle {
  fileprivate init(_ number: Int32) {
    reason = FileFailure(number).message
  }
}
