import LarderFiles
import Foundation
import Harmony

extension FolderDescriptor {
  /// Exchanges the names of two files in this directory.
  ///
  /// - Returns: Whether the file system supports it.
  func exchange(_ name: [UInt8], _ other: [UInt8]) throws(FileFailure) -> Bool {
    let number = change(.exchange, name, in: self, other)
    if NameChange.isUnknown(number) { return false }
    guard number == 0 else { throw FileFailure(number) }
    return true
  }

  /// Moves a file to a new name in this or another directory, unless the name is taken.
  ///
  /// - Returns: Whether the name was free.
  func move(
    _ name: [UInt8], to newName: [UInt8], in directory: FolderDescriptor
  ) throws(FileFailure) -> Bool {
    let number = change(.intoFree, name, in: directory, newName)
    if number == EEXIST { return false }
    if NameChange.isUnknown(number) { return try moveByLink(name, to: newName, in: directory) }
    guard number == 0 else { throw FileFailure(number) }
    return true
  }

  /// Moves a file back to its original name, in this or another directory.
  ///
  /// - Returns: The reason that the name is not available, as a clause, or nil on success.
  func giveBack(
    _ name: [UInt8], to oldName: [UInt8], in directory: FolderDescriptor? = nil
  ) throws(FileFailure) -> String? {
    try move(name, to: oldName, in: directory ?? self)
      ? nil : Messages.nameTaken
  }

  /// Renames a file within this directory or to another, replacing any file with the new name.
  func rename(
    _ name: [UInt8], to newName: [UInt8], in directory: FolderDescriptor? = nil
  ) throws(FileFailure) {
    let number = name.withCString { name in
      newName.withCString {
        calls.rename(self.number, name, (directory ?? self).number, $0)
      }
    }
    guard number == 0 else { throw FileFailure(number) }
  }

  /// Removes a file in this directory.
  func remove(_ name: [UInt8]) throws(FileFailure) {
    let number = name.withCString { calls.unlink(self.number, $0) }
    guard number == 0 else { throw FileFailure(number) }
  }

  /// Removes an empty subdirectory.
  func removeDirectory(_ name: [UInt8]) throws(FileFailure) {
    let number = name.withCString { calls.removeDirectory(self.number, $0) }
    guard number == 0 else { throw FileFailure(number) }
  }

  /// Writes bytes at the current position of the file.
  func write(_ bytes: [UInt8]) throws(FileFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(number, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(errno) }
      written += count
    }
  }

  /// Flushes the names in the directory, or the contents of the file, to the disk.
  ///
  /// - Returns: The error, or nil on success and on file systems that do not support it.
  func synchronize() -> FileFailure? {
    let number = calls.synchronize(self.number)
    return number == 0 || NameChange.isUnknown(number) ? nil : FileFailure(number)
  }

  /// Moves a file without an atomic system call: linking fails if the name is taken.
  private func moveByLink(
    _ name: [UInt8], to newName: [UInt8], in directory: FolderDescriptor
  ) throws(FileFailure) -> Bool {
    let number = name.withCString { name in
      newName.withCString { calls.link(self.number, name, directory.number, $0) }
    }
    switch number {
    case 0: break
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
      return try moveByPlaceholder(name, to: newName, in: directory)
    default: throw FileFailure(number)
    }
    do throws(FileFailure) {
      try remove(name)
    } catch {
      // Undo the link: the file must not keep two names.
      try? directory.remove(newName)
      throw error
    }
    return true
  }

  /// Moves a file on a file system without links, by replacing an empty placeholder that reserves
  /// the name.
  private func moveByPlaceholder(
    _ name: [UInt8], to newName: [UInt8], in directory: FolderDescriptor
  ) throws(FileFailure) -> Bool {
    do throws(FileFailure) {
      _ = try directory.open(newName, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      if error.number == EEXIST { return false }
      throw error
    }
    do throws(FileFailure) {
      try rename(name, to: newName, in: directory)
    } catch {
      try? directory.remove(newName)
      throw error
    }
    return true
  }

  private func change(
    _ change: NameChange, _ name: [UInt8], in directory: FolderDescriptor, _ newName: [UInt8]
  ) -> Int32 {
    name.withCString { name in
      newName.withCString { calls.change(change, number, name, directory.number, $0) }
    }
  }
}
