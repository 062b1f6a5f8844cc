import Foundation
package import LarderCore

extension FileWriter {
  /// Writes files that only their owner can read, each of which is there whole or not at all.
  package static let `private` = FileWriter { bytes, path, replaces in
    let path = HomePath.expanded(path)
    // Beside the file, so that it is on the same disk.
    let spare = path + ".larder-\(UUID().uuidString).tmp"
    let descriptor = open(spare, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: Data(bytes))
      try file.synchronize()
      try file.close()
      // A link is made only where there is nothing; a rename takes the place of what is there.
      guard replaces ? rename(spare, path) == 0 : link(spare, path) == 0 else {
        throw failure(path)
      }
    } catch {
      unlink(spare)
      throw StoreError(error)
    }
    if !replaces { unlink(spare) }
    return path
  }

  private static func failure(_ path: String) -> StoreError {
    if errno == EEXIST {
      return .failed("\(path) is there already; :export --replace FILE takes its place")
    }
    return .failed("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
