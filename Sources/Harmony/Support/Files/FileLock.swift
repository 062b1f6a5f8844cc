import Foundation

/// A lock between processes, on a file next to the one that it protects.
///
/// The lock file is never replaced or removed; otherwise two processes could hold locks on two
/// files of the same name. The system releases the lock when its holder ends for any reason.
struct FileLock: Sendable {
  let path: String

  /// Performs an action while no other process, and no other user of this lock, does.
  ///
  /// - Parameters:
  ///   - call: The system call that locks a descriptor.
  ///   - body: The action.
  /// - Returns: The result of the action.
  /// - Throws: ``CoreError/Failed`` if the lock cannot be taken; any error of `body`.
  func whileLocked<Result>(
    by call: (Int32, Int32) -> Int32 = { flock($0, $1) }, _ body: () throws -> Result
  ) throws -> Result {
    let file = try OpenFile(path, O_RDWR | O_CREAT, "open the lock")
    guard Files.retrying({ call(file.descriptor, LOCK_EX) }) == 0 else {
      throw Files.failure("take the lock", path)
    }
    // Closing the file releases the lock.
    return try body()
  }
}
