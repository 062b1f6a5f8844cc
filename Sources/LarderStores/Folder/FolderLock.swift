import LarderFiles
import Foundation
import LarderModel

/// A lock between the writers of larder, on the folders that hold the files they write.
///
/// Not on a file, which is another one after each write. Other programs do not know of it, so
/// what they write is noticed by comparing instead.
enum FolderLock {
  /// Does something while no other writer does.
  ///
  /// - Parameters:
  ///   - directories: The folders. Where there are several, all writers take them in one order, so
  ///     that none waits for another that waits for it.
  ///   - patience: How long to wait for another writer.
  ///   - path: The file, for the sentence that says that the other took too long.
  ///   - scan: Who is asked, while it waits, whether anybody still wants it.
  ///   - body: What to do.
  /// - Returns: What the body returns.
  /// - Throws: ``StoreError`` where another writer holds a lock for too long, and what the body
  ///   throws.
  static func whileLocked<Result>(
    _ directories: [FolderDescriptor], patience: Duration, path: String, scan: Scan? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    var locked: [Place: FolderDescriptor] = [:]
    // Not by closing alone: a program that is being started may have the descriptor, too.
    defer { for directory in locked.values { flock(directory.number, LOCK_UN) } }
    let ordered = try directories.map { (place: try Place($0), directory: $0) }
      .sorted { $0.place < $1.place }
    for (place, directory) in ordered where locked[place] == nil {
      // A lock goes with its descriptor, and this one is nobody else's.
      let own = try directory.open(FolderPath.here, O_RDONLY | O_DIRECTORY)
      try lock(own, until: end, path, scan)
      locked[place] = own
    }
    return try body()
  }

  private static func lock(
    _ directory: FolderDescriptor, until end: ContinuousClock.Instant, _ path: String, _ scan: Scan?
  ) throws {
    while flock(directory.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // File systems without locks are written without.
      guard errno == EWOULDBLOCK else { return }
      guard ContinuousClock.now < end else {
        throw StoreError.busy("another larder is writing to the folder of \(path); try again")
      }
      try scan?.reportWaiting()
      // Short, as a writer that has much to do lets go of the lock for moments only.
      usleep(.random(in: 100...1_000))
    }
  }

  /// Which folder it is, however it is reached.
  private struct Place: Hashable, Comparable {
    let device: UInt64
    let inode: UInt64

    init(_ directory: FolderDescriptor) throws(FileFailure) {
      guard let status = directory.status else { throw FileFailure(errno) }
      device = status.device
      inode = status.inode
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.device, left.inode) < (right.device, right.inode)
    }
  }
}
