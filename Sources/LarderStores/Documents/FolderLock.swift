import Foundation
import LarderCore

/// A lock between the writers of larder, on the folder that holds the file they write.
///
/// Not on the file, which is another one after each write. Other programs do not know of it, so
/// what they write is noticed by comparing instead.
enum FolderLock {
  /// Does something while no other writer does.
  ///
  /// - Parameters:
  ///   - directory: The folder; opened for this alone, as the lock goes with its descriptor.
  ///   - patience: How long to wait for another writer.
  ///   - path: The file, for the sentence that says that the other took too long.
  ///   - scan: Who is asked, while it waits, whether anybody still wants it.
  ///   - body: What to do.
  /// - Returns: What the body returns.
  /// - Throws: ``StoreError`` where another writer holds the lock for too long, and what the body
  ///   throws.
  static func whileLocked<Result>(
    _ directory: FolderDescriptor, patience: Duration, path: String, scan: Scan? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    while flock(directory.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // File systems without locks are written without.
      guard errno == EWOULDBLOCK else { break }
      guard ContinuousClock.now < end else {
        throw StoreError.busy("another larder is writing to the folder of \(path); try again")
      }
      try scan?.reportWaiting()
      // Short, as a writer that has much to do lets go of the lock for moments only.
      usleep(.random(in: 100...1_000))
    }
    defer { flock(directory.number, LOCK_UN) }
    return try body()
  }
}
