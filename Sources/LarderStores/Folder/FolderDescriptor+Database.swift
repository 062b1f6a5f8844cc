import LarderFiles
import Foundation

extension FolderDescriptor {
  /// The name of the database format whose files are directly in this directory, or nil if there is
  /// no database.
  ///
  /// The files of such a database depend on each other, so replacing one of them would destroy the
  /// database.
  var databaseName: String? {
    if has("data.mdb") { return "LMDB" }
    if has("WiredTiger"), has("WiredTiger.wt") { return "WiredTiger" }
    guard has("CURRENT"), hasManifest else { return nil }
    return has("IDENTITY") ? "RocksDB" : "LevelDB"
  }

  private func has(_ name: String) -> Bool {
    (try? status(of: Array(name.utf8)))?.isRegular == true
  }

  private var hasManifest: Bool {
    var isFound = false
    try? FolderListing.forEachName(in: self) { name, _ throws(FileFailure) in
      isFound = isFound || name.starts(with: "MANIFEST-".utf8)
    }
    return isFound
  }
}
