import LarderFiles
import Foundation

extension FolderDescriptor {
  /// The name of the database format whose files are in this directory or in one above it, or nil
  /// if there is no database.
  ///
  /// The files of such a database depend on each other, so replacing one of them would destroy the
  /// database. Some formats also use subdirectories.
  var databaseName: String? {
    if let name = ownDatabaseName { return name }
    guard let parent = try? open(FolderPath.up, O_RDONLY | O_DIRECTORY),
      let here = status, let above = parent.status, !here.isSameFile(as: above)
    else { return nil }
    return parent.databaseName
  }

  /// The name of the database format whose files are directly in this directory, or nil.
  ///
  /// Two files by their names are evidence enough; a single one has to begin like the format.
  private var ownDatabaseName: String? {
    if isLMDB { return "LMDB" }
    if has("WiredTiger"), has("WiredTiger.wt") { return "WiredTiger" }
    guard has("CURRENT"), hasManifest else { return nil }
    return has("IDENTITY") ? "RocksDB" : "LevelDB"
  }

  /// Whether the directory has a `data.mdb` that is not that of another format, such as Access.
  private var isLMDB: Bool {
    guard has("data.mdb") else { return false }
    // A file without contents or that cannot be read may still be one, as its lock file shows.
    guard let start = start(of: "data.mdb", count: 20), !start.isEmpty else {
      return has("lock.mdb")
    }
    // The magic number follows the header of a page, which is shorter on 32-bit systems.
    let magic: [UInt8] = [0xde, 0xc0, 0xef, 0xbe]
    return [12, 16].contains { place in
      let bytes = start.dropFirst(place).prefix(magic.count)
      return bytes.elementsEqual(magic) || bytes.elementsEqual(magic.reversed())
    }
  }

  private func has(_ name: String) -> Bool {
    (try? status(of: Array(name.utf8)))?.isRegular == true
  }

  /// Returns the first bytes of a file, or nil if it cannot be read.
  private func start(of name: String, count: Int) -> [UInt8]? {
    guard let file = try? openFile(Array(name.utf8)) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file.number, &bytes, count, 0)
    return read < 0 ? nil : Array(bytes.prefix(read))
  }

  private var hasManifest: Bool {
    var isFound = false
    try? FolderListing.forEachName(in: self) { name, _ throws(FileFailure) in
      isFound = isFound || name.starts(with: "MANIFEST-".utf8)
    }
    return isFound
  }
}
