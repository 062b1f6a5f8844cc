import Foundation

/// A lock between processes, on a file beside the one that it protects.
///
/// The file itself is never replaced or removed, or two processes could hold locks on two files
/// of one name. The system releases the lock when its holder ends, however that happens.
struct FileLock: Sendable {
  let path: String

  /// Does something while no other process, and no other user of this lock, does.
  ///
  /// - Parameters:
  ///   - call: The call of the system that locks a descriptor.
  ///   - body: What to do.
  /// - Returns: What the closure returns.
  /// - Throws: ``CoreError/Failed`` if there can be no lock, and what the closure throws.
  func whileLocked<Result>(
    by call: (Int32, Int32) -> Int32 = { flock($0, $1) }, _ body: () throws -> Result
  ) throws -> Result {
    let file = try OpenFile(path, O_RDWR | O_CREAT, "open the lock")
    guard Files.retrying({ call(file.descriptor, LOCK_EX) }) == 0 else {
      throw Files.failure("take the lock", path)
    }
    // Closing the file releases it.
    return try body()
  }
}
