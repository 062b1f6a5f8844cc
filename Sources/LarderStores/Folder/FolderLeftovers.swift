import LarderFiles
import Foundation
import Harmony

/// The temporary files of writers that were killed, which are removed before the first write to
/// each directory: to look for them costs a listing.
final class FolderLeftovers: Sendable {
  private struct Directory: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let known = Locked<Set<Directory>>([])

  /// Removes the temporary files in a directory of which no process is at work on any more.
  ///
  /// No other larder may write to the directory meanwhile.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - isAgain: Whether to look also where that was done before.
  func remove(in directory: FolderDescriptor, isAgain: Bool = false) {
    guard let status = directory.status else { return }
    let place = Directory(device: status.device, inode: status.inode)
    guard known.withLock({ $0.insert(place).inserted }) || isAgain else { return }
    // What cannot be removed is in nobody's way: it is never shown.
    try? FolderListing.forEachName(in: directory) { name, _ throws(FileFailure) in
      guard TemporaryName(name) != nil, let file = try? directory.open(name, O_RDONLY),
        flock(file.number, LOCK_EX | LOCK_NB) == 0, directory.isSpare(name)
      else { return }
      try? directory.remove(name)
    }
  }
}
