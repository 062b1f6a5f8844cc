import LarderFiles
import Foundation

/// The names in one directory in the order that the paths below it have.
struct FolderListing: Sendable {
  /// One name; a directory's ends in a slash, which is how its paths go on.
  struct Item: Sendable {
    let path: [UInt8]
    let isDirectory: Bool
  }

  let items: [Item]
  /// Whether what was left out depends on more than the names: the times of the directory do not
  /// tell when that changes.
  let leavesOut: Bool

  /// Reads a directory; only one directory's names are in memory at a time.
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

  /// Hands out each name in a directory with its type, as far as the directory knows it.
  ///
  /// - Throws: ``FileFailure``, also where the directory could be read in part only.
  static func forEachName(
    in directory: FolderDescriptor, _ take: ([UInt8], UInt8) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let copy = try directory.open(FolderPath.here, O_RDONLY | O_DIRECTORY)
    let number = dup(copy.number)
    guard number >= 0, let stream = fdopendir(number) else { throw FileFailure(errno) }
    defer { closedir(stream) }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      // The end and a failure look the same but for this.
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
