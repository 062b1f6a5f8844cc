import Foundation
import RedisBench
import Testing

/// Copying entries from one store to another on the command line.
@Suite struct CopyTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('b', 2), ('p.x', 'ex'), ('p.y', 'why');
      """)
  }

  @Test func `a copy keeps types between kinds and is one change`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    let outcome = try Shell.larder("cp", database, file)
    #expect(outcome.errors == "larder: copied 4 entries to \(file)\n")
    #expect(try Shell.larder("diff", database, file).code == 0)
    #expect(try Shell.larder("cp", database, file).errors.contains("4 were already there"))
    #expect(try Shell.larder("undo", file).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }

  @Test func `plain values become rows of a table with one column for them`() throws {
    let file = try scratch.file("a.json", Array(#"{"a": "one", "b": "two"}"#.utf8))
    let rows = try scratch.database(
      "rows.db", "CREATE TABLE ex (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER)")
    #expect(try Shell.larder("cp", file, rows).code == 0)
    let line = #"{"key":"c","type":"text","value":"three"}"# + "\n"
    #expect(try Shell.larder("import", rows, input: line).code == 0)
    #expect(
      try ["a", "b", "c"].map { try Shell.larder("get", rows, $0).text }
        == ["one", "two", "three"])
    #expect(try Shell.larder("ls", rows, "--expired").lines == [])
  }

  @Test func `an expiry that a table does not take is reported, even if it has a column`() throws {
    let server = try RedisServer()
    for key in ["a", "b"] { try server.run(["SET", key, "v", "EX", "1000"]) }
    // No value shows the unit of the column.
    let table = try scratch.database(
      "empty.db", "CREATE TABLE e (key TEXT PRIMARY KEY, value TEXT, expires INTEGER)")
    let outcome = try Shell.larder(
      "cp", "redis://127.0.0.1:\(server.port)/0", table, environment: ["LARDER_PATIENCE": "600"])
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("the expiry of 2 entries"), "\(outcome.errors)")
    #expect(try scratch.query(table, "SELECT count(value), count(expires) FROM e") == ["2|0"])
  }

  @Test func `an existing entry with another value stays without --replace`() throws {
    let file = try scratch.file("a.json", Array(#"{"b": 3}"#.utf8))
    let refused = try Shell.larder("cp", database, file)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("--replace replaces it"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
    let dry = try Shell.larder("cp", database, file, "--replace", "--dry-run")
    #expect(dry.lines == ["a", "b", "p.x", "p.y"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
    #expect(try Shell.larder("cp", database, file, "--replace").code == 0)
    #expect(try Shell.larder("get", file, "b").text == "2\n")
    _ = try Shell.larder("undo", file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
  }

  @Test func `a value the target cannot hold is refused and nothing is copied`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let refused = try Shell.larder("cp", database, folder)
    #expect(refused.code != 0)
    #expect(refused.errors.contains("text or data, but not integer"))
    #expect(refused.errors.contains("nothing was written"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try Shell.larder("cp", database, folder, "--prefix", "p.").code == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["p.x", "p.y"])
  }

  @Test(arguments: [
    // A folder stores no numbers, JSON no data, and a numeric column no text.
    ("INSERT INTO kv VALUES ('n', 5);", "folder"),
    ("INSERT INTO kv VALUES ('n', x'ff00');", "json"),
    ("INSERT INTO kv VALUES ('n', '7');", "table"), ("INSERT INTO kv VALUES ('n', 9);", "parent"),
    ("INSERT INTO kv VALUES ('n', 'a'||char(0));", "folder"),
    ("INSERT INTO kv VALUES ('n', -1);", "check"),
  ])
  func `a dry run refuses what the copy refuses, and writes nothing`(
    row: String, target: String
  ) throws {
    let source = try scratch.database(
      "source.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v); " + row)
    let json = try scratch.file("t.json", Array("{}".utf8))
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let tables = try scratch.database(
      "tables.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE "table" (k TEXT PRIMARY KEY, v INTEGER);
      CREATE TABLE "parent" (k TEXT PRIMARY KEY, v REFERENCES p(id));
      CREATE TABLE "check" (k TEXT PRIMARY KEY, v CHECK (v > 0));
      """)
    let place = ["folder": folder, "json": json][target] ?? "\(tables)#\(target)"
    let dry = try Shell.larder("cp", source, place, "--dry-run")
    let copy = try Shell.larder("cp", source, place)
    #expect(copy.code >= 3)
    #expect(dry.code == copy.code, "\(dry.errors) \(copy.errors)")
    #expect(dry.lines == [])
    #expect(try Shell.larder("log", place).code == 1)
    #expect(try String(contentsOfFile: json, encoding: .utf8) == "{}")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try Shell.larder("ls", place).lines == [])
  }

  @Test(arguments: [
    // A path cannot be both a file and a folder, whether new or existing.
    (#"{"a": "x", "a/b": "y"}"#, []), (#"{"a/b/c": "x", "a/b": "y"}"#, []),
    (#"{"old/b": "x"}"#, ["old"]), (#"{"dir": "x"}"#, ["dir/f"]),
  ])
  func `a dry run into a folder refuses conflicting paths`(
    source: String, files: [String]
  ) throws {
    let json = try scratch.file("source.json", Array(source.utf8))
    let folder = scratch.file("files")
    for file in files + ["x"] {
      let path = URL(filePath: "\(folder)/\(file)")
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("1".utf8).write(to: path)
    }
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    let dry = try Shell.larder("cp", json, folder, "--dry-run")
    let copy = try Shell.larder("cp", json, folder)
    #expect(copy.code >= 3 && dry.code == copy.code, "\(dry.errors) \(copy.errors)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
    #expect(try Shell.larder("log", folder).code == 1)
  }

  @Test func `links and special files are named and left out of a copy`() throws {
    let source = scratch.file("source")
    let target = scratch.file("target")
    for folder in [source, target] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    _ = try scratch.file("source/a", Array("1".utf8))
    #expect(symlink("a", "\(source)/link") == 0 && mkfifo("\(source)/pipe", 0o600) == 0)
    let dry = try Shell.larder("cp", source, target, "--dry-run")
    #expect(dry.code == 3 && dry.lines == ["a"], "\(dry.errors)")
    let copy = try Shell.larder("cp", source, target, "--json")
    #expect(copy.code == 3 && copy.lines.count == 1, "\(copy.errors)")
    #expect(copy.text.contains(#""remarks":["#))
    for outcome in [dry, copy] { #expect(outcome.errors.contains("link, pipe")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["a"])
    #expect(try Shell.larder("cp", source, target, "--prefix", "p").code == 3)
  }

  @Test func `a dry run changes no byte and predicts the copy`()
    throws
  {
    let target = try scratch.database(
      "target.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v); CREATE TABLE log (k);
      CREATE TRIGGER t AFTER INSERT ON kv BEGIN INSERT INTO log VALUES (new.k); END;
      """)
    let before = try Data(contentsOf: URL(filePath: target))
    let dry = try Shell.larder("cp", database, "\(target)#kv", "--dry-run")
    #expect(dry.code == 0 && dry.lines == ["a", "b", "p.x", "p.y"], "\(dry.errors)")
    #expect(dry.errors.contains("4 rows in “log”"))
    #expect(try Data(contentsOf: URL(filePath: target)) == before)
    #expect(try Shell.larder("cp", database, "\(target)#kv").code == 0)
    #expect(try Shell.larder("ls", "\(target)#kv").lines == dry.lines)
  }

  @Test func `data that is text becomes text in JSON, and the same bytes in a folder`() throws {
    let source = try scratch.database(
      "blobs.db",
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v BLOB); "
        + "INSERT INTO kv VALUES ('a', CAST('héllo' AS BLOB)), ('b', x'');")
    let json = try scratch.file("t.json", Array("{}".utf8))
    let outcome = try Shell.larder("cp", source, json, "--json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.last?.contains(#""remarks""#) == true, "it is said")
    let lines = try Shell.larder("export", source).output
    let other = try scratch.file("u.json", Array("{}".utf8))
    let imported = try Shell.larder("import", other, try scratch.file("l.jsonl", lines), "--json")
    #expect(imported.code == 0 && imported.text.contains(#""remarks""#), "\(imported.errors)")
    for file in [json, other] {
      #expect(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
          as? [String: String] == ["a": "héllo", "b": ""])
    }
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try Shell.larder("cp", source, folder).code == 0)
    #expect(try Data(contentsOf: URL(filePath: folder + "/a")) == Data("héllo".utf8))
    for target in [json, folder] {
      #expect(try Shell.larder("diff", source, target).code == 0, "\(target)")
      #expect(try Shell.larder("cp", source, target).code == 0, "all of it is there already")
    }
  }

  @Test(arguments: [true, false])
  func `numeric keys stay numbers and text keys stay text`(fromNumbers: Bool) throws {
    let tables = ["INTEGER", "TEXT"].map { type in
      "CREATE TABLE t(key \(type) PRIMARY KEY, value TEXT); "
    }
    let row = "INSERT INTO t VALUES(42, 'x');"
    let source = try scratch.database("source.db", tables[fromNumbers ? 0 : 1] + row)
    let target = try scratch.database("target.db", tables[fromNumbers ? 1 : 0])
    let lines = try scratch.file("lines.jsonl", try Shell.larder("export", source).output)
    let calls = [
      ["cp", source, target], ["import", target, lines],
      ["import", target, lines, "--no-journal"], ["cp", source, target, "--no-journal"],
    ]
    for call in calls {
      let outcome = try Shell.run(Shell.larder, call)
      #expect(outcome.code >= 3, "\(call)")
      #expect(outcome.errors.contains("the column key of t is declared"), "\(outcome.errors)")
      #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
      #expect(try scratch.query(target, "SELECT * FROM t") == [])
      #expect(try Shell.larder("log", target).code == 1)
    }
  }

  @Test func `different spellings of a number are the same real in a database`() throws {
    let json = try scratch.file("n.json", Array(#"{"a": 2.50, "b": 1e2, "c": -0.0}"#.utf8))
    let target = try scratch.database("reals.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v);")
    #expect(try Shell.larder("cp", json, target).code == 0)
    #expect(
      try scratch.query(target, "SELECT k, typeof(v), v FROM kv")
        == ["a|real|2.5", "b|real|100.0", "c|real|0.0"])
    let lost = try scratch.file("n.json", Array(#"{"d": 0.10000000000000000001}"#.utf8))
    #expect(try Shell.larder("cp", lost, target).errors.contains("numbers in a database have 64"))
    #expect(try scratch.query(target, "SELECT count(*) FROM kv") == ["3"])
  }

  @Test func `entries with ambiguous keys are not copied`() throws {
    let sql = "CREATE TABLE t (a TEXT, b TEXT, v, PRIMARY KEY(a, b)); "
    let twice = try scratch.database(
      "twice.db", sql + "INSERT INTO t VALUES ('x', NULL, 1), ('x', NULL, 2), ('y', 'z', 3);")
    let target = try scratch.database("none.db", sql)
    let refused = try Shell.larder("cp", twice, target)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("have the key (x,null)"), "\(refused.errors)")
    #expect(try scratch.query(target, "SELECT count(*) FROM t") == ["0"])
  }

  @Test(arguments: [#"["b"]"#, #"["c", "a"]"#, #"["b", "a"]"#])
  func `a set can be replaced by a subset in any order`(list: String) throws {
    let text =
      "<?xml version='1.0' encoding='utf-8'?>\n<map>\n    <set name=\"s\">\n        "
      + "<string>a</string>\n        <string>b</string>\n        <string>c</string>\n    </set>\n"
      + "</map>\n"
    let file = try scratch.file("fewer.xml", Array(text.utf8))
    let json = try scratch.file("fewer.json", Array("{\"s\": \(list)}".utf8))
    #expect(try Shell.larder("cp", json, file, "--replace").code == 0)
    #expect(try Shell.larder("diff", json, file).code == 0)
  }

  @Test func `a set with a duplicate string is refused`() throws {
    let text =
      "<?xml version='1.0' encoding='utf-8'?>\n<map>\n    <set name=\"s\">\n        "
      + "<string>x</string>\n    </set>\n</map>\n"
    let preferences = try scratch.file("a.xml", Array(text.utf8))
    let json = try scratch.file("twice.json", Array(#"{"k": ["a", "a"]}"#.utf8))
    let calls = [
      ["cp", json, preferences], ["put", preferences, "s", #"["x", "x"]"#],
      ["put", preferences, "s", #"["a", "b", "a"]"#],
      ["put", preferences, "new", #"["a", "a"]"#, "--type", "array"],
    ]
    for call in calls {
      let outcome = try Shell.run(Shell.larder, call)
      #expect(outcome.code >= 3, "\(call)")
      #expect(outcome.errors.contains("stores each string once"), "\(call): \(outcome.errors)")
      #expect(try String(contentsOfFile: preferences, encoding: .utf8) == text)
    }
    #expect(try Shell.larder("put", preferences, "s", #"["x", "y"]"#).code == 0)
  }

  @Test func `a set accepts no URL or UUID equal to one of its strings`() throws {
    let text = "<?xml version='1.0' encoding='utf-8'?>\n<map>\n</map>\n"
    let preferences = try scratch.file("a.xml", Array(text.utf8))
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    for list in [#"["a:b", {"url": "a:b"}]"#, "[{\"uuid\": \"\(id)\"}, \"\(id)\"]"] {
      let line = "{\"key\":\"s\",\"type\":\"array\",\"value\":\(list),\"form\":\"set\"}\n"
      let outcome = try Shell.larder("import", preferences, input: line)
      #expect(outcome.errors.contains("stores each string once"), "\(list): \(outcome.errors)")
      #expect(try String(contentsOfFile: preferences, encoding: .utf8) == text)
    }
  }

  @Test func `a store with names refuses numeric keys and writes nothing`() throws {
    let rows = try scratch.database(
      "rows.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (7, 'x');")
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let preferences = try scratch.file("a.xml", Array("<map>\n</map>\n".utf8))
    let list = try scratch.file("a.plist", Array("<plist><dict></dict></plist>".utf8))
    for (target, reason) in [
      (folder, "the key 7 is not a path"), (preferences, "have names, not the index 7"),
      (list, "have names, not the index 7"),
    ] {
      let refused = try Shell.larder("cp", rows, target)
      #expect(refused.code == 5)
      #expect(refused.errors.contains(reason), "\(refused.errors)")
      #expect(
        refused.errors.components(separatedBy: "nothing was written").count == 2,
        "\(refused.errors)")
    }
  }

  @Test func `import stores a lone surrogate in a property list with a warning`() throws {
    let make =
      "import plistlib; plistlib.dump({'a': 'x'}, open('a.plist', 'wb'), fmt=plistlib.FMT_BINARY)"
    #expect(try Shell.run("python3", ["-c", make], folder: scratch.path).code == 0)
    let line = #"{"key":"k","type":"text","value":{"text":{"base64":"eO2ggA=="}}}"# + "\n"
    let outcome = try Shell.larder("import", scratch.file("a.plist"), input: line)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("k contains invalid text"), "\(outcome.errors)")
    let again = try Shell.larder("export", scratch.file("a.plist"))
    #expect(again.text.contains(line))
  }

  @Test(arguments: ["FMT_BINARY", "FMT_XML"])
  func `a lone surrogate is not copied into a property list`(form: String) throws {
    let json = try scratch.file("odd.json", Array(#"{"k": ["a", {"b": "x\ud800"}]}"#.utf8))
    let make =
      "import plistlib, sys; "
      + "plistlib.dump({'a': 'x'}, open('a.plist', 'wb'), fmt=getattr(plistlib, sys.argv[1]))"
    #expect(try Shell.run("python3", ["-c", make, form], folder: scratch.path).code == 0)
    let outcome = try Shell.larder("cp", json, scratch.file("a.plist"))
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("invalid text"), "\(outcome.errors)")
    let read = "import plistlib; print(plistlib.load(open('a.plist', 'rb')))"
    #expect(
      try Shell.run("python3", ["-c", read], folder: scratch.path).lines == ["{'a': 'x'}"])
  }

  @Test func `a column that would convert the value is refused`() throws {
    let other = try scratch.database("other.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT);")
    let refused = try Shell.larder("cp", database, other)
    #expect(refused.code != 0)
    #expect(
      refused.errors.contains("nothing was written") || refused.errors.contains("rolled back"))
    #expect(try scratch.query(other, "SELECT count(*) FROM kv") == ["0"])
  }

  @Test func `a refused copy records no change`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "protected".write(toFile: folder + "/a", atomically: true, encoding: .utf8)
    #expect(try Shell.larder("put", folder, "note", "hello").code == 0)
    #expect(try Shell.larder("cp", database, folder, "--replace").code == 3)
    #expect(try String(contentsOfFile: folder + "/a", encoding: .utf8) == "protected")
    #expect(try Shell.larder("log", folder).lines.count == 1)
    #expect(try Shell.larder("redo", folder).code == 1)
    #expect(try Shell.larder("undo", folder).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
    #expect(try String(contentsOfFile: folder + "/a", encoding: .utf8) == "protected")
  }

  @Test func `text that is not UTF-8 is not copied to files`() throws {
    let malformed = try scratch.database(
      "malformed.db",
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v);"
        + "INSERT INTO kv VALUES ('a', cast(x'61ff' AS TEXT)), ('b', 3);")
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try Shell.larder("cp", malformed, folder).code != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `a failed copy restores the bytes of the document`() throws {
    let rows = try scratch.database(
      "rows.db",
      "CREATE TABLE t (id TEXT PRIMARY KEY, x, y); INSERT INTO t VALUES ('a', 1, 2);")
    let text =
      "<plist version=\"1.0\"><dict><key>e</key><dict/>"
      + "<key>a</key><integer>0x10</integer></dict></plist>"
    let file = try scratch.file("t.plist", Array(text.utf8))
    #expect(try Shell.larder("cp", rows, file, "--replace").code == 5)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test func `import restores a type changed by another program`() throws {
    let map = { (type: String) in
      "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n"
        + "    <\(type) name=\"l\" value=\"1\" />\n</map>\n"
    }
    let file = try scratch.file("prefs.xml", Array(map("long").utf8))
    let backup = try scratch.file("backup.jsonl", Array(try Shell.larder("export", file).text.utf8))
    try map("int").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Shell.larder("import", file, backup).errors.contains("1 was already there"))
    #expect(try Shell.larder("import", file, backup, "--replace").errors.contains("imported 1"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == map("long"))
    // Other kinds lack that type, so the restored value is already there.
    let other = try scratch.file("other.json", Array(#"{"l": 1}"#.utf8))
    let same = try Shell.larder("import", other, backup, "--replace")
    #expect(same.errors.contains("1 was already there"))
  }

  @Test func `nothing is copied to a read-only or temporary store`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    #expect(try Shell.larder("cp", database, file, "--read-only").code == 5)
    #expect(try Shell.larder("cp", database, "memory:").code == 5)
    #expect(try Shell.larder("cp", database, file, "--prefix", "no such").code == 1)
    #expect(try Shell.larder("cp", database).code == 2)
  }

  @Test func `entries with bodies in files are already there in a copy of their cache`() throws {
    let body = "0A1B2C3D-0000-4000-8000-0123456789AB"
    let paths = try ["a", "b"].map { name in
      let folder = scratch.file("\(name)/fsCachedData")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("a large body".utf8).write(to: URL(filePath: "\(folder)/\(body)"))
      return try scratch.database(
        "\(name)/Cache.db",
        """
        CREATE TABLE cfurl_cache_response(entry_ID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE,
          version INTEGER, hash_value INTEGER, storage_policy INTEGER, request_key TEXT UNIQUE,
          time_stamp NOT NULL DEFAULT CURRENT_TIMESTAMP, partition TEXT);
        CREATE TABLE cfurl_cache_blob_data(entry_ID INTEGER PRIMARY KEY, response_object BLOB,
          request_object BLOB, proto_props BLOB, user_info BLOB);
        CREATE TABLE cfurl_cache_receiver_data(entry_ID INTEGER PRIMARY KEY, isDataOnFS INTEGER,
          receiver_data BLOB);
        INSERT INTO cfurl_cache_response VALUES(9, 0, 12, 1, 'https://x/', '2022-01-12', NULL);
        INSERT INTO cfurl_cache_blob_data VALUES(9, x'03', x'04', NULL, NULL);
        INSERT INTO cfurl_cache_receiver_data VALUES(9, 1, '\(body)');
        """) + "#cfurl_cache_response"
    }
    let export = try Shell.larder("export", paths[0]).text
    for arguments in [
      ["cp", paths[0], paths[1]], ["cp", paths[0], paths[1], "--dry-run"], ["import", paths[1]],
      ["import", paths[1], "--dry-run"],
    ] {
      let outcome = try Shell.larder(and: arguments, input: export)
      #expect(outcome.code == 0 && outcome.errors.contains(" 0 entries"), "\(outcome.errors)")
    }
    let file = scratch.file("b/fsCachedData/\(body)")
    try Data("another body".utf8).write(to: URL(filePath: file))
    #expect(try Shell.larder("cp", paths[0], paths[1]).code == 4)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "another body")
  }
}
