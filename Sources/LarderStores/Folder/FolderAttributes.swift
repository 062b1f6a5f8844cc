import CXattr
import LarderFiles
import Foundation
import LarderModel

/// The extended attributes of an open file, such as access control lists and security labels.
struct FolderAttributes {
  /// An attribute with its value.
  struct Pair: Sendable, Hashable {
    let name: [UInt8]
    let value: [UInt8]
  }

  let file: FolderDescriptor

  /// Returns the names of all attributes that are visible to this process.
  func names() throws(FileFailure) -> [[UInt8]] {
    do throws(FileFailure) {
      let list = try Self.bytes { buffer, size in
        flistxattr(file.number, buffer?.assumingMemoryBound(to: CChar.self), size)
      }
      return list.split(separator: 0).map(Array.init)
    } catch {
      // The file system does not support attributes.
      if error.number == ENOTSUP || error.number == ENOSYS { return [] }
      throw error
    }
  }

  /// Returns the value of an attribute.
  func value(of name: [UInt8]) throws(FileFailure) -> [UInt8] {
    try Self.bytes { buffer, size in
      name.withCString { fgetxattr(file.number, $0, buffer, size) }
    }
  }

  /// Sets the value of an attribute, which may be new.
  func set(_ value: [UInt8], of name: [UInt8]) throws(FileFailure) {
    let result = value.withUnsafeBytes { value in
      name.withCString { fsetxattr(file.number, $0, value.baseAddress, value.count, 0) }
    }
    guard result == 0 else { throw FileFailure(errno) }
  }

  /// Removes an attribute.
  func remove(_ name: [UInt8]) throws(FileFailure) {
    guard name.withCString({ fremovexattr(file.number, $0) }) == 0 else {
      throw FileFailure(errno)
    }
  }

  /// Replaces all attributes with those of another file.
  ///
  /// Attributes that only the system can set, such as `security.selinux`, are left unchanged.
  ///
  /// - Throws: ``StoreError`` if an attribute of a user or a program would be lost.
  func replace(with old: FolderAttributes, of key: EntryKey) throws {
    let wanted = try old.names()
    for name in wanted {
      do throws(FileFailure) {
        try set(try old.value(of: name), of: name)
      } catch {
        try Self.check(error, name, key)
      }
    }
    // A folder's default access control list may apply to the new file, but the original had none.
    for name in try names() where !wanted.contains(name) {
      do throws(FileFailure) {
        try remove(name)
      } catch {
        try Self.check(error, name, key)
      }
    }
  }

  /// Throws an error for an attribute in a user or system namespace that could not be copied;
  /// ignores others.
  private static func check(
    _ failure: FileFailure, _ name: [UInt8], _ key: EntryKey
  ) throws(StoreError) {
    guard ["user.", "system."].contains(where: { name.starts(with: $0.utf8) }) else { return }
    throw .lostAttribute(EntryKey(textBytes: name), of: key, failure)
  }

  /// Reads data from a function that returns the size if called without a buffer.
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
      // The data has grown in between.
      guard errno == ERANGE else { throw FileFailure(errno) }
    }
  }
}
