import LarderFiles
import Harmony
import HarmonySQLite
import LarderModel

extension SQLiteEntrySource {
  /// Returns a feed that reports when a transaction has changed the database.
  ///
  /// The kernel reports writes to the file and its WAL; `PRAGMA data_version` then shows whether
  /// there is anything new. It only compares with an earlier read of the same connection: if that
  /// does not stay open, as with a WAL, every write to the WAL is reported.
  func changeFeed() -> any ChangeFeed {
    let path = table.database.path
    let connection = table.database.connection(.page)
    return FileChangeFeed([.file(path), .file((ResolvedPath.of(path) ?? path) + "-wal")]) {
      // The next read reports the error.
      try? await connection.perform { session in
        let version = try session.rows("PRAGMA data_version").first?.first ?? .null
        return "\(session.number) \(version)"
      }
    }
  }
}
