import LarderFiles
import Foundation

/// A walk over the paths below a folder in byte order, which reads each directory when it gets
/// there.
struct FolderWalk {
  private struct Frame {
    let path: [UInt8]
    let items: [FolderListing.Item]
    /// The index of the next item to visit, which decreases in a backward walk.
    var next: Int
  }

  private let root: FolderDescriptor
  private let cache: FolderListingCache
  private let prefix: [UInt8]
  private let after: [UInt8]?
  private let isBackward: Bool
  private var frames: [Frame] = []
  private var hasBegun = false

  /// Creates a walk over the paths that have a prefix and follow another path in the given
  /// direction.
  init(
    _ root: FolderDescriptor, _ cache: FolderListingCache, prefix: [UInt8], after: [UInt8]?,
    isBackward: Bool
  ) {
    self.root = root
    self.cache = cache
    self.prefix = prefix
    self.after = after
    self.isBackward = isBackward
  }

  /// Returns the next path, or nil after the last.
  ///
  /// A directory that was deleted is skipped, except for the root. A directory that may not be
  /// listed is returned as a path with a slash at the end, as its contents are unknown.
  ///
  /// - Throws: ``FileFailure`` on a disk error, or if permissions deny access to the prefix, as the
  ///   listing would be incomplete.
  mutating func next() throws(FileFailure) -> [UInt8]? {
    if !hasBegun {
      hasBegun = true
      frames = [try frame([])]
    }
    while var frame = frames.popLast() {
      guard frame.items.indices.contains(frame.next) else { continue }
      let item = frame.items[frame.next]
      frame.next += isBackward ? -1 : 1
      frames.append(frame)
      let path = frame.path + item.path
      let isInside = path.starts(with: prefix)
      let leadsInside = item.isDirectory && prefix.starts(with: path)
      guard isInside || leadsInside else {
        // The walk started at the bounds of the prefix, so this path is past its end.
        return nil
      }
      guard item.isDirectory else { return path }
      do throws(FileFailure) {
        frames.append(try self.frame(path))
      } catch {
        if error.isMissing { continue }
        guard error.number == EACCES, isInside else { throw error }
        if isAhead(path) { return path }
      }
    }
    return nil
  }

  /// Returns whether a directory's own path is still to be visited.
  ///
  /// Paths below it may follow the start of the walk even if the directory itself precedes it.
  private func isAhead(_ path: [UInt8]) -> Bool {
    guard !isBackward, let after else { return true }
    return after.lexicographicallyPrecedes(path)
  }

  /// Returns the frame of a directory, positioned where the walk enters it.
  private func frame(_ path: [UInt8]) throws(FileFailure) -> Frame {
    let names = path.split(separator: UInt8(ascii: "/")).map(Array.init)
    let directory = try root.directory(names)
    let items = try cache.listing(directory, path: path).items
    return Frame(path: path, items: items, next: start(items, below: path))
  }

  private func start(_ items: [FolderListing.Item], below path: [UInt8]) -> Int {
    if isBackward {
      var end = items.count
      if let after {
        end = min(end, Self.count(items, path) { $0.lexicographicallyPrecedes(after) })
      }
      if !prefix.isEmpty {
        let inside = Self.count(items, path) {
          $0.lexicographicallyPrecedes(prefix) || $0.starts(with: prefix)
        }
        end = min(end, inside)
      }
      return end - 1
    }
    var start = 0
    if let after {
      start = max(
        start, Self.place(items, path, of: after) { !after.lexicographicallyPrecedes($0) })
    }
    if !prefix.isEmpty {
      start = max(
        start, Self.place(items, path, of: prefix) { $0.lexicographicallyPrecedes(prefix) })
    }
    return start
  }

  /// Returns the index of the first item that is not before a bound, or of the directory that
  /// contains the bound.
  private static func place(
    _ items: [FolderListing.Item], _ path: [UInt8], of bound: [UInt8],
    isBefore: ([UInt8]) -> Bool
  ) -> Int {
    let place = count(items, path, where: isBefore)
    guard place > 0, items[place - 1].isDirectory,
      bound.starts(with: path + items[place - 1].path)
    else { return place }
    return place - 1
  }

  /// Returns the number of leading items that satisfy a condition, by binary search.
  private static func count(
    _ items: [FolderListing.Item], _ path: [UInt8], where condition: ([UInt8]) -> Bool
  ) -> Int {
    items.indices.bisect { !condition(path + items[$0].path) }
  }
}
