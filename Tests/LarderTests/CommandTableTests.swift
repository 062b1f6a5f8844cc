import Foundation
import Testing

/// Every command on every kind of store: how it ends, and what its lines of JSON hold.
@Suite struct CommandTableTests {
  /// A kind of store in the samples.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    /// Where it is in the folder of samples.
    let location: String
    /// Whether it takes changes from the command line.
    var isLasting = true
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "sqlite", location: "app.db#settings"),
    Kind(name: "folder", location: "files"),
    Kind(name: "plist", location: "defaults.plist"),
    Kind(name: "preferences", location: "preferences.xml"),
    Kind(name: "json", location: "settings.json"),
    Kind(
      name: "container", location: "com.example.notes#shared_prefs/preferences.xml"),
    Kind(name: "memory", location: "memory:seed.json", isLasting: false),
  ]

  private let scratch: Scratch
  private let table: JSONFieldTable

  init() throws {
    scratch = try Scratch()
    table = try JSONFieldTable()
    _ = try Shell.larder("demo", scratch.path)
  }

  /// Runs larder among the samples, with a journal of its own, and checks its lines of JSON.
  private func run(_ words: [String], input: String = "") throws -> Outcome {
    let outcome = try Shell.run(
      Shell.larder, words, input: Array(input.utf8),
      environment: ["XDG_STATE_HOME": scratch.file("state")], folder: scratch.path)
    if words.contains("--json") || words[0] == "export" {
      try table.check(outcome.lines, of: words[0])
    }
    return outcome
  }

  @Test(arguments: kinds)
  func `each command ends as it should`(_ kind: Kind) throws {
    let place = kind.location
    let keys = try run(["ls", place]).lines
    let (key, other) = (try #require(keys.first), try #require(keys.last))
    try #require(key != other)
    let refused: Int32 = 5
    func changed(_ code: Int32) -> Int32 { kind.isLasting ? code : refused }
    let line = "{\"key\":\"new.entry\",\"value\":\"x\"}"
    let table: [(words: [String], input: String, code: Int32)] = [
      (["ls", place, "--json"], "", 0),
      (["ls", place, "--prefix", "no such"], "", 1),
      (["ls", place, "--limit", "few"], "", 2),
      (["get", place, key, "--json"], "", 0),
      (["get", place, "no such"], "", 1),
      (["get", place], "", 2),
      (["info", place, "--json"], "", 0),
      (["info"], "", 2),
      (["export", place], "", 0),
      (["export", place, "--prefix", "no such"], "", 1),
      (["doctor", place, "--json"], "", 0),
      (["screen", place], "", 0),
      (["log", place, "--json"], "", 1),
      (["undo", place, "--json"], "", 1),
      (["redo", place, "--json"], "", 1),
      (["diff", place, place, "--json"], "", 0),
      (["diff", place], "", 2),
      (["diff", place, "no-such-file"], "", 3),
      (["cp", place], "", 2),
      (["cp", place, place, "--json"], "", changed(0)),
      (["cp", place, place, "--prefix", "no such"], "", changed(1)),
      (["put", place, "new.entry", "x", "--read-only"], "", refused),
      (["put", place, "new.entry"], "", 2),
      (["put", place, key, "x", "--create"], "", changed(4)),
      (["put", place, "new.entry", "x", "--json"], "", changed(0)),
      (["log", place, "--json"], "", kind.isLasting ? 0 : 1),
      (["undo", place, "--json"], "", kind.isLasting ? 0 : 1),
      (["redo", place, "--json"], "", kind.isLasting ? 0 : 1),
      (["mv", place, "no such", "x"], "", changed(1)),
      (["mv", place, key], "", 2),
      (["mv", place, key, other], "", changed(4)),
      (["mv", place, "new.entry", "new.name", "--json"], "", changed(0)),
      (["touch", place, "new.name", "--ttl", "1h"], "", refused),
      (["touch", place, "new.name"], "", 2),
      (["import", place, "--json"], line, changed(0)),
      (["import", place], line.replacing("x", with: "y"), changed(4)),
      (["import", place], "{", changed(2)),
      (["diff", place, "-", "--json"], line, kind.isLasting ? 1 : 1),
      (["rm", place, "no such"], "", changed(1)),
      (["rm", place], "", 2),
      (["rm", place, "new.name", "--read-only"], "", refused),
      (["rm", place, "new.name", "--json"], "", changed(0)),
      (["rm", place, "--prefix", "new.", "--yes", "--json"], "", changed(0)),
    ]
    for (words, input, code) in table {
      let outcome = try run(words, input: input)
      #expect(
        outcome.code == code, "\(words.joined(separator: " ")): \(outcome.errors)")
      #expect((outcome.code > 1) == outcome.errors.contains("larder: ") || outcome.code <= 1)
    }
  }

  @Test(
    arguments: [
      ["ls"], ["get", "k"], ["put", "k", "v"], ["rm", "k"], ["mv", "k", "l"],
      ["touch", "k", "--ttl", "1h"], ["export"], ["import"], ["info"], ["watch"], ["screen"],
      ["doctor"], ["diff", "app.db#settings"], ["cp", "app.db#settings"],
    ])
  func `a store that is not there ends each command with 3`(words: [String]) throws {
    let outcome = try run([words[0], "no-such-store.db"] + words.dropFirst())
    #expect(outcome.code == 3, "\(words): \(outcome.errors)")
  }

  @Test func `lines of entries that expire have the fields of the table`() throws {
    _ = try scratch.database(
      "cache.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', 'x', unixepoch() + 60), ('b', x'00ff', unixepoch() - 60),
        ('c', 'y', unixepoch() + 900);
      """)
    #expect(try run(["ls", "cache.db", "--json"]).lines.count == 3)
    #expect(try run(["get", "cache.db", "b", "--json"]).code == 0)
    #expect(try run(["touch", "cache.db", "a", "--ttl", "+1h", "--json"]).lines.count == 1)
    #expect(try run(["rm", "cache.db", "--expired", "--yes", "--json"]).lines.count == 1)
    #expect(try run(["undo", "--json"]).lines.count == 1)
    #expect(try run(["export", "cache.db"]).lines.count == 3)
    #expect(try run(["doctor", "cache.db", "--json"]).code == 0)
  }

  @Test func `the table has each command that prints lines of JSON`() throws {
    var names: Set<String> = ["export"]
    for line in try Shell.larder("--help").lines where line.hasPrefix("larder ") {
      let words = line.split(separator: " ")
      guard words.count > 1, words[1].first?.isLowercase == true else { continue }
      let help = try Shell.larder(String(words[1]), "--help").text
      if help.contains("\n  --json ") { names.insert(String(words[1])) }
    }
    #expect(table.names == names)
  }
}
