import LarderFiles
import Foundation

/// A private file with a temporary name, which is deleted unless it is renamed.
final class TemporaryFile {
  private let folder: FolderDescriptor
  private let file: FolderDescriptor
  // In the same directory, and so on the same disk.
  private let temporaryName: [UInt8]
  private var isRenamed = false

  init(in folder: FolderDescriptor) throws(FileFailure) {
    self.folder = folder
    (file, temporaryName) = try folder.makeTemporary()
  }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try file.write(bytes)
  }

  deinit {
    if !isRenamed { try? folder.remove(temporaryName) }
  }

  /// Renames the file.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - replaces: Whether to replace a file with the name.
  /// - Returns: The error if the file was written but may not survive a power loss.
  /// - Throws: ``FileFailure``, `EEXIST` if the name is taken.
  func rename(to name: [UInt8], replaces: Bool) throws(FileFailure) -> FileFailure? {
    if let failure = file.synchronize() { throw failure }
    if replaces {
      try folder.rename(temporaryName, to: name)
    } else if try !folder.move(temporaryName, to: name, in: folder) {
      throw FileFailure(EEXIST)
    }
    isRenamed = true
    return folder.synchronize()
  }
}
