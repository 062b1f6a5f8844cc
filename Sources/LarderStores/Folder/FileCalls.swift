import Foundation
import Harmony

/// System calls that tests replace: some file systems do not support them, they fail when a disk
/// does, or their results vary.
struct FileCalls: Sendable {
  /// A closure that changes names atomically, and returns an error number or 0.
  var change:
    @Sendable (NameChange, Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
      $0.make($1, $2, $3, $4)
    }
  /// A closure that renames a file, replacing any file with the new name, and returns an error
  /// number or 0.
  var rename: @Sendable (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
    renameat($0, $1, $2, $3) == 0 ? 0 : errno
  }
  /// A closure that creates a hard link to a file, and returns an error number or 0.
  var link: @Sendable (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
    linkat($0, $1, $2, $3, 0) == 0 ? 0 : errno
  }
  /// A closure that removes a name, and returns an error number or 0.
  var unlink: @Sendable (Int32, UnsafePointer<CChar>) -> Int32 = {
    unlinkat($0, $1, 0) == 0 ? 0 : errno
  }
  /// A closure that removes an empty directory, and returns an error number or 0.
  var removeDirectory: @Sendable (Int32, UnsafePointer<CChar>) -> Int32 = {
    unlinkat($0, $1, AT_REMOVEDIR) == 0 ? 0 : errno
  }
  /// A closure that flushes written data to the disk, and returns an error number or 0.
  var synchronize: @Sendable (Int32) -> Int32 = {
    while fsync($0) != 0 { if errno != EINTR { return errno } }
    return 0
  }
  /// A closure that returns the next entry of a directory; nil at the end, or with `errno` set
  /// after an error.
  var nextName: @Sendable (OpaquePointer) -> UnsafeMutablePointer<dirent>? = { readdir($0) }

  /// The calls of the system.
  static let system = FileCalls()
}
