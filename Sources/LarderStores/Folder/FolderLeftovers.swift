import LarderFiles
import Foundation
import Harmony

/// The cleanup of temporary files of writers that were killed, which runs only before the first
/// write to each directory, as it requires a listing.
final class FolderLeftovers: Sendable {
  private let known = Locked<Set<FileIdentity>>([])

  /// Removes the temporary files in a directory whose processes have ended.
  ///
  /// No other process of larder may write to the directory at the same time.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - isAgain: Whether to search a directory again that was searched before.
  func remove(in directory: FolderDescriptor, isAgain: Bool = false) {
    guard let identity = directory.status?.identity else { return }
    guard known.withLock({ $0.insert(identity).inserted }) || isAgain else { return }
    // Ignore errors: a temporary file that cannot be removed is hidden anyway.
    try? FolderListing.forEachName(in: directory) { name, _ throws(FileFailure) in
      guard TemporaryName(name) != nil, let file = try? directory.open(name, O_RDONLY),
        flock(file.number, LOCK_EX | LOCK_NB) == 0, directory.isSpare(name)
      else { return }
      try? directory.remove(name)
    }
  }
}
