import LarderFiles
import Foundation
import Harmony

extension FolderDescriptor {
  /// Gives two files inside the names of each other.
  ///
  /// - Returns: Whether the file system can do that.
  func exchange(_ name: [UInt8], _ other: [UInt8]) throws(FileFailure) -> Bool {
    let number = change(.exchange, name, in: self, other)
    if NameChange.isUnknown(number) { return false }
    guard number == 0 else { throw FileFailure(number) }
    return true
  }

  /// Gives a file inside another name, in this directory or in another, if no other file has it.
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

  /// Gives a file inside the name back that it had, in this directory or in another.
  ///
  /// - Returns: Why it cannot have it, as a clause; nil where it has it.
  func giveBack(
    _ name: [UInt8], to oldName: [UInt8], in directory: FolderDescriptor? = nil
  ) throws(FileFailure) -> String? {
    try move(name, to: oldName, in: directory ?? self)
      ? nil : "as another file has its name by now"
  }

  /// Gives a file another name, in this directory or in another, whichever file has it.
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

  /// Takes the name of a file inside away.
  func remove(_ name: [UInt8]) throws(FileFailure) {
    let number = name.withCString { calls.unlink(self.number, $0) }
    guard number == 0 else { throw FileFailure(number) }
  }

  /// Removes a directory inside, in which nothing is.
  func removeDirectory(_ name: [UInt8]) throws(FileFailure) {
    let number = name.withCString { calls.removeDirectory(self.number, $0) }
    guard number == 0 else { throw FileFailure(number) }
  }

  /// Writes bytes to a file from where it stands.
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

  /// Brings the names in the directory, or the contents of the file, to the disk.
  ///
  /// - Returns: Why that failed; nil also where the file system has nothing to do for it.
  func synchronize() -> FileFailure? {
    let number = calls.synchronize(self.number)
    return number == 0 || NameChange.isUnknown(number) ? nil : FileFailure(number)
  }

  /// Moves where the system cannot do it in one step: a link fails if another has the name.
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
      // Nobody asked for a second name.
      try? directory.remove(newName)
      throw error
    }
    return true
  }

  /// Moves where there are no links either: over an empty file, of which others see that the name
  /// is not free.
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
