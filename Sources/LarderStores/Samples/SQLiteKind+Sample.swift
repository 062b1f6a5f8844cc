import Foundation
import HarmonySQLite
import LarderModel

extension SQLiteKind {
  /// Creates an app's database: people and their orders, prefixed settings, sessions, a cache and a
  /// view.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/app.db"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let connection = SQLiteConnection(path: path, access: .creating)
    do {
      try await connection.perform { session in
        try session.write {
          try fill(session)
          try fillCache(session, now: Int64(Date().timeIntervalSince1970))
          try fillOrders(session)
        }
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

  /// Creates a cache with four prefixes; some entries have expired and some never expire.
  private static func fillCache(_ session: SQLiteSession, now: Int64) throws {
    try session.execute(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER)")
    func add(_ key: String, _ value: String, _ life: Int64?) throws {
      try session.run(
        "INSERT INTO cache VALUES (?, ?, ?)",
        [.text(key), .blob(Array(value.utf8)), life.map { .integer(now + $0) } ?? .null])
    }
    for number in 0..<120 {
      let step = Int64(number * 7_919 % 1_000)
      let text = String(repeating: "Lorem ipsum ", count: number * 37 % 60)
      try add(
        "feed:\(1_000 + number)",
        #"{"id":\#(number),"title":"Story \#(number)","text":"\#(text)"}"#,
        step * 60 - 6_000)
      try add("session:\(1_000 + number)", "t-\(number * 7_919)", step * 20 - 1_800)
      if number < 40 {
        try add(
          "user:\(1_000 + number)", #"{"name":"User \#(number)","admin":\#(number % 9 == 0)}"#,
          step * 90 + 600)
      }
      if number < 8 { try add("feature:\(number)", number % 2 == 0 ? "true" : "false", nil) }
    }
  }

  private static func fillOrders(_ session: SQLiteSession) throws {
    try session.execute(
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id),
        item TEXT NOT NULL, quantity INTEGER, total REAL, status TEXT, note TEXT, ordered TEXT);
      """)
    let items = ["notebook", "pencil", "slide rule", "punched cards", "lamp", "compass"]
    let states = ["paid", "open", "shipped", "paid", "returned"]
    for number in 1...60 {
      let quantity = number * 7 % 5 + 1
      try session.run(
        "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(Int64(number)), .integer(Int64(number * 3 % 5 + 1)),
          .text(items[number * 5 % items.count]), .integer(Int64(quantity)),
          .real(Double(quantity * (number * 137 % 900 + 95)) / 100),
          .text(states[number * 3 % states.count]),
          number % 6 == 0 ? .text("gift wrapped") : .null,
          .text("2026-\(10 + number / 40)-\(10 + number % 18)"),
        ])
    }
  }
}
