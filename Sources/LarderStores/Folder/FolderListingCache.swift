import LarderFiles
import Foundation
import Harmony

/// The directories that were listed last, as long as they have not changed.
///
/// Paging through a directory of a million names would otherwise read it for every page.
final class FolderListingCache: Sendable {
  private struct State {
    var listings: [[UInt8]: (status: FileStatus, listing: FolderListing)] = [:]
    var order: [[UInt8]] = []
  }

  private let state = Locked(State())
  private static let capacity = 16

  /// The listing of a directory, taken from the last time if it is the same.
  func listing(_ directory: FolderDescriptor, path: [UInt8]) throws(FileFailure) -> FolderListing {
    let before = directory.status
    if let before, let known = state.withLock({ $0.listings[path] }), known.status == before {
      return known.listing
    }
    let listing = try FolderListing(directory)
    // A change within the clock tick of the last one would not show in the status.
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
