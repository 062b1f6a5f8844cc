import Foundation
import Harmony

/// The names in one directory in the order that the paths below it have.
struct FolderListing: Sendable {
  /// One name; a directory's ends in a slash, which is how its paths go on.
  struct Item: Sendable {
    let path: [UInt8]
    let isDirectory: Bool
  }

  let items: [Item]

  /// Reads a directory; only one directory's names are in memory at a time.
  init(_ directory: FolderDescriptor) throws(FileFailure) {
    var items: [Item] = []
    try Self.forEachName(in: directory) { name, type throws(FileFailure) in
      if TemporaryName.isOne(name) { return }
      var isDirectory = type == UInt8(DT_DIR)
      if type == UInt8(DT_UNKNOWN) {
        isDirectory = try directory.status(of: name)?.isDirectory ?? false
      }
      let path = isDirectory ? name + [UInt8(ascii: "/")] : name
      items.append(Item(path: path, isDirectory: isDirectory))
    }
    items.sort { $0.path.lexicographicallyPrecedes($1.path) }
    self.items = items
  }

  /// Hands out each name in a directory with its type, as far as the directory knows it.
  static func forEachName(
    in directory: FolderDescriptor, _ take: ([UInt8], UInt8) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let copy = try directory.open(FolderPath.here, O_RDONLY | O_DIRECTORY)
    let number = dup(copy.number)
    guard number >= 0, let stream = fdopendir(number) else { throw FileFailure(errno) }
    defer { closedir(stream) }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while let entry = readdir(stream) {
      let start = UnsafeRawPointer(entry) + offset
      let length = strlen(start.assumingMemoryBound(to: CChar.self))
      let name = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
      if name == FolderPath.here || name == FolderPath.up { continue }
      try take(name, entry.pointee.d_type)
    }
  }
}

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
    guard let before, before == directory.status,
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

/// The names of files that are being written.
enum TemporaryName {
  private static let start = Array(".larder-".utf8)
  private static let end = Array(".tmp".utf8)

  /// A name that nobody else uses.
  static func make() -> [UInt8] {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return start + Array(String(repeating: "0", count: 16 - digits.count).utf8)
      + Array(digits.utf8) + end
  }

  /// Whether a name is one of these.
  static func isOne(_ name: [UInt8]) -> Bool {
    name.count == start.count + 16 + end.count && name.starts(with: start)
      && name.suffix(end.count) == end[...]
      && name[start.count..<(start.count + 16)].allSatisfy {
        Character(Unicode.Scalar($0)).isHexDigit
      }
  }
}
