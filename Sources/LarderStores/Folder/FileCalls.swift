import Foundation
import Harmony

/// The calls of the system that not every file system knows, that fail where a disk does, or that
/// answer otherwise each time.
struct FileCalls: Sendable {
  /// Changes names in one step; the answer is the number of what went wrong, or 0.
  var change:
    @Sendable (NameChange, Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
      $0.make($1, $2, $3, $4)
    }
  /// Gives a file another name, whoever has it; the answer is the number of what went wrong, or 0.
  var rename: @Sendable (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
    renameat($0, $1, $2, $3) == 0 ? 0 : errno
  }
  /// Gives a file a second name; the answer is the number of what went wrong, or 0.
  var link: @Sendable (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32 = {
    linkat($0, $1, $2, $3, 0) == 0 ? 0 : errno
  }
  /// Takes a name away; the answer is the number of what went wrong, or 0.
  var unlink: @Sendable (Int32, UnsafePointer<CChar>) -> Int32 = {
    unlinkat($0, $1, 0) == 0 ? 0 : errno
  }
  /// Removes an empty directory; the answer is the number of what went wrong, or 0.
  var removeDirectory: @Sendable (Int32, UnsafePointer<CChar>) -> Int32 = {
    unlinkat($0, $1, AT_REMOVEDIR) == 0 ? 0 : errno
  }
  /// Brings what was written to the disk; the answer is the number of what went wrong, or 0.
  var synchronize: @Sendable (Int32) -> Int32 = {
    while fsync($0) != 0 { if errno != EINTR { return errno } }
    return 0
  }
  /// The next name of a directory; nil at the end, and with a number in `errno` at a failure.
  var nextName: @Sendable (OpaquePointer) -> UnsafeMutablePointer<dirent>? = { readdir($0) }

  /// Those of the system.
  static let system = FileCalls()
}
