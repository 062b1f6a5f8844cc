import Foundation
import Testing

@Suite struct ExportImportTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let tables = """
    CREATE TABLE kv (k PRIMARY KEY, v);
    INSERT INTO kv VALUES (1, 1), ('1', 2.0), (1.5, x'00FF'), (x'31', NULL), ('é
    ', cast(x'ff61' AS TEXT)), ('big', 9223372036854775807), ('tiny', 5e-324);
    CREATE TABLE pairs (a INTEGER, b TEXT, c, g AS (a * 2), PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pairs VALUES (1, 'x', 'y'), (1, 'z', NULL);
    CREATE TABLE "odd ""name" (t TEXT, n REAL, i INTEGER DEFAULT 3);
    INSERT INTO "odd ""name" VALUES ('one', 1.0, 1), ('two', 2.5, '3x');
    CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES tree(id));
    INSERT INTO tree VALUES (1, 3), (2, 1), (3, 3);
    """

  @Test func `A dry run of an import is refused as the import is, and writes nothing`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v CHECK (v > 0)); CREATE TABLE log (k);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.k); END;
      INSERT INTO t VALUES ('a', 1);
      """)
    func file(_ name: String, _ value: Int) throws -> String {
      let lines = ["a", "b"].map { #"{"key":"\#($0)","type":"integer","value":\#(value)}"# }
      return try scratch.file(name, lines.joined(separator: "\n").utf8)
    }
    let before = try Data(contentsOf: URL(filePath: database))
    let files = [try file("same", 1), try file("other", 2), try file("bad", -1)]
    for (path, code) in zip(files, [Int32(0), 4, 4]) {
      let dry = try Shell.larder("import", "\(database)#t", path, "--dry-run")
      #expect(dry.code == code, "\(dry.errors)")
      #expect(dry.lines == (code == 0 ? ["b"] : []))
    }
    let replaced = try Shell.larder(
      "import", "\(database)#t", files[2], "--dry-run", "--replace", "--no-journal")
    #expect(replaced.code == 3 && replaced.lines == [], "\(replaced.errors)")
    let dry = try Shell.larder("import", "\(database)#t", files[0], "--dry-run", "--json")
    #expect(dry.text.contains(#""imported":1"#) && dry.text.contains(#"1 row in “log”"#))
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
    #expect(try Shell.larder("import", "\(database)#t", files[0]).code == 0)
    #expect(try scratch.query(database, "SELECT k FROM log") == ["a", "b"])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A table is the same after export and import`(options: [String]) throws {
    let old = try scratch.database("old.db", Self.tables)
    let new = try scratch.database("new.db", Self.tables)
    for (table, key) in [
      ("kv", "k"), ("pairs", "a, b"), ("odd \"name", "rowid"), ("tree", "id"),
    ] {
      let quoted = "\"" + table.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      let dump = "SELECT \(key), typeof(k.rowid), * FROM \(quoted) AS k ORDER BY \(key)"
        .replacingOccurrences(of: table == "pairs" ? "typeof(k.rowid), " : "#", with: "")
      _ = try scratch.query(new, "DELETE FROM \(quoted)")
      let lines = try Shell.larder("export", "\(old)#\(table)")
      let outcome = try Shell.run(
        Shell.larder, ["import", "\(new)#\(table)"] + options, input: lines.output)
      #expect(outcome.code == 0, "\(table): \(outcome.errors)")
      #expect(try Shell.larder("export", "\(new)#\(table)").output == lines.output)
      #expect(
        try scratch.query(new, ".mode quote\n" + dump)
          == scratch.query(old, ".mode quote\n" + dump))
    }
  }

  @Test(arguments: ["FMT_BINARY", "FMT_XML"])
  func `A property list of another program is the same after export and import`(form: String)
    throws
  {
    let make = """
      import plistlib, datetime, sys
      p = {'i': 1, 'r': 1.0, 'b': True, 'd': b'\\x00\\xff', 's': 'é', 'e': '',
           't': datetime.datetime(2020, 1, 2, 3, 4, 5), 'n': {'base64': 'AA==', 'x': [1, {}]},
           'big': 2**63 - 1, 'l': []}
      plistlib.dump(p, open(sys.argv[1], 'wb'), fmt=plistlib.\(form))
      plistlib.dump({}, open(sys.argv[2], 'wb'), fmt=plistlib.\(form))
      """
    let (old, new) = (scratch.file("old.plist"), scratch.file("new.plist"))
    #expect(try Shell.run("python3", ["-c", make, old, new]).code == 0)
    let lines = try Shell.larder("export", old)
    let outcome = try Shell.run(Shell.larder, ["import", new], input: lines.output)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let compare = """
      import plistlib, sys
      a, b = (plistlib.load(open(n, 'rb')) for n in sys.argv[1:])
      print(a == b and [type(v) for v in a.values()] == [type(b[k]) for k in a])
      """
    #expect(try Shell.run("python3", ["-c", compare, old, new]).lines == ["True"])
  }

  @Test func `Files are the same after export and import`() throws {
    for folder in ["old/sub", "new"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(folder), withIntermediateDirectories: true)
    }
    _ = try scratch.file("old/a %2F é.txt", "text\n".utf8)
    _ = try scratch.file("old/sub/data", [0, 0xFF])
    _ = try scratch.file("old/empty", [])
    let lines = try Shell.larder("export", scratch.file("old"))
    #expect(lines.lines.count == 3)
    #expect(
      try Shell.run(Shell.larder, ["import", scratch.file("new")], input: lines.output).code == 0)
    #expect(
      try Shell.run("diff", ["-r", scratch.file("old"), scratch.file("new")]).lines == [])
  }

  @Test func `An entry with another value is replaced only with --replace`() throws {
    let database = try scratch.database(
      "CREATE TABLE kv (k PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 1), ('b', 2)")
    let file = try scratch.file(
      "new.jsonl",
      "{\"key\":\"a\",\"value\":1}\n\n{\"key\":\"c\",\"value\":9}\n{\"key\":\"b\",\"value\":3}".utf8
    )
    let refused = try Shell.larder("import", database, file)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("b already exists with another value; nothing was written"))
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["a|1", "b|2"])
    let done = try Shell.larder("import", database, file, "--replace")
    #expect(done.errors.contains("imported 2 entries"))
    #expect(done.errors.contains("; 1 was"))
    #expect(try scratch.query(database, "SELECT * FROM kv ORDER BY k") == ["a|1", "b|3", "c|9"])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A line that is not an entry is named, and nothing is written`(options: [String]) throws {
    let database = try scratch.database("CREATE TABLE kv (k PRIMARY KEY, v)")
    let outcome = try Shell.run(
      Shell.larder, ["import", database] + options,
      input: Array("{\"key\":\"a\",\"value\":1}\nnonsense\n".utf8))
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("line 2 of standard input is not an entry"))
    #expect(try scratch.query(database, "SELECT count(*) FROM kv") == ["0"])
  }

  @Test func `import says what keeps it from writing`() throws {
    let database = try scratch.database("CREATE TABLE kv (k PRIMARY KEY, v)")
    #expect(try Shell.larder("import", database, scratch.file("none")).code == 2)
    #expect(try Shell.larder("import", database, "--read-only").code == 5)
    #expect(try Shell.larder("import", scratch.file("none.db"), "/dev/null").code == 3)
  }

  @Test func `A value and one inside it are not imported together`() throws {
    let file = try scratch.file("a.json", #"{"a":{"x":1,"y":2}}"#.utf8)
    let outcome = try Shell.larder(
      "import", file, "--replace",
      input: "{\"key\":[\"a\",\"x\"],\"value\":7}\n{\"key\":\"a\",\"value\":{\"y\":2}}\n")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("or they are the same; nothing was written"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"a":{"x":1,"y":2}}"#)
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `An import that stops halfway reports what was written`(options: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("files"), withIntermediateDirectories: true)
    _ = try scratch.file("files/sub", "a file".utf8)
    let lines = ["a", "b", "sub/x"].map { "{\"key\":\"\($0)\",\"value\":\"v\"}\n" }.joined()
    let outcome = try Shell.run(
      Shell.larder, ["import", scratch.file("files")] + options, input: Array(lines.utf8))
    #expect(outcome.code == 3)
    #expect(!outcome.errors.contains("nothing was written"))
    #expect(outcome.errors.contains("2 files were written before it"))
    #expect(try Shell.larder("ls", scratch.file("files")).lines == ["a", "b", "sub"])
  }

  @Test func `An Android long stays a long`() throws {
    let map = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>"
    let old = try scratch.file("old.xml", (map + "<long name=\"l\" value=\"1\" /></map>\n").utf8)
    let new = try scratch.file("new.xml", (map + "</map>\n").utf8)
    let lines = try Shell.larder("export", old)
    #expect(try Shell.larder("import", new, input: lines.text).code == 0)
    #expect(
      try String(contentsOfFile: new, encoding: .utf8).contains("<long name=\"l\" value=\"1\""))
  }
}
