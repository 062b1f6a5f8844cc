import Foundation
import Testing

/// Diagnosing stores, settings, the journal and the terminal.
@Suite struct DoctorTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Runs larder with settings and a journal of its own.
  private func doctor(_ words: String..., settings: String? = nil) throws -> Outcome {
    if let settings {
      try FileManager.default.createDirectory(
        atPath: scratch.file("config/larder"), withIntermediateDirectories: true)
      _ = try scratch.file("config/larder/config.json", Array(settings.utf8))
    }
    return try Shell.run(
      Shell.larder, ["doctor"] + words,
      environment: [
        "XDG_STATE_HOME": scratch.file("state"), "XDG_CONFIG_HOME": scratch.file("config"),
        "TMPDIR": scratch.path,
      ])
  }

  /// Returns the states reported for each subject, and whether advice is given.
  private func states(_ outcome: Outcome) throws -> [String: [(state: String, isAdvised: Bool)]] {
    var states: [String: [(state: String, isAdvised: Bool)]] = [:]
    for line in outcome.lines {
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
      let state = try #require(object["state"])
      states[object["subject"] ?? "", default: []].append((state, object["advice"] != nil))
    }
    return states
  }

  @Test func `an intact store has no findings`() throws {
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 1);")
    let outcome = try doctor(database)
    #expect(outcome.code == 0)
    #expect(outcome.text.contains("no damage found, and all foreign keys are valid"))
    #expect(outcome.text.contains("\(database)#kv\n  fine     1 entry can be listed"))
    #expect(outcome.text.contains("no problems"))
    #expect(!outcome.text.contains("terminal"))
  }

  @Test func `no deletion is advised by a doubtful expiry column`() throws {
    for table in ["creditcards", "cache"] {
      let database = try scratch.database(
        "it's \(table).db",
        """
        CREATE TABLE \(table) (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
        INSERT INTO \(table) VALUES (1, 'x', 1500000123), (2, 'y', 1590000123);
        """)
      let text = try doctor(database).text
      #expect(text.contains("2 entries can be listed, 2 of them expired"))
      #expect(text.contains("may be a business date") == (table != "cache"))
      #expect(text.contains("--expired --expires-column expires") == (table != "cache"))
      let quoted = "\(database)#\(table)".replacing("'", with: #"'\''"#)
      let advice = "larder rm '\(quoted)' --expired deletes"
      #expect(text.contains(advice) == (table == "cache"), "\(text)")
    }
  }

  @Test func `a damaged database is found by SQLite's own check`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO kv SELECT printf('key%05d', i), i FROM n;
      """)
    let file = try FileHandle(forWritingTo: URL(filePath: database))
    try file.seek(toOffset: 5 * 4_096)
    try file.write(contentsOf: Data(repeating: 0x58, count: 64))
    try file.close()
    let outcome = try doctor(database)
    #expect(outcome.code == 3)
    #expect(outcome.text.contains("SQLite cannot check it: "))
    #expect(outcome.text.contains(".recover"))
  }

  @Test func `an unknown collation is not reported as damage`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE other (k TEXT PRIMARY KEY, v); INSERT INTO other VALUES ('a', 1);
      CREATE TABLE kv (k TEXT COLLATE rtrim PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 1);
      """)
    var bytes = try Data(contentsOf: URL(filePath: database))
    let range = try #require(bytes.range(of: Data("rtrim".utf8)))
    bytes.replaceSubrange(range, with: Data("local".utf8))
    try bytes.write(to: URL(filePath: database))
    let outcome = try doctor(database)
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(!outcome.text.contains(".recover"))
  }

  @Test func `a view that never ends is not read`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      CREATE VIEW endless AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)
        SELECT max(n) AS m FROM x;
      """)
    #expect(try doctor(database).code == 0)
  }

  @Test func `an index with missing rows does not call for recovery`() throws {
    let database = try scratch.database(
      "CREATE TABLE kv (k INTEGER PRIMARY KEY, v); CREATE INDEX i ON kv(v);")
    for sql in [
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'i'",
      "INSERT INTO kv VALUES (1, 'a')",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '')",
    ] {
      _ = try scratch.query(database, sql)
    }
    let outcome = try doctor(database)
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(!outcome.text.contains(".recover"))
  }

  @Test func `expired business dates are not a finding`() throws {
    let cards = try scratch.database(
      """
      CREATE TABLE creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
      INSERT INTO creditcards VALUES (1, 'x', 1500000123), (2, 'y', 8000000123);
      """)
    let outcome = try doctor(cards)
    #expect(outcome.code == 0)
    #expect(outcome.text.contains("may be a business date"), "\(outcome.text)")
    #expect(outcome.text.contains("--expired --expires-column expires"))
  }

  @Test func `the results of SQLite's check are reported`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', NULL);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE kv (k TEXT PRIMARY KEY, v NOT NULL)'
        WHERE name = 'kv';
      """)
    let outcome = try doctor(database)
    #expect(outcome.code == 1)
    #expect(outcome.text.contains("finding  SQLite: NULL value in kv.v"))
  }

  @Test func `rows with broken references are counted`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p(id));
      INSERT INTO c VALUES (1, 7), (2, 8);
      """)
    let outcome = try doctor(database)
    #expect(outcome.code == 1)
    #expect(outcome.text.contains("finding  c refers to 2 rows missing in p"))
  }

  @Test(
    arguments: [
      ("a.json", #"{"a": 1,"#, "line 1, column"), ("a.plist", "<plist><dict><key>a</key>", ""),
      ("a.xml", "<map><string name=", ""),
    ])
  func `a file that cannot be parsed ends with 3`(name: String, text: String, place: String) throws
  {
    let outcome = try doctor(try scratch.file(name, Array(text.utf8)))
    #expect(outcome.code == 3)
    #expect(outcome.text.contains("  failed   "))
    #expect(outcome.text.contains(place) || place.isEmpty)
    #expect(outcome.text.contains("restore a backup"))
    #expect(!outcome.text.contains("larder doctor"))
  }

  @Test func `nonstandard JSON is reported with its position`() throws {
    let text = "// settings\n{\"a\": [1, 2,], \"n\": {\"x\": NaN, \"x\": 2},\n \"a\": 3}"
    let outcome = try doctor(try scratch.file("a.json", Array(text.utf8)))
    #expect(outcome.code == 1)
    for sentence in [
      "finding  a comment, which JSON does not allow, at line 1, column 1",
      "finding  a trailing comma, which JSON does not allow, at line 2, column 12",
      "finding  a number that JSON does not allow (NaN or Infinity) at line 2, column 27",
      "the name “x” occurs 2 times, the last time at line 2, column 32; "
        + "the name “a” occurs 2 times, the last time at line 3, column 2; programs see the last",
    ] {
      #expect(outcome.text.contains(sentence), "\(sentence)")
    }
    let strict = try doctor(try scratch.file("b.json", Array(#"{"a": {"a": [1.0, null]}}"#.utf8)))
    #expect(strict.code == 0)
  }

  @Test func `elements of preferences that Android does not read are named`() throws {
    func file(_ elements: String) throws -> String {
      try scratch.file(
        "it's.xml", Array("<?xml version='1.0' encoding='utf-8'?>\n<map>\(elements)</map>\n".utf8))
    }
    let wrong = [
      #"<int name="big" value="99999999999" />"#, #"<float name="big" value="abc" />"#,
      #"<long name="big" />"#, #"<color name="big" value="1" />"#,
    ]
    for element in wrong {
      let outcome = try doctor(try file(element + #"<int name="a" value="1" />"#))
      #expect(outcome.code == 1, "\(element)")
      #expect(outcome.text.contains("finding  the element of “big” is not valid"), "\(element)")
      #expect(outcome.text.contains("Android would read nothing from the file"), "\(element)")
    }
    let twice = try doctor(try file(#"<int name="a" value="1" /><int name="a" value="2" />"#))
    #expect(twice.code == 1)
    #expect(twice.text.contains("“a” occurs more than once; Android sees the last"))
    let fine = try doctor(
      try file(
        #"<int name="a" value="1" /><boolean name="b" value="maybe" /><double name="d" value="1.5" />"#
          + #"<set name="i"><int value="1" /></set><null name="n" />"#
          + "<set name='s'><string>x</string></set>"))
    #expect(fine.code == 0, "\(fine.text)")
  }

  @Test func `orphaned files are found`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    for name in [
      "gone.db-wal", "gone.db-shm", "a.xml.bak", "org.x.harmony-lock",
    ] {
      _ = try scratch.file(name, Array("x".utf8))
    }
    #expect(try doctor(file).code == 0, "none of them is of that store")
    _ = try scratch.file(".larder-0123456789abcdef.tmp", [])
    #expect(try doctor(file).code == 1)
    let outcome = try doctor(scratch.path)
    #expect(outcome.code == 1)
    for sentence in [
      "gone.db-wal\n  finding  it belongs to the database gone.db, which does not exist",
      "gone.db-shm\n", "Android was killed while writing a.xml", "it is the lock of org.x.plist",
      "tmp\n  finding  a killed larder left it behind",
    ] {
      #expect(outcome.text.contains(sentence), "\(sentence)")
    }
  }

  @Test func `an orphaned file is reported once for all stores beside it`()
    throws
  {
    for name in ["a.json", "b.json"] { _ = try scratch.file(name, Array("{}".utf8)) }
    for name in ["cut.json", "gone.db-wal"] { _ = try scratch.file(name, Array("{".utf8)) }
    _ = try scratch.database("CREATE TABLE kv (k TEXT PRIMARY KEY, v);")
    _ = try scratch.database("other.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v);")
    let folder = try doctor(scratch.path)
    #expect(folder.text.contains("it is container"))
    #expect(folder.text.components(separatedBy: "it belongs to the database gone.db").count == 2)
    let each = try doctor(scratch.file("a.json"), scratch.file("cut.json"))
    #expect(!each.text.contains("gone.db"))
    let itself = try doctor(scratch.file("gone.db"), scratch.file("gone.db"))
    #expect(itself.text.components(separatedBy: "it belongs to the database gone.db").count == 2)
  }

  @Test func `only a hot journal of the database itself is reported`() throws {
    let table = "CREATE TABLE kv (k TEXT PRIMARY KEY, v);"
    let one = try scratch.database("one.db", table)
    _ = try scratch.database("other.db", table)
    let start: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    func journals(_ place: String) throws -> [String] {
      try states(try doctor(place, "--json")).keys.filter { $0.hasSuffix("-journal") }.sorted()
    }
    let journal = try scratch.file("other.db-journal", start + Array(repeating: 0, count: 504))
    #expect(try journals(one) == [])
    #expect(try journals(scratch.path) == [journal])
    _ = try scratch.file("other.db-journal", Array("garbage".utf8))
    #expect(try journals(scratch.path) == [])
  }

  @Test func `only unused folders made by larder are leftovers`()
    throws
  {
    #expect(mkdir(scratch.file("larder-backup"), 0o700) == 0)
    #expect(mkdir(scratch.file("larder-abc123"), 0o700) == 0)
    _ = try scratch.file("larder-abc123/mine", Array("x".utf8))
    #expect(try doctor().code == 0)
    #expect(mkdir(scratch.file("larder-edit-abc123"), 0o700) == 0)
    #expect(try doctor().code == 1)
    let held = open(scratch.file("larder-edit-abc123"), O_RDONLY | O_DIRECTORY)
    defer { close(held) }
    #expect(flock(held, LOCK_SH) == 0)
    #expect(try doctor().code == 0)
  }

  @Test func `implausible times are found`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', 'x', 8000000000), ('b', 'y', 8000000000);
      """)
    let outcome = try Shell.larder(
      "doctor", database, "--expires-column", "expires_at", "--expires-unit", "s")
    #expect(outcome.text.contains("2 entries expire before 1990 or after 2200"))
  }

  @Test func `problems of values are reported`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE cache (
        key TEXT PRIMARY KEY, value TEXT, note TEXT, owner TEXT, expires_at INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      INSERT INTO cache SELECT 'k' || i, 'x', 'y', 'z', unixepoch() + 3600 FROM n;
      INSERT INTO cache VALUES ('late', 'x', 'y', 'z', 'soon'), ('never', 'x', 'y', 'z', NULL),
        ('odd', CAST(x'61ff' AS TEXT), 'y', 'z', unixepoch() + 60);
      """)
    let outcome = try doctor(database, "--expires-column", "expires_at", "--expires-unit", "s")
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(outcome.text.contains("53 entries can be listed"))
    #expect(outcome.text.contains("1 entry holds text that is not UTF-8: odd"))
    #expect(outcome.text.contains("1 entry has an expiry in expires_at that is not a time: late"))
  }

  @Test func `files that cannot be read are named`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/small", Array("x".utf8))
    let huge = try FileHandle(
      forWritingTo: URL(filePath: try scratch.file("files/huge", [])))
    try huge.truncate(atOffset: 1 << 30)
    try huge.close()
    let outcome = try doctor(folder)
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(outcome.text.contains("2 entries can be listed"))
    #expect(outcome.text.contains("1 entry cannot be read: huge ("))
  }

  @Test func `settings are examined`() throws {
    let outcome = try doctor(settings: "{\n\"them\": 1, \"theme\": \"no such theme\"}")
    #expect(outcome.code == 1)
    #expect(outcome.text.contains("config.json, line 2, them: unknown setting"))
    #expect(outcome.text.contains("config.json, line 2, theme: "), "\(outcome.text)")
    #expect(outcome.text.contains("theme “no such theme”; larder themes lists them"))
  }

  @Test func `a journal in use by another program is busy, not damaged`() throws {
    let json = try scratch.file("s.json", "{}".utf8)
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    #expect(try Shell.larder("put", json, "a", "1", environment: state).code == 0)
    let script = """
      import sqlite3, subprocess, sys
      journal = sqlite3.connect(sys.argv[1], isolation_level=None)
      journal.execute('BEGIN EXCLUSIVE')
      sys.exit(subprocess.run(sys.argv[2:]).returncode)
      """
    let outcome = try Shell.run(
      "python3",
      ["-c", script, scratch.file("state/larder/journal.db"), Shell.larder, "doctor", "--json"],
      environment: state.merging(["TMPDIR": scratch.path, "LARDER_PATIENCE": "0"]) { $1 })
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(try states(outcome)["journal"]?.map(\.state) == ["finding"], "\(outcome.text)")
  }

  @Test func `a journal writable by other users is reported`() throws {
    let json = try scratch.file("s.json", "{}".utf8)
    _ = try Shell.larder(
      "put", json, "a", "1", environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(chmod(scratch.file("state/larder"), 0o777) == 0)
    let outcome = try doctor("--json")
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(try states(outcome)["journal"]?.map(\.state) == ["finding"], "\(outcome.text)")
  }

  @Test func `editor files left by a killed run are found`() throws {
    #expect(try doctor().code == 0)
    let left = scratch.file("larder-edit-aB3dE6")
    #expect(mkdir(left, 0o700) == 0)
    _ = try scratch.file("larder-edit-aB3dE6/k.txt", "secret".utf8)
    let outcome = try doctor("--json")
    #expect(outcome.code == 1, "\(outcome.text)")
    #expect(try states(outcome)["editor"]?.map(\.state) == ["finding"])
    #expect(outcome.text.contains(left))
    // While an editor holds the lock, the folder is in use.
    let lock = open(left, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(try doctor().code == 0)
  }

  @Test func `a journal readable by other users is reported`() throws {
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 1);")
    _ = try Shell.larder(
      "put", database, "a", "2", environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(try doctor().text.contains("1 change is recorded in"))
    chmod(scratch.file("state/larder/journal.db"), 0o644)
    let outcome = try doctor()
    #expect(outcome.code == 1)
    #expect(outcome.text.contains("chmod 600"))
    // A file that is not a database in place of the journal.
    try Data("no database at all".utf8).write(
      to: URL(filePath: scratch.file("state/larder/journal.db")))
    #expect(try doctor().code == 3)
  }

  @Test func `a journal that cannot be created is reported`() throws {
    let fresh = try doctor()
    #expect(fresh.code == 0 && fresh.text.contains("no changes are recorded yet"), "\(fresh.text)")
    try FileManager.default.createDirectory(
      atPath: scratch.file("state/larder"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("state/larder/journal.db"), withDestinationPath: "nowhere")
    let link = try doctor()
    #expect(link.code == 1 && link.text.contains("it is a link to a file"), "\(link.text)")
    try FileManager.default.removeItem(atPath: scratch.file("state"))
    _ = try scratch.file("state", "a file".utf8)
    let file = try doctor()
    #expect(file.code == 1, "\(file.text)")
    #expect(file.text.contains("finding  no change can be recorded in "), "\(file.text)")
    #expect(file.text.contains("XDG_STATE_HOME"), "\(file.text)")
  }

  @Test func `the terminal is examined where there is one`() throws {
    let tmux = try Tmux(
      "NO_COLOR= '\(Shell.larder)' doctor --no-pager; echo ended with $?", columns: 100, rows: 30)
    #expect(try tmux.wait(for: "ended with 0"))
    let screen = try tmux.screen
    #expect(screen.contains("screen-256color of 100 columns and 30 rows with 256 colors"))
    #expect(screen.contains("text is UTF-8"))
  }
}
