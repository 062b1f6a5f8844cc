import Foundation
import HarmonySQLite
import LarderModel

extension SQLiteKind {
  /// An app's database: people, prefixed settings, sessions and a view.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/app.db"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let connection = SQLiteConnection(path: path, access: .creating)
    do {
      try await connection.perform { session in
        try session.write { try fill(session) }
      }
    } catch {
      throw .failed("the sample \(path) cannot be made: \(error)")
    }
    return path
  }

  private static func fill(_ session: SQLiteSession) throws {
    try session.execute(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, photo BLOB);
      CREATE TABLE settings (key TEXT PRIMARY KEY, value);
      CREATE TABLE sessions (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      CREATE TABLE visits (country TEXT, day INTEGER, count INTEGER, PRIMARY KEY (country, day));
      CREATE VIEW adults AS SELECT name, born FROM people WHERE born < 2008;
      """)
    let people: [(String, Int64)] = [
      ("Ada", 1815), ("Grace", 1906), ("Alan", 1912), ("Zoë", 2011), ("李小龍", 1940),
    ]
    for (name, born) in people {
      try session.run(
        "INSERT INTO people (name, born, photo) VALUES (?, ?, ?)",
        [.text(name), .integer(born), .blob([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])])
    }
    let settings: [(String, SQLiteValue)] = [
      ("Double.pi", .real(3.14159265359)), ("Int.pi", .integer(3)),
      ("ui.theme", .text("larder-dark")), ("ui.font.size", .integer(13)),
      ("sync.last", .integer(1_767_225_600)), ("sync.error", .null),
      ("profile", .text(#"{"name":"Ada","tags":["math","engine"],"admin":true}"#)),
    ]
    for (key, value) in settings {
      try session.run("INSERT INTO settings VALUES (?, ?)", [.text(key), value])
    }
    for number in 1...2_000 {
      let key = "session:\(number):token"
      try session.run(
        "INSERT INTO sessions VALUES (?, ?)", [.text(key), .text("t-\(number * 7_919)")])
    }
    for (place, country) in ["AT", "BE", "CH", "DE"].enumerated() {
      for day in 1...7 {
        try session.run(
          "INSERT INTO visits VALUES (?, ?, ?)",
          [.text(country), .integer(Int64(day)), .integer(Int64(day * 13 + place))])
      }
    }
  }
}
