import Foundation
import Testing

/// `larder stats`: the space taken by prefixes and types, and when entries expire.
@Suite struct StatsTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
      INSERT INTO cache VALUES
        ('img:1', zeroblob(900), unixepoch() + 30), ('img:2', zeroblob(100), unixepoch() - 30),
        ('user:1:name', x'0102', unixepoch() + 1800), ('user:2:name', x'01', unixepoch() + 50000),
        ('user:2:' || char(27) || '[31m', x'01', unixepoch() + 500000), ('plain', x'01', NULL),
        ('e' || char(27) || '[31m' || char(10) || ':x', x'', NULL);
      CREATE TABLE numbers (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO numbers VALUES (1, 'a'), (2, 'bb');
      CREATE TABLE empty (key TEXT PRIMARY KEY, value);
      """)
  }

  private func object(_ arguments: String...) throws -> [String: Any] {
    let outcome = try Shell.larder("stats", and: arguments + ["--json"])
    try JSONFieldTable().check(outcome.lines, of: "stats")
    #expect(outcome.lines.count == 1, "\(outcome.errors)")
    let data = Data(outcome.lines.first?.utf8 ?? "".utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `The types are those of the values, not of their rows`() throws {
    let object = try object(database + "#cache")
    #expect(try objects(object, "types").map { $0["type"] as? String } == ["data"])
    let lines = try Shell.larder("ls", database + "#cache", "--long").lines
    #expect(lines.count == 7 && lines.allSatisfy { $0.hasPrefix("data ") }, "\(lines)")
  }

  private func objects(_ object: [String: Any], _ name: String) throws -> [[String: Any]] {
    try #require(object[name] as? [[String: Any]])
  }

  @Test func `the JSON object has exact sums by prefix, type and expiry`() throws {
    let object = try object(database + "#cache")
    #expect(object["entries"] as? Int == 7)
    // The size of a value excludes the expiry column.
    let sizes = try Shell.larder("ls", database + "#cache", "--json").lines.map { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return entry?["size"] as? Int ?? 0
    }
    #expect(object["bytes"] as? Int == sizes.reduce(0, +))
    #expect(object["collection"] as? String == "cache" && object["delimiter"] as? String == ":")
    #expect(object["whole"] as? Bool == true && object["exact"] as? Bool == true)
    #expect(
      object["expiry"] as? [String: Int]
        == ["expired": 1, "minute": 1, "hour": 1, "day": 1, "later": 1, "never": 2])
    let prefixes = try objects(object, "prefixes")
    #expect(
      prefixes.map { $0["prefix"] as? String } == ["img:", "user:", nil, "e\u{1B}[31m\n:"])
    #expect(prefixes.map { $0["entries"] as? Int } == [2, 3, 1, 1])
    #expect(prefixes[0]["expired"] as? Int == 1 && prefixes[2]["never"] as? Int == 1)
    #expect(prefixes[1]["histogram"] as? [Int] == [0, 0, 1, 0, 1, 1, 0, 0])
    let largest = try objects(object, "largest")
    #expect(largest.first?["key"] as? String == "img:1")
    #expect(largest.count == 7)
    let remaining = try #require(largest.first?["remaining"] as? Int)
    #expect((-600...30).contains(remaining))
  }

  @Test func `--prefix, --delimiter and --limit narrow the result`() throws {
    let users = try object(database + "#cache", "--prefix", "user:")
    #expect(users["entries"] as? Int == 3 && users["prefix"] as? String == "user:")
    #expect(
      try objects(users, "prefixes").map { $0["prefix"] as? String } == ["user:2:", "user:1:"])
    let first = try object(database + "#cache", "--limit", "1")
    #expect(try objects(first, "prefixes").map { $0["others"] as? Int } == [nil, 3])
    #expect(try objects(first, "prefixes")[1]["entries"] as? Int == 5)
    #expect(try objects(first, "largest").count == 1)
    let other = try object(database + "#cache", "--delimiter", "m")
    #expect(
      try objects(other, "prefixes").compactMap { $0["prefix"] as? String }.contains("im"))
  }

  @Test func `a store without prefixes or expiry has neither`() throws {
    let object = try object(database + "#numbers")
    #expect(object["expiry"] == nil && object["next"] == nil && object["delimiter"] == nil)
    let prefixes = try objects(object, "prefixes")
    #expect(prefixes.count == 1 && prefixes[0]["prefix"] is NSNull)
    #expect(prefixes[0]["share"] as? Double == 1)
    let text = try Shell.larder("stats", database + "#numbers")
    #expect(text.code == 0)
    #expect(!text.text.contains("EXPIRES") && !text.text.contains("PREFIX"))
  }

  @Test func `a missing store or collection has its exit code`() throws {
    #expect(try object(database + "#empty")["entries"] as? Int == 0)
    #expect(try Shell.larder("stats", database + "#empty").code == 0)
    #expect(try Shell.larder("stats", database + "#cache", "--prefix", "no").code == 1)
    #expect(try Shell.larder("stats", database).code == 3, "it has several tables")
    #expect(try Shell.larder("stats", database + "#none").code != 0)
    #expect(try Shell.larder("stats", scratch.file("none.db")).code == 3)
    #expect(try Shell.larder("stats").code == 2)
    #expect(try Shell.larder("stats", database + "#cache", "more").code == 2)
    #expect(try Shell.larder("stats", database + "#cache", "--limit", "-1").code == 2)
  }

  @Test func `the text fits into 80 columns, and keys are escaped`() throws {
    let long = try scratch.database(
      "long.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv SELECT printf('%.*c:', 300 + value, 'x') || char(27, 10, 8238) || value, 1
        FROM generate_series(1, 9);
      INSERT INTO kv VALUES ('日本語の長いキーです日本語の長いキーです日本語の長いキーです:1', 1);
      """)
    for location in [database + "#cache", long] {
      let outcome = try Shell.larder("stats", location)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(!outcome.output.contains(0x1B))
      #expect(!outcome.text.unicodeScalars.contains("\u{202E}"))
      for line in outcome.lines.dropFirst() { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func `entries of a folder expire by --ttl`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/a", "one".utf8)
    let object = try object(folder, "--ttl", "1h")
    #expect((object["expiry"] as? [String: Int])?["hour"] == 1)
  }

  @Test(arguments: ["--json", "--quiet"])
  func `Ctrl-C prints partial results and ends as interrupted`(option: String) throws {
    let large = try scratch.database(
      "large.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 799999)
      INSERT INTO kv SELECT printf('key:%06d', x), x FROM n;
      """)
    let script = """
      import signal, subprocess, sys
      larder = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
          stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      def listens():
          with open('/proc/%d/status' % larder.pid) as status:
              caught = [line.split()[1] for line in status if line.startswith('SigCgt')]
          return int(caught[0], 16) & 1 << (signal.SIGINT - 1)
      while larder.poll() is None and not listens(): pass
      larder.send_signal(signal.SIGINT)
      output, errors = larder.communicate(timeout=60)
      print(larder.returncode)
      print(output.decode(), end='')
      print(errors.decode(), file=sys.stderr, end='')
      """
    let outcome = try Shell.run(
      "python3", ["-c", script, Shell.larder, "stats", large, option])
    #expect(outcome.lines.first == "130", "\(outcome.errors)")
    #expect(outcome.lines.count >= 2 && outcome.errors.contains("larder: "))
    if option == "--json" { #expect(outcome.text.contains("\"whole\":false")) }
  }
}
