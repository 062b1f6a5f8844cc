import Foundation
import HarmonySQLite

/// Databases to measure, created once in a folder and reused by later runs.
struct Fixture {
  let folder: String

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  /// The first key of each `kv` table.
  static let firstKey = "key:00000000:a"

  /// Returns the path of a database with a table `kv` of text keys and values of about 90 bytes.
  func keyValues(_ count: Int) async throws -> String {
    try await make("kv-\(count).db", count) { session, number in
      let name = String(number + 100_000_000).dropFirst()
      try session.run(
        "INSERT INTO kv VALUES (?, ?)",
        [
          .text("key:\(name):\(["a", "b", "c"][number % 3])"),
          .text(
            "value \(number) of a store, with words that make it about ninety bytes long, so so"),
        ])
    }
  }

  /// Returns the path of a database with one table, creating it if necessary.
  func make(
    _ name: String, _ count: Int, table: String = "kv (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID",
    row: @escaping @Sendable (SQLiteSession, Int) throws -> Void
  ) async throws -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    print("making \(path) …")
    let unfinished = path + ".part"
    try? FileManager.default.removeItem(atPath: unfinished)
    let connection = SQLiteConnection(path: unfinished, access: .creating)
    try await connection.perform { session in
      try session.execute("PRAGMA synchronous = OFF")
      try session.execute("CREATE TABLE \(table)")
      try session.write {
        for number in 0..<count { try row(session, number) }
      }
    }
    connection.close()
    try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
  }
}
