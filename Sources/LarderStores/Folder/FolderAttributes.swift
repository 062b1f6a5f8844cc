import CXattr
import LarderFiles
import Foundation
import LarderModel

/// The extended attributes of an open file: access lists, and the labels and notes of others.
struct FolderAttributes {
  /// One attribute.
  struct Pair: Sendable, Hashable {
    let name: [UInt8]
    let value: [UInt8]
  }

  let file: FolderDescriptor

  /// The names of all attributes that this process may see.
  func names() throws(FileFailure) -> [[UInt8]] {
    do throws(FileFailure) {
      let list = try Self.bytes { buffer, size in
        flistxattr(file.number, buffer?.assumingMemoryBound(to: CChar.self), size)
      }
      return list.split(separator: 0).map(Array.init)
    } catch {
      // A file system without attributes has none.
      if error.number == ENOTSUP || error.number == ENOSYS { return [] }
      throw error
    }
  }

  /// The value of an attribute.
  func value(of name: [UInt8]) throws(FileFailure) -> [UInt8] {
    try Self.bytes { buffer, size in
      name.withCString { fgetxattr(file.number, $0, buffer, size) }
    }
  }

  /// Gives an attribute a value, whether or not it is there.
  func set(_ value: [UInt8], of name: [UInt8]) throws(FileFailure) {
    let result = value.withUnsafeBytes { value in
      name.withCString { fsetxattr(file.number, $0, value.baseAddress, value.count, 0) }
    }
    guard result == 0 else { throw FileFailure(errno) }
  }

  /// Takes an attribute away.
  func remove(_ name: [UInt8]) throws(FileFailure) {
    guard name.withCString({ fremovexattr(file.number, $0) }) == 0 else {
      throw FileFailure(errno)
    }
  }

  /// Makes the attributes those of another file.
  ///
  /// What only the system may set, such as `security.selinux`, stays as the system made it.
  ///
  /// - Throws: ``StoreError`` where an attribute of a user or a program cannot be kept.
  func replace(with old: FolderAttributes, of key: EntryKey) throws {
    let wanted = try old.names()
    for name in wanted {
      do throws(FileFailure) {
        try set(try old.value(of: name), of: name)
      } catch {
        try Self.check(error, name, key)
      }
    }
    // A folder may give its new files an access list that the old file did not have.
    for name in try names() where !wanted.contains(name) {
      do throws(FileFailure) {
        try remove(name)
      } catch {
        try Self.check(error, name, key)
      }
    }
  }

  /// Passes over a failure to copy what is not the user's.
  private static func check(
    _ failure: FileFailure, _ name: [UInt8], _ key: EntryKey
  ) throws(StoreError) {
    guard ["user.", "system."].contains(where: { name.starts(with: $0.utf8) }) else { return }
    throw .failed(
      "the extended attribute \(EntryKey(textBytes: name).spoken) of \(key.spoken) would be lost: "
        + "\(failure.message); nothing was written")
  }

  /// Reads what a function writes, which says how much there is when it is given no room.
  private static func bytes(
    _ read: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(FileFailure) -> [UInt8] {
    while true {
      let size = read(nil, 0)
      guard size >= 0 else { throw FileFailure(errno) }
      guard size > 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: size)
      let count = bytes.withUnsafeMutableBytes { read($0.baseAddress, size) }
      if count >= 0 { return Array(bytes.prefix(count)) }
      // It has grown in between.
      guard errno == ERANGE else { throw FileFailure(errno) }
    }
  }
}
