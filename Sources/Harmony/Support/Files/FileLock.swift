import Foundation

/// A lock between processes, on a file beside the one that it protects.
///
/// The file itself is never replaced or removed, or two processes could hold locks on two files
/// of one name. The system releases the lock when its holder ends, however that happens.
struct FileLock: Sendable {
  let path: String

  /// Does something while no other process, and no other user of this lock, does.
  func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    let file = try OpenFile(path, O_RDWR | O_CREAT, "open a lock")
    guard Files.retrying({ flock(file.descriptor, LOCK_EX) }) == 0 else {
      throw Files.failure("take a lock")
    }
    // Closing the file releases it.
    return try body()
  }
}
