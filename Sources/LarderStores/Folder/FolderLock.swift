import LarderFiles
import Foundation
import LarderModel

/// A lock between processes of larder, on the folders of the files they write.
///
/// The lock is not on the file, as each write replaces that. Other programs do not use it; their
/// changes are detected by comparison.
enum FolderLock {
  /// Calls a closure while no other process of larder writes.
  ///
  /// - Parameters:
  ///   - directories: The folders. All writers lock several folders in the same order to avoid
  ///     deadlocks.
  ///   - patience: The maximum time to wait for other writers.
  ///   - path: The path of the file, for the error message of a timeout.
  ///   - scan: The scan that can cancel the wait.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: ``StoreError`` on a timeout, and errors of the closure.
  static func whileLocked<Result>(
    _ directories: [FolderDescriptor], patience: Duration, path: String, scan: Scan? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    var locked: [FileIdentity: FolderDescriptor] = [:]
    // Unlock explicitly: a child process that is just being started may have inherited the
    // descriptor.
    defer { for directory in locked.values { flock(directory.number, LOCK_UN) } }
    let ordered = try directories.map { directory in
      guard let status = directory.status else { throw FileFailure(errno) }
      return (identity: status.identity, directory: directory)
    }.sorted { $0.identity < $1.identity }
    for (identity, directory) in ordered where locked[identity] == nil {
      // The lock belongs to an open file description, so open one that is not shared.
      let own = try directory.open(FolderPath.here, O_RDONLY | O_DIRECTORY)
      try lock(own, until: end, path, scan)
      locked[identity] = own
    }
    return try body()
  }

  private static func lock(
    _ directory: FolderDescriptor, until end: ContinuousClock.Instant, _ path: String, _ scan: Scan?
  ) throws {
    while flock(directory.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // On file systems without locks, write without one.
      guard errno == EWOULDBLOCK else { return }
      guard ContinuousClock.now < end else {
        throw StoreError.busyFolder(of: path)
      }
      try scan?.reportWaiting()
      // Poll at short intervals, as a writer with many changes releases the lock only briefly.
      usleep(.random(in: 100...1_000))
    }
  }
}
