import LarderFiles
import Foundation
import Harmony

/// A cache of the directories that were listed last, valid as long as they are unchanged.
///
/// Without it, paging through a directory of a million names would read it again for each page.
final class FolderListingCache: Sendable {
  private struct State {
    var listings: [[UInt8]: (status: FileStatus, listing: FolderListing)] = [:]
    var order: [[UInt8]] = []
  }

  private let state = Locked(State())
  private static let capacity = 16

  /// Returns the listing of a directory, from the cache if the directory is unchanged.
  func listing(_ directory: FolderDescriptor, path: [UInt8]) throws(FileFailure) -> FolderListing {
    let before = directory.status
    if let before, let known = state.withLock({ $0.listings[path] }), known.status == before {
      return known.listing
    }
    let listing = try FolderListing(directory)
    // A second change within the same tick of the clock would not be visible in the metadata.
    guard !listing.leavesOut, let before, before == directory.status,
      before.modified.distance(to: Date()) > 0.1
    else { return listing }
    state.withLock { state in
      if state.listings.updateValue((before, listing), forKey: path) == nil {
        state.order.append(path)
      }
      while state.order.count > Self.capacity {
        state.listings[state.order.removeFirst()] = nil
      }
    }
    return listing
  }
}
