import LarderFiles
import Foundation

/// The names in a directory, sorted like the paths below it.
struct FolderListing: Sendable {
  /// A name, with a slash at the end for a directory, as in the paths below it.
  struct Item: Sendable {
    let path: [UInt8]
    let isDirectory: Bool
  }

  let items: [Item]
  /// Whether names were left out for reasons that can change without a change to the directory's
  /// times.
  let leavesOut: Bool

  /// Reads a directory.
  ///
  /// Only the names of one directory are in memory at a time.
  init(_ directory: FolderDescriptor) throws(FileFailure) {
    var items: [Item] = []
    var leavesOut = false
    try Self.forEachName(in: directory) { name, type throws(FileFailure) in
      if directory.isSpare(name) {
        leavesOut = true
        return
      }
      var isDirectory = type == UInt8(DT_DIR)
      if type == UInt8(DT_UNKNOWN) {
        isDirectory = try directory.status(of: name)?.isDirectory ?? false
      }
      let path = isDirectory ? name + [UInt8(ascii: "/")] : name
      items.append(Item(path: path, isDirectory: isDirectory))
    }
    items.sort { $0.path.lexicographicallyPrecedes($1.path) }
    self.items = items
    self.leavesOut = leavesOut
  }

  /// Calls a closure with each name in a directory, and its type if the directory contains it.
  ///
  /// - Throws: ``FileFailure``, also if only a part of the directory could be read.
  static func forEachName(
    in directory: FolderDescriptor, _ take: ([UInt8], UInt8) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let copy = try directory.open(FolderPath.here, O_RDONLY | O_DIRECTORY)
    let number = dup(copy.number)
    guard number >= 0, let stream = fdopendir(number) else { throw FileFailure(errno) }
    defer { closedir(stream) }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      // Only `errno` distinguishes the end from an error.
      errno = 0
      guard let entry = directory.calls.nextName(stream) else {
        guard errno == 0 else { throw FileFailure(errno) }
        return
      }
      let start = UnsafeRawPointer(entry) + offset
      let length = strlen(start.assumingMemoryBound(to: CChar.self))
      let name = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
      if name == FolderPath.here || name == FolderPath.up { continue }
      try take(name, entry.pointee.d_type)
    }
  }
}
