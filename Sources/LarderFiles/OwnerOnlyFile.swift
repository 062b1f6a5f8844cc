import Foundation
import Harmony

/// A file that only its owner may read, and that a library opens by its path.
package struct OwnerOnlyFile: Sendable {
  /// Where it is.
  package let path: String
  /// The endings of the files that the library makes beside it.
  private let endings: [String]

  /// What keeps a file from being used.
  package struct Obstacle: Error {
    /// The reason, as a clause.
    package let reason: String
  }

  /// Describes a file; none is made yet.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - endings: The endings of the files that the library makes beside it.
  package init(_ path: String, besides endings: [String] = []) {
    self.path = path
    self.endings = endings
  }

  /// Whether there is a file; one that cannot be reached is not the same as none.
  package func exists() throws(Obstacle) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw Obstacle(errno) }
    guard lstat(path, &status) != 0 else {
      throw Obstacle(reason: "it is a link to a file that does not exist")
    }
    return false
  }

  /// Makes the file, which a library would make readable for others, with its folder, or takes away
  /// what others may do with it and those beside it.
  ///
  /// - Throws: ``Obstacle``, and `TrustedPath.Refusal` where others can write to it.
  package func prepare() throws {
    do {
      try StateFolder.make(path.parentPath)
    } catch let refusal as TrustedPath.Refusal {
      throw refusal
    } catch {
      throw Obstacle(reason: "its folder can be neither made nor entered")
    }
    try TrustedPath.check(file: path)
    if try exists() { return try closeToOthers() }
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw Obstacle(errno) }
    if file >= 0 { close(file) }
  }

  /// By their paths: SQLite's locks would go with a descriptor that is closed.
  private func closeToOthers() throws(Obstacle) {
    for path in [path] + endings.map({ path + $0 }) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(path, status.st_mode & 0o700) == 0 else {
        throw Obstacle(
          reason: "others may read it, and its permissions cannot be changed: "
            + FileFailure(errno).message)
      }
    }
  }
}

extension OwnerOnlyFile.Obstacle {
  fileprivate init(_ number: Int32) {
    reason = FileFailure(number).message
  }
}
