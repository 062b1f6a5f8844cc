import Foundation
import Testing

/// Copying rows of timed caches to tables with other time units.
@Suite struct TransferredTimesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A representation of times in a table, with SQL expressions that convert it from and to seconds
  /// since 1970.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let write: String
    let read: String

    var testDescription: String { name }

    func written(_ seconds: Int) -> String { write.replacing("?", with: String(seconds)) }
  }

  static let ways = [
    Way(name: "s", type: "INTEGER", write: "?", read: "?"),
    Way(name: "ms", type: "INTEGER", write: "? * 1000", read: "? / 1000"),
    Way(name: "us", type: "INTEGER", write: "? * 1000000", read: "? / 1000000"),
    Way(name: "ns", type: "INTEGER", write: "? * 1000000000", read: "? / 1000000000"),
    Way(name: "apple", type: "REAL", write: "? - 978307200.0", read: "? + 978307200"),
    Way(name: "julian", type: "REAL", write: "julianday(?, 'unixepoch')", read: "unixepoch(?)"),
    Way(
      name: "iso", type: "TEXT", write: "strftime('%Y-%m-%dT%H:%M:%SZ', ?, 'unixepoch')",
      read: "unixepoch(?)"),
    Way(
      name: "ticks", type: "INTEGER", write: "(? + 62135596800) * 10000000",
      read: "? / 10000000 - 62135596800"),
  ]

  @Test func `an expiry edited in an export is imported`() throws {
    let store = try cache("edited.db", Self.ways[0], ["a", "b"])
    let lines = try Shell.larder("export", store).text.replacing("1700003600", with: "1800000000")
    let file = try scratch.file("edited.jsonl", Array(lines.utf8))
    for option in [[], ["--no-journal"]] {
      let outcome = try Shell.larder("import", store, file, "--replace", and: option)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(
        try scratch.query(store, "SELECT expires_at FROM cache ORDER BY key")
          == ["1800000000", "1700003690"])
    }
  }

  /// Makes a table of entries with creation times in key order, each expiring an hour later.
  private func cache(_ name: String, _ way: Way, _ keys: [String]) throws -> String {
    let rows = keys.enumerated().map { place, key in
      let made = 1_700_000_000 + place * 90
      return "('\(key)', 'body', 'text/plain', \(way.written(made)), "
        + "\(way.written(made + 3_600)))"
    }
    return try scratch.database(
      name,
      """
      CREATE TABLE cache (
        key TEXT PRIMARY KEY, value BLOB, mime TEXT, created_at \(way.type), expires_at \(way.type));
      INSERT INTO cache VALUES \(rows.joined(separator: ", "));
      """)
  }

  /// Returns the rows with their times in seconds, rounded because Julian days are inexact.
  private func seconds(_ database: String, _ way: Way) throws -> [String] {
    let ends = ["created_at", "expires_at"].map { column in
      "CAST(round(\(way.read.replacing("?", with: column))) AS INTEGER)"
    }
    return try scratch.query(
      database, "SELECT key, mime, \(ends.joined(separator: ", ")) FROM cache ORDER BY key")
  }

  private static let expected = [
    "a|text/plain|1700000000|1700003600", "b|text/plain|1700000090|1700003690",
  ]

  private func isClose(_ rows: [String], _ expected: [String]) -> Bool {
    rows.count == expected.count
      && zip(rows, expected).allSatisfy { row, other in
        let (own, others) = (row.split(separator: "|"), other.split(separator: "|"))
        return own.prefix(2) == others.prefix(2)
          && zip(own.dropFirst(2), others.dropFirst(2)).allSatisfy { left, right in
            abs((Int(left) ?? 0) - (Int(right) ?? .max)) <= 1
          }
      }
  }

  @Test(arguments: ways, ways)
  func `a copied row keeps its expiry`(from: Way, to: Way) throws {
    let origin = try cache("from.db", from, ["a", "b"])
    let target = try cache("to.db", to, ["other"])
    #expect(try Shell.larder("cp", origin, target).code == 0)
    let rows = try seconds(target, to).filter { !$0.hasPrefix("other") }
    #expect(isClose(rows, Self.expected), "\(rows)")
    // Copying again changes nothing.
    #expect(try Shell.larder("cp", origin, target).errors.contains("2 were already there"))
  }

  @Test(arguments: ways, [[], ["--no-journal"]])
  func `an imported row keeps its expiry`(
    from: Way, options: [String]
  ) throws {
    let origin = try cache("from.db", from, ["a", "b"])
    let lines = try Shell.larder("export", origin).text
    for to in [Self.ways[0], Self.ways[4], Self.ways[6]] {
      let target = try cache("to-\(to.name).db", to, ["other"])
      let outcome = try Shell.larder("import", target, "-", and: options, input: lines)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let rows = try seconds(target, to).filter { !$0.hasPrefix("other") }
      #expect(isClose(rows, Self.expected), "\(to.name): \(rows)")
    }
  }

  @Test(arguments: ["copy-to", "move-to"])
  func `the browser copies the expiry`(command: String) throws {
    let (from, to) = (Self.ways[1], Self.ways[0])
    let origin = try cache("from.db", from, ["a", "b"])
    let target = try cache("to.db", to, ["other"])
    let screen = try Shell.larder(
      "screen", origin, target, "--no-journal", "--size", "200x14", "--keys",
      "A:\(command) \(target)<Enter>")
    let rows = try seconds(target, to).filter { !$0.hasPrefix("other") }
    #expect(isClose(rows, Self.expected), "\(rows) \(screen.text)")
    let left = command == "move-to" ? [] : ["a", "b"]
    #expect(try scratch.query(origin, "SELECT key FROM cache ORDER BY key") == left)
  }

  @Test(arguments: [
    ("253402300799", "1700003600000", "253402300799000"),
    ("253402300799000", "1700003600", "253402300799"),
    ("'9999-12-31 23:59:59'", "1700003600000", "253402300799000"),
    ("253402300799", "'2023-11-14T23:13:20Z'", "9999-12-31T23:59:59Z"),
  ])
  func `a row that never expires, marked by the year 9999, never expires in another unit`(
    far: String, ordinary: String, expected: String
  ) throws {
    func cache(_ name: String, _ end: String, _ rest: String) throws -> String {
      try scratch.database(
        name,
        """
        CREATE TABLE cache (key TEXT PRIMARY KEY, value, mime TEXT, expires_at\(rest));
        INSERT INTO cache VALUES ('\(name)', 'x', 't', \(end));
        """)
    }
    let origin = try cache("far", far, "")
    let lines = try Shell.larder("export", origin).text
    for (rest, end) in [("", ""), (" NOT NULL", expected)] {
      let copy = try cache("c\(rest)", ordinary, rest)
      let file = try cache("i\(rest)", ordinary, rest)
      #expect(try Shell.larder("cp", origin, copy).code == 0)
      #expect(try Shell.larder("import", file, "-", input: lines).code == 0)
      for target in [copy, file] {
        let ends = try scratch.query(target, "SELECT expires_at FROM cache WHERE key = 'far'")
        #expect(ends == [end])
        #expect(try Shell.larder("ls", target, "--expired").text.contains("far") == false)
      }
    }
  }

  @Test(arguments: ["cp", "import"], [false, true])
  func `an expiry survives any declared column type`(
    command: String, isSeeded: Bool
  ) throws {
    func cache(_ name: String, _ type: String, _ row: String) throws -> String {
      try scratch.database(
        name, "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires \(type)); \(row)")
    }
    let sources = [
      ("TEXT", "'1900000000'"), ("REAL", "1900000000.25"), ("REAL", "1900000000.0"),
      ("INTEGER", "1900000000"), ("", "1900000000.5"),
    ]
    for (place, (type, end)) in sources.enumerated() {
      let origin = try cache(
        "from\(place).db", type, "INSERT INTO cache VALUES ('a', 'x', \(end));")
      let lines = try Shell.larder("export", origin).text
      for other in ["INTEGER", "REAL", "TEXT", "NUMERIC", ""] {
        let seed = other == "TEXT" ? "'1800000000'" : "1800000000"
        let target = try cache(
          "to\(place)\(other).db", other,
          isSeeded ? "INSERT INTO cache VALUES ('seed', 'x', \(seed));" : "")
        let outcome =
          command == "cp"
          ? try Shell.larder("cp", origin, target)
          : try Shell.larder("import", target, "-", input: lines)
        #expect(outcome.code == 0, "\(type) to \(other): \(outcome.errors)")
        #expect(
          try scratch.query(target, "SELECT expires + 0 = \(end) + 0 FROM cache WHERE key = 'a'")
            == ["1"], "\(type) to \(other)")
      }
    }
  }

  @Test(arguments: [
    ("1900000000250", "1900000000"), ("1900000000250", "'2023-11-14 23:13:20'"),
    ("1900000000.5", "'2023-11-14 23:13:20'"),
  ])
  func `an expiry the target cannot hold exactly is refused with its entry`(
    end: String, seed: String
  ) throws {
    let table = "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires); "
    let origin = try scratch.database(
      "from.db", table + "INSERT INTO cache VALUES ('odd one', 'x', \(end));")
    let target = try scratch.database(
      "to.db", table + "INSERT INTO cache VALUES ('seed', 'x', \(seed));")
    let lines = try Shell.larder("export", origin).text
    for outcome in [
      try Shell.larder("cp", origin, target), try Shell.larder("cp", origin, target, "--dry-run"),
      try Shell.larder("import", target, "-", input: lines),
    ] {
      #expect(outcome.code == 5)
      #expect(outcome.errors.contains("odd one"), "\(outcome.errors)")
    }
    #expect(try scratch.query(target, "SELECT key FROM cache") == ["seed"])
  }

  @Test func `never is refused if the target's unit cannot express it`() throws {
    func cache(_ name: String, _ end: String) throws -> String {
      try scratch.database(
        name,
        """
        CREATE TABLE cache (key TEXT PRIMARY KEY, value, mime TEXT, expires_at INTEGER NOT NULL);
        INSERT INTO cache VALUES ('\(name)', 'x', 't', \(end));
        """)
    }
    let origin = try cache("far", "253402300799")
    let target = try cache("to", "1700003600000000000")
    let outcome = try Shell.larder("cp", origin, target)
    #expect(
      outcome.code != 0 && outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try scratch.query(target, "SELECT key FROM cache") == ["to"])
  }

  @Test func `a duration in another unit is refused and nothing is written`() throws {
    func cache(_ name: String, _ row: String) throws -> String {
      try scratch.database(
        name,
        """
        CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, created_at INTEGER, ttl INTEGER);
        INSERT INTO cache VALUES \(row);
        """)
    }
    let origin = try cache("from.db", "('a', 'x', 1700000000000, 3600000)")
    let target = try cache("to.db", "('b', 'y', 1700000000, 3600)")
    let outcome = try Shell.larder("cp", origin, target)
    #expect(
      outcome.code != 0 && outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try scratch.query(target, "SELECT key FROM cache") == ["b"])
  }
}
