import Foundation
import Testing

/// The recipes of the documentation, run exactly as written.
@Suite struct RecipeTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("bin/larder"), withDestinationPath: Shell.larder)
    for name in ["old", "new"] {
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>theme</key><string>\(name)</string></dict></plist>
        """
      _ = try scratch.file("\(name).plist", Array(text.utf8))
    }
    _ = try scratch.database(
      "cache.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER);
      INSERT INTO cache VALUES ('session:1', 'a', unixepoch() + 60),
        ('session:2', 'bb', unixepoch() + 60), ('other', hex(zeroblob(99)), unixepoch() + 60);
      """)
  }

  /// Runs a recipe in the folder, with test versions of the programs it calls.
  private func run(_ name: String, _ programs: [String: String] = [:]) throws -> Outcome {
    try run(
      after: "<!-- recipe \(name) -->\n", in: ReadmeBlock.page("larder/larder.docc/Recipes.md"),
      programs)
  }

  /// Runs the first script after some words of a page.
  private func run(
    after words: String, in page: URL, _ programs: [String: String]
  ) throws -> Outcome {
    for (name, script) in programs {
      // A separate process writes the file: one still open for writing in this process cannot be
      // executed.
      _ = try Shell.run(
        "sh", ["-c", "cat > \(name); chmod +x \(name)"],
        input: Array("#!/bin/sh\n\(script)\n".utf8),
        folder: scratch.path)
    }
    let text = try String(contentsOf: page, encoding: .utf8)
    let place = try #require(text.range(of: words)?.upperBound)
    let start = try #require(text[place...].range(of: "```bash\n")?.upperBound)
    let end = try #require(text[start...].range(of: "```\n")?.lowerBound)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try Shell.run(
      "timeout", ["60", "bash", "-c", String(text[start..<end])],
      environment: ["PATH": scratch.file("bin") + ":" + path], folder: scratch.path)
  }

  @Test func `settings are copied from one app to another`() throws {
    let outcome = try run("copy")
    #expect(outcome.text == "both are the same\n", "\(outcome.errors)")
    #expect(try Shell.larder("get", scratch.file("new.plist"), "theme").text == "old")
  }

  @Test func `the entries of a prefix expire`() throws {
    let outcome = try run("expire")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Shell.larder("ls", scratch.file("cache.db")).text == "other\n")
  }

  @Test func `a cache is watched`() throws {
    _ = try run(
      "watch",
      ["run-tests": "sqlite3 cache.db \"INSERT INTO cache VALUES ('session:new', 'x', 1)\""])
    let lines = try String(contentsOfFile: scratch.file("changes.jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains(#""key":"session:new""#) })
    try JSONFieldTable().check(lines, of: "watch")
  }

  @Test func `the largest values are found`() throws {
    let outcome = try run("largest")
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.first?.contains("other") == true, "\(outcome.text)")
  }

  @Test(arguments: [true, false])
  func `the short script does as it says`(changes: Bool) throws {
    // The simulated test run lasts until its changes have been seen.
    let tests = """
      n=0
      until grep -q session:new changes.jsonl; do
        n=$((n + 1)); sqlite3 cache.db "INSERT INTO cache VALUES ('session:new.$n', 'x', 9e9)"
      done
      """
    _ = try scratch.database(
      "app.db",
      "CREATE TABLE settings (key TEXT PRIMARY KEY, value); "
        + "INSERT INTO settings VALUES ('a', 'as it was'), ('b', 1.0);")
    let change = changes ? "larder put app.db#settings a broken" : ":"
    let outcome = try run("short", ["upgrade": change, "run-tests": tests])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("broken") == changes)
    #expect(try Shell.larder("get", scratch.file("new.plist"), "theme").text == "old")
    #expect(outcome.lines.first?.contains("other") == true, "\(outcome.text)")
    #expect(
      try Shell.larder("ls", scratch.file("cache.db"), "--expired").lines.prefix(2)
        == ["session:1", "session:2"])
    #expect(
      try scratch.query(scratch.file("app.db"), "SELECT key, quote(value) FROM settings")
        == ["a|'as it was'", "b|1.0"])
  }

  @Test func `the changes of an upgrade are reverted`() throws {
    let outcome = try run("upgrade", ["upgrade": "larder put new.plist theme broken"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Shell.larder("get", scratch.file("new.plist"), "theme").text == "new")
    let lines = try String(contentsOfFile: scratch.file("changed.jsonl"), encoding: .utf8)
    #expect(lines.contains(#""change":"changed","key":"theme""#), "\(outcome.errors)")
  }
}
