import Foundation
import Testing

@Suite struct ListTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('session:1', 'one'), ('session:2', x'00ff'), ('Double.pi', 3.5),
        ('größe', 'ä'), ('line' || char(10) || 'feed', 5), ('42', null);
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO people VALUES (1, 'ada'), (2, 'bob'), (10, 'cleo');
      """)
  }

  private func pets() throws -> String {
    try scratch.database(
      "pets.db",
      """
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name, kind);
      INSERT INTO pets VALUES (1, 'ada', 'cat'), (2, 'bob', 'dog'), (10, 'cleo', 'cat');
      """)
  }

  @Test func `ls prints one key a line in the order of the table`() throws {
    let outcome = try Shell.larder("ls", "\(database)#people")
    #expect(outcome.lines == ["1", "2", "10"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `ls quotes keys that are not what they look like`() throws {
    let lines = try Shell.larder("ls", "\(database)#kv").lines
    #expect(
      lines == ["\"42\"", "Double.pi", "größe", "\"line\\nfeed\"", "session:1", "session:2"])
  }

  @Test func `every printed key gets its entry`() throws {
    for key in try Shell.larder("ls", "\(database)#kv").lines {
      #expect(try Shell.larder("get", "\(database)#kv", key).code == 0, "\(key)")
    }
  }

  @Test(
    arguments: [
      ("name=bob", ["2"]), ("id>1 !name:bob", ["10"]), ("/ada", ["1"]), ("1", ["1", "10"]),
    ] as [(String, [String])])
  func `ls lists what a filter of the browser matches`(_ filter: String, keys: [String]) throws {
    let pets = try self.pets()
    #expect(try Shell.larder("ls", pets, "--filter", filter).lines == keys)
    let long = try Shell.larder("ls", pets, "--filter", filter, "--long", "--sort", "key")
    #expect(long.lines.count == keys.count)
  }

  @Test(arguments: ["naem=bob", "id>", "", "nmae:bob"])
  func `A filter that means nothing here is refused`(_ filter: String) throws {
    #expect(try Shell.larder("ls", pets(), "--filter", filter).code == 2)
  }

  @Test func `ls ends keys with NUL when asked`() throws {
    let outcome = try Shell.larder("ls", "\(database)#people", "-0")
    #expect(outcome.output == Array("1\u{0}2\u{0}10\u{0}".utf8))
  }

  @Test(arguments: [
    (["--prefix", "session:"], ["session:1", "session:2"]),
    (["--match", "SESS"], []), (["--match", "sess"], ["session:1", "session:2"]),
    (["--regex", "^s.*2$"], ["session:2"]), (["--limit", "1"], ["\"42\""]),
    (["--match", "one", "--in-values"], ["session:1"]),
  ])
  func `ls narrows the list`(options: [String], keys: [String]) throws {
    let outcome = try Shell.run(Shell.larder, ["ls", "\(database)#kv"] + options)
    #expect(outcome.lines == keys)
    #expect(outcome.code == (keys.isEmpty ? 1 : 0))
  }

  @Test func `ls prints JSON Lines with the fields of the contract`() throws {
    for line in try Shell.larder("ls", "\(database)#kv", "--json").lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let fields = try #require(object)
      #expect(fields["key"] is String)
      #expect(fields["type"] is String)
      #expect(fields["size"] is Int)
      #expect(fields["collection"] as? String == "kv")
      #expect((fields["fingerprint"] as? String)?.count == 32)
    }
  }

  @Test func `ls prints keys of bytes as base64 in JSON`() throws {
    let database = try scratch.database(
      "bytes.db", "CREATE TABLE b (k BLOB PRIMARY KEY, v); INSERT INTO b VALUES (x'ff00', 1);")
    let line = try Shell.larder("ls", "\(database)#b", "--json").text
    #expect(line.hasPrefix(#"{"key":{"base64":"/wA="},"type":"integer","size":8"#))
  }

  @Test func `Bytes and text of the same bytes are two keys in JSON, as in an export`() throws {
    let database = try scratch.database(
      "both.db",
      "CREATE TABLE b (k PRIMARY KEY, v); INSERT INTO b VALUES (x'ff41', 1), (CAST(x'ff41' AS TEXT), 2);"
    )
    func keys(_ lines: [String]) -> [String] {
      lines.map { $0.components(separatedBy: ",\"type\"")[0] }
    }
    let listed = try Shell.larder("ls", database, "--json").lines
    #expect(
      keys(listed) == [#"{"key":{"text":{"base64":"/0E="}}"#, #"{"key":{"base64":"/0E="}"#])
    #expect(try keys(Shell.larder("export", database).lines) == keys(listed))
  }

  @Test func `What get prints as JSON is taken by import`() throws {
    let database = try scratch.database(
      "odd.db",
      "CREATE TABLE b (k PRIMARY KEY, v); INSERT INTO b VALUES (CAST(x'ff41' AS TEXT), CAST(x'fe' AS TEXT));"
    )
    let line = try Shell.larder("get", database, "t'ff41'", "--json").text
    _ = try scratch.query(database, "DELETE FROM b")
    let outcome = try Shell.larder("import", database, input: line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try scratch.query(database, "SELECT typeof(k), hex(k), typeof(v), hex(v) FROM b") == [
        "text|FF41|text|FE"
      ])
  }

  @Test func `A closed standard output is an error, and a closed standard input no value`() throws {
    let script = "'\(Shell.larder)' ls '\(database)#kv' >&-; echo $?"
    let outcome = try Shell.run("bash", ["-c", script])
    #expect(outcome.lines == ["3"])
    #expect(outcome.errors == "larder: cannot write to standard output: it is closed\n")
    let put = "'\(Shell.larder)' put '\(database)#kv' new --stdin <&-; echo $?"
    #expect(try Shell.run("bash", ["-c", put]).lines == ["2"])
    #expect(try scratch.query(database, "SELECT count(*) FROM kv WHERE k = 'new'") == ["0"])
  }

  @Test func `ls sorts by size, largest first`() throws {
    let lines = try Shell.larder("ls", "\(database)#kv", "--sort", "size", "--limit", "2").lines
    #expect(Set(lines) == ["Double.pi", "\"line\\nfeed\""])
  }

  @Test func `ls of a folder knows when files were written and when they expire`() throws {
    let folder = try Scratch()
    _ = try folder.file("old.txt", "old".utf8)
    _ = try folder.file("new.txt", "new".utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: folder.file("old.txt"))
    let expired = try Shell.larder("ls", folder.path, "--ttl", "10m", "--expired")
    #expect(expired.lines == ["old.txt"])
    let expiring = try Shell.larder("ls", folder.path, "--ttl", "10m", "--expiring", "15m")
    #expect(expiring.lines == ["new.txt"])
    let sorted = try Shell.larder("ls", folder.path, "--sort", "modified")
    #expect(sorted.lines == ["new.txt", "old.txt"])
  }

  @Test func `a collection that is spelled wrong is answered with the one that was meant`() throws {
    let table = try Shell.larder("ls", "\(database)#poeple")
    #expect(table.code == 3)
    #expect(
      table.errors.hasSuffix("it has kv, people. Did you mean people?\n"), "\(table.errors)")
    _ = try Shell.larder("demo", scratch.path)
    let realm = try Shell.larder("ls", scratch.file("items.realm") + "#Itm")
    #expect(realm.errors.hasSuffix(". Did you mean Item?\n"), "\(realm.errors)")
    let other = try Shell.larder("ls", "\(database)#nothing-like-it")
    #expect(other.errors.hasSuffix("it has kv, people\n"), "\(other.errors)")
  }

  @Test func `ls of an empty table prints nothing and is fine`() throws {
    let empty = try scratch.database("empty.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v);")
    let outcome = try Shell.larder("ls", empty)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
  }

  @Test func `a reader that goes away ends ls quietly`() throws {
    let many = try scratch.database(
      "many.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO t SELECT i, 'v' FROM n;
      """)
    let script = "'\(Shell.larder)' ls '\(many)' | head -n 2; echo ${PIPESTATUS[0]}"
    let outcome = try Shell.run("bash", ["-c", script])
    #expect(outcome.lines == ["1", "2", "0"])
    #expect(outcome.errors.isEmpty)
  }

  @Test func `The columns of long lines stand below each other, whatever they hold`() throws {
    let folder = scratch.file("dated")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, size, second) in [("a", 1, "00"), ("b", 12_345, "00.123456789"), ("c", 0, "00.5")] {
      let file = try scratch.file("dated/\(name)", [UInt8](repeating: 65, count: size))
      #expect(
        try Shell.run("touch", ["-d", "2026-01-02 03:04:\(second) UTC", file]).code == 0)
    }
    for more in [[], ["--sort", "size"]] {
      let lines = try Shell.run(Shell.larder, ["ls", folder, "--long"] + more).lines
      #expect(Set(lines.map(\.count)).count == 1 && lines.count == 3, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("-      1  2026-01-02T03:04:00Z ") }, "\(lines)")
    }
  }

  @Test func `At a terminal, the columns of a long list have headings`() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.json", #"{"n": 12345}"#.utf8)
    let script = "script -qec \"'\(Shell.larder)' ls '\(path)' --long --no-pager\" /dev/null"
    let words = try Shell.run("bash", ["-c", script]).text.split { $0.isWhitespace }
    #expect(words == ["TYPE", "SIZE", "MODIFIED", "KEY", "integer", "8", "-", "n"])
    #expect(try Shell.larder("ls", path, "--long").lines == ["integer  8  -  n"])
  }

  @Test func `Links and special files are called what they are`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/file", "x".utf8)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "file")
    let script = """
      import os, socket, sys
      os.chdir(sys.argv[1]); os.mkfifo('pipe')
      socket.socket(socket.AF_UNIX).bind('sock')
      """
    #expect(try Shell.run("python3", ["-c", script, folder]).code == 0)
    let long = try Shell.larder("ls", folder, "--long").lines
    let types = long.map { line in
      let words = line.split(separator: " ")
      return "\(words.first ?? "") \(words.last ?? "")"
    }
    #expect(types == ["- file", "link link", "fifo pipe", "socket sock"])
    let json = try Shell.larder("ls", folder, "--json").lines
    #expect(json.map { $0.contains(#""type":"data""#) } == [false, false, false, false])
    #expect(json[1].contains(#""type":"link""#))
  }
}
