import Foundation
import KeychainBench
import RedisBench
import Testing

/// Every command on every kind of store: its exit code and its JSON fields.
@Suite struct CommandTableTests {
  /// A kind of store.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    /// The location in the samples folder, or `nil` if the bench has to create it.
    var location: String?
    /// Whether the command line can change it.
    var isWritable = true
    /// Exit codes that differ from other kinds, by command line without the location.
    var otherwise: [String: Int32] = [:]
    var testDescription: String { name }
  }

  static let kinds = samples + secrets
  #if Keychain
  private static let secrets = [
    Kind(
      name: "keychain",
      // Only `get` prints secrets, the journal omits them, and deleting needs a confirmation.
      otherwise: [
        "export": 5, "export --prefix no such": 5, "log --json": 1, "undo --json": 1,
        "redo --json": 1, "rm new.name --json": 2,
      ])
  ]
  #else
  private static let secrets: [Kind] = []
  #endif
  private static let samples = [
    Kind(name: "sqlite", location: "app.db#settings"),
    Kind(name: "folder", location: "files"),
    Kind(name: "plist", location: "defaults.plist"),
    Kind(name: "defaults"),
    Kind(name: "preferences", location: "preferences.xml"),
    Kind(name: "datastore", location: "settings.preferences_pb"),
    // The sample has comments, which `doctor` reports.
    Kind(name: "json", location: "settings.json", otherwise: ["doctor --json": 1]),
    Kind(
      name: "container", location: "com.example.notes#shared_prefs/preferences.xml"),
    Kind(name: "memory", location: "memory:seed.json", isWritable: false),
    Kind(name: "mmkv", location: "settings.mmkv", isWritable: false),
    Kind(name: "realm", location: "items.realm#Owner", isWritable: false),
    Kind(name: "unix"),
    Kind(name: "redis", otherwise: ["touch new.name --ttl 1h": 0]),
  ]

  private let scratch: Scratch
  private let table: JSONFieldTable

  init() throws {
    scratch = try Scratch()
    table = try JSONFieldTable()
    _ = try Shell.larder("demo", scratch.path)
  }

  /// Runs larder in the samples folder with its own journal, and checks the JSON lines it prints.
  private func run(
    _ words: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let outcome = try Shell.run(
      Shell.larder, words, input: Array(input.utf8),
      environment: environment.merging(["XDG_STATE_HOME": scratch.file("state")]) { $1 },
      folder: scratch.path)
    if words.contains("--json") || words[0] == "export" {
      try table.check(outcome.lines, of: words[0])
    }
    return outcome
  }

  @Test(arguments: kinds)
  func `each command ends with the expected exit code`(_ kind: Kind) throws {
    let bench = try StoreBench(kind, in: scratch)
    let place = bench.location
    func run(_ words: [String], input: String = "") throws -> Outcome {
      try self.run(words, input: input, environment: bench.environment)
    }
    let keys = try run(["ls", place]).lines
    let (key, other) = (try #require(keys.first), try #require(keys.last))
    try #require(key != other)
    let refused: Int32 = 5
    func changed(_ code: Int32) -> Int32 { kind.isWritable ? code : refused }
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
      (["stats", place, "--json"], "", 0),
      (["stats", place, "--prefix", "no such"], "", 1),
      (["stats"], "", 2),
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
      (["log", place, "--json"], "", kind.isWritable ? 0 : 1),
      (["undo", place, "--json"], "", kind.isWritable ? 0 : 1),
      (["redo", place, "--json"], "", kind.isWritable ? 0 : 1),
      (["mv", place, "no such", "x"], "", changed(1)),
      (["mv", place, key], "", 2),
      (["mv", place, key, other], "", changed(4)),
      (["mv", place, "new.entry", "new.name", "--json"], "", changed(0)),
      (["touch", place, "new.name", "--ttl", "1h"], "", refused),
      (["touch", place, "new.name"], "", 2),
      (["import", place, "--json"], line, changed(0)),
      (["import", place], line.replacing("x", with: "y"), changed(4)),
      (["import", place], "{", changed(2)),
      (["diff", place, "-", "--json"], line, 1),
      (["rm", place, "no such"], "", changed(1)),
      (["rm", place], "", 2),
      (["rm", place, "new.name", "--read-only"], "", refused),
      (["rm", place, "new.name", "--json"], "", changed(0)),
      (["rm", place, "--prefix", "new.", "--yes", "--json"], "", changed(0)),
    ]
    for (words, input, code) in table {
      let outcome = try run(words, input: input)
      let line = words.filter { $0 != place }.joined(separator: " ")
      #expect(
        outcome.code == kind.otherwise[line] ?? code, "\(kind.name): \(line): \(outcome.errors)")
      let isReported = ["larder: ", "{\"error\":"].contains(where: outcome.errors.contains)
      #expect(outcome.code <= 1 || isReported)
    }
  }

  @Test(
    arguments: [
      ["ls"], ["get", "k"], ["put", "k", "v"], ["rm", "k"], ["mv", "k", "l"],
      ["touch", "k", "--ttl", "1h"], ["export"], ["import"], ["info"], ["stats"], ["watch"],
      ["screen"], ["doctor"], ["diff", "app.db#settings"], ["cp", "app.db#settings"],
    ])
  func `a missing store ends each command with 3`(words: [String]) throws {
    let outcome = try run([words[0], "no-such-store.db"] + words.dropFirst())
    #expect(outcome.code == 3, "\(words): \(outcome.errors)")
  }

  /// Damaged stores of each kind, and stores whose file, process or folder is missing.
  static let broken = [
    "damaged.db", "damaged.plist", "damaged.xml", "damaged.preferences_pb", "damaged.json",
    "damaged.realm", "no-folder/",
    "defaults:damaged", "memory:damaged.json", "memory:none.json", "unix:none.sock",
    "com.example.notes#databases/none.db", "redis://127.0.0.1:1/0", "redis:x",
  ]

  @Test(arguments: broken)
  func `a store that cannot be read ends each command with 3`(location: String) throws {
    let settings = scratch.file("settings")
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    for (name, sample, count) in [
      ("damaged.db", "app.db", 4_096), ("damaged.plist", "defaults.plist", 60),
      ("damaged.xml", "preferences.xml", 90), ("damaged.json", "settings.json", 30),
      ("damaged.preferences_pb", "settings.preferences_pb", 30),
      ("damaged.realm", "items.realm", 100), ("settings/damaged.plist", "defaults.plist", 60),
    ] {
      let bytes = try Data(contentsOf: URL(filePath: scratch.file(sample)))
      _ = try scratch.file(name, bytes.prefix(count))
    }
    let environment = ["XDG_CONFIG_HOME": settings]
    for words in [
      ["ls"], ["ls", "--json"], ["get", "k"], ["put", "k", "v"], ["rm", "k"],
      ["rm", "--prefix", "k", "--yes"], ["mv", "k", "l"], ["touch", "k", "--ttl", "1h"], ["export"],
      ["import"], ["info"], ["stats"], ["watch"], ["screen"], ["doctor"],
      ["diff", "app.db#settings"],
      ["cp", "app.db#settings"],
    ] {
      let outcome = try run(
        [words[0], location] + words.dropFirst(), input: "{\"key\":\"k\",\"value\":\"v\"}",
        environment: environment)
      #expect(outcome.code == 3, "\(words) \(location): \(outcome.errors)")
      // `screen` and `doctor` report the problem as part of their output.
      guard words[0] != "screen", words[0] != "doctor" else { continue }
      #expect(outcome.text.isEmpty, "\(words) \(location)")
      let isReported = ["larder: ", "{\"error\":"].contains(where: outcome.errors.contains)
      #expect(isReported, "\(words) \(location)")
    }
  }

  @Test(arguments: kinds)
  func `a store is watched until terminated, if other programs can change it`(_ kind: Kind)
    throws
  {
    let bench = try StoreBench(kind, in: scratch)
    // Waits for the first message, then terminates the process.
    let script = """
      mkfifo errors
      "$0" watch "$1" --json 2>errors &
      exec 3<errors
      read -r -t 60 line <&3; echo "$line"
      case "$line" in *"; Ctrl-C stops") kill -TERM $! ;; esac
      wait $!; echo $?
      """
    let outcome = try Shell.run(
      "bash", ["-c", script, Shell.larder, bench.location], environment: bench.environment,
      folder: scratch.path)
    let isWatched = !["memory", "keychain"].contains(kind.name)
    #expect(outcome.lines.last == (isWatched ? "143" : "5"), "\(outcome.text)\(outcome.errors)")
    let first = outcome.lines.first ?? ""
    #expect(first.contains(isWatched ? "watching " : "cannot be watched: "), "\(first)")
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

  @Test func `lines of differences and copies have the fields of the table`() throws {
    let differs = try run(["diff", "app.db#settings", "settings.json", "--json"])
    #expect(differs.code == 1)
    #expect(differs.lines.count > 5)
    _ = try scratch.file("none.json", Array("{}".utf8))
    for options in [["--dry-run"], []] {
      let copied = try run(["cp", "settings.json", "none.json", "--json"] + options)
      #expect(copied.code == 0)
      #expect(copied.lines.count == (try run(["ls", "settings.json"]).lines.count))
    }
  }

  @Test func `the table has each command that prints lines of JSON`() throws {
    var names: Set<String> = ["export"]
    for (name, _) in try Shell.commands() {
      let help = try Shell.larder(name, "--help").text
      if help.contains("\n  --json ") { names.insert(name) }
    }
    #expect(table.names == names)
  }
}

/// A store of a kind, with the objects it needs to stay alive.
private struct StoreBench {
  let location: String
  private(set) var environment: [String: String] = [:]
  private var company: [AnyObject] = []

  init(_ kind: CommandTableTests.Kind, in scratch: Scratch) throws {
    if let location = kind.location {
      self.location = location
      return
    }
    switch kind.name {
    case "defaults":
      location = "defaults:com.example.table"
      let home = scratch.file("home")
      environment = ["HOME": home, "XDG_CONFIG_HOME": home + "/.config"]
      try FileManager.default.createDirectory(
        atPath: home + "/.config", withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: scratch.file("defaults.plist"), toPath: home + "/.config/com.example.table.plist")
    case "unix":
      let program = try LiveProcess()
      try program.start()
      company = [program]
      location = program.location + "#settings"
      // Waits for the other process even on a busy machine.
      environment = ["LARDER_PATIENCE": "600"]
    case "redis":
      let server = try RedisServer()
      for key in ["first", "second"] {
        try server.run(["SET", key, "value", "EX", "1000"])
      }
      company = [server]
      location = "redis://127.0.0.1:\(server.port)/0"
      environment = ["LARDER_PATIENCE": "600"]
    default:
      #if Keychain
      let bench = try KeychainBench()
      for key in ["token", "pin"] {
        try bench.run(
          "secret-tool", ["store", "--label=l", "service", "app", "account", key],
          input: Data("secret".utf8))
      }
      company = [bench]
      location = "keychain:app"
      environment = bench.environment
      #else
      throw ScratchError(text: "no store of the kind \(kind.name) can be made")
      #endif
    }
  }
}
