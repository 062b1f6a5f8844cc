import LarderFiles
import Harmony
import HarmonySQLite
import LarderModel

extension SQLiteEntrySource {
  /// Tells when a transaction has changed the database.
  ///
  /// The kernel says when its file or its log is written; then `PRAGMA data_version` says whether
  /// there is anything new. It can only compare with what the same connection saw before: where
  /// none stays open, beside a log, every write to the log counts.
  func changeFeed() -> any ChangeFeed {
    let path = table.database.path
    let connection = table.database.connection(.page)
    return PlaceFeed([.file(path), .file((ResolvedPath.of(path) ?? path) + "-wal")]) {
      // What cannot be read now is told to whoever reads next.
      try? await connection.perform { session in
        let version = try session.rows("PRAGMA data_version").first?.first ?? .null
        return "\(session.number) \(version)"
      }
    }
  }
}
