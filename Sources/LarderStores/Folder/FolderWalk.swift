import LarderFiles
import Foundation

/// Walks over the paths below a folder in the order of their bytes, reading one directory after
/// the other as it gets there.
struct FolderWalk {
  private struct Frame {
    let path: [UInt8]
    let items: [FolderListing.Item]
    /// The item to visit next; counts down when going backwards.
    var next: Int
  }

  private let root: FolderDescriptor
  private let cache: FolderListingCache
  private let prefix: [UInt8]
  private let after: [UInt8]?
  private let isBackward: Bool
  private var frames: [Frame] = []
  private var hasBegun = false

  /// Prepares to visit the paths that start with a prefix and come after another in a direction.
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

  /// The next path, or nil after the last.
  ///
  /// A directory that went away is passed over, the folder itself never. One whose permissions keep
  /// the reader out comes as a path with a slash at its end, as nobody knows what is in it.
  ///
  /// - Throws: ``FileFailure`` where a disk fails, or permissions keep the reader from the prefix:
  ///   what was listed is not all there is.
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
        // Both ends of the prefix were searched for, so what is outside is past it.
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

  /// Whether a directory's own path has not been visited; what is below it may come after a path
  /// that it comes before.
  private func isAhead(_ path: [UInt8]) -> Bool {
    guard !isBackward, let after else { return true }
    return after.lexicographicallyPrecedes(path)
  }

  /// The directory of a path, at the place where the walk enters it.
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

  /// The first item that is not before a bound, or the directory that holds the bound.
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

  /// How many items at the start fulfil a condition that none after them fulfils.
  private static func count(
    _ items: [FolderListing.Item], _ path: [UInt8], where condition: ([UInt8]) -> Bool
  ) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = low + (high - low) / 2
      if condition(path + items[middle].path) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
