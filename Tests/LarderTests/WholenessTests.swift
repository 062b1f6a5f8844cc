import Foundation
import Testing

/// Incomplete lists, copies, exports and comparisons, which say so and end with 3.
@Suite struct WholenessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  // MARK: Lists

  @Test(arguments: [[], ["--json"], ["--long"], ["--sort", "size"]])
  func `a list that omits undecidable keys is incomplete`(options: [String]) throws {
    let database = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES ('long', 'start ' || replace(hex(zeroblob(250000)), '00', 'x' || char(10)) || 'end'),
        ('short', 'start end'), ('other', 'no');
      """)
    let outcome = try Shell.larder(
      "ls", database, "--in-values", "--regex", "start(.|\n)*end", and: options)
    #expect(outcome.code == 3)
    #expect(outcome.lines.count == 1)
    #expect(outcome.text.contains("short"))
    #expect(outcome.errors.contains("long"))
    let decided = try Shell.larder("ls", database, "--in-values", "--regex", "start", and: options)
    #expect(decided.code == 0)
    #expect(decided.lines.count == 2)
  }

  @Test func `an undecidable key is named`() throws {
    let key = String(repeating: "a", count: 46) + "b"
    let file = try scratch.file("a.json", Array(#"{"\#(key)": 1, "ok": 2}"#.utf8))
    let outcome = try Shell.larder("ls", file, "--regex", "^(a|a)*$|ok")
    #expect(outcome.code == 3)
    #expect(outcome.lines == ["ok"])
    #expect(outcome.errors.contains(key))
  }

  // MARK: Names that are not valid text

  @Test func `a name with a lone surrogate is not exported, copied or compared as another`()
    throws
  {
    let origin = try scratch.file("a.json", Array(#"{"\ud800": 1, "ok": 2}"#.utf8))
    let target = try scratch.file("b.json", Array(#"{"ok": 2}"#.utf8))
    let export = try Shell.larder("export", origin)
    #expect(export.code == 3)
    #expect(export.lines == [#"{"key":"ok","type":"integer","value":2}"#])
    #expect(export.errors.contains(#"\ud800"#))
    #expect(try Shell.larder("cp", origin, target).code == 5)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == #"{"ok": 2}"#)
    #expect(try Shell.larder("cp", origin, target, "--prefix", "ok").code == 0)
    let difference = try Shell.larder("diff", origin, target)
    #expect(difference.code == 3)
    #expect(difference.lines.isEmpty)
    #expect(try Shell.larder("put", origin, #"\ud800"#, "7").code == 0)
    #expect(try String(contentsOfFile: origin, encoding: .utf8) == #"{"\ud800": 7, "ok": 2}"#)
    #expect(try Shell.larder("undo", origin).code == 0)
    #expect(try String(contentsOfFile: origin, encoding: .utf8) == #"{"\ud800": 1, "ok": 2}"#)
  }

  // MARK: Rows with one value and its expiry

  private func cache(_ end: String = "4000000000") throws -> String {
    try scratch.database(
      "cache.db",
      """
      CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER, hits INTEGER);
      INSERT INTO kv VALUES ('a', 'one', \(end), NULL), ('b', 'two', NULL, 3);
      """)
  }

  private func targets() throws -> [(location: String, value: (String) throws -> String)] {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
    let files = [
      folder, try scratch.file("t.json", Array("{}".utf8)),
      try scratch.file("t.plist", Array((head + "<plist version=\"1.0\"><dict/></plist>").utf8)),
      try scratch.file("t.xml", Array((head + "<map></map>").utf8)),
      try scratch.database("plain.db", "CREATE TABLE t (key TEXT PRIMARY KEY, value TEXT)"),
    ]
    return files.map { file in (file, { try Shell.larder("get", file, $0).text }) }
  }

  @Test func `cp and import copy the shown value and report omitted columns`() throws {
    let cache = try cache()
    let lines = try Shell.larder("export", cache).text
    for (target, value) in try targets() {
      let copy = try Shell.larder("cp", cache, target)
      #expect(copy.code == 3, "\(target): \(copy.errors)")
      #expect(copy.errors.contains("hits") && copy.errors.contains("expiry"))
      #expect(try value("a") == "one")
      #expect(try value("b") == "two")
      #expect(try Shell.larder("diff", cache, target).code == 0)
      #expect(try Shell.larder("diff", target, "-", input: lines).code == 0)
      #expect(try Shell.larder("undo", target).code == 0)
      #expect(try Shell.larder("ls", target).lines.isEmpty)
      for options in [[], ["--no-journal"]] {
        let outcome = try Shell.larder(
          "import", target, "-", "--replace", and: options, input: lines)
        #expect(outcome.code == 3, "\(target): \(outcome.errors)")
        #expect(outcome.errors.contains("hits") && outcome.errors.contains("expiry"))
        #expect(try value("b") == "two")
      }
    }
  }

  @Test func `a copy without omitted columns is complete`() throws {
    let cache = try cache("NULL")
    let file = try scratch.file("t.json", Array("{}".utf8))
    _ = try scratch.query(cache, "UPDATE kv SET hits = NULL")
    #expect(try Shell.larder("cp", cache, file).code == 0)
    #expect(try Shell.larder("get", file, "a").text == "one")
  }

  @Test func `the browser copies the value and refuses a move that would lose columns`() throws {
    let cache = try cache()
    let file = try scratch.file("t.json", Array("{}".utf8))
    func transfer(_ command: String) throws {
      _ = try Shell.larder(
        "screen", cache, file, "--no-journal", "--size", "200x14", "--keys",
        "A:\(command) \(file)<Enter>")
    }
    try transfer("move-to")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
    #expect(try scratch.query(cache, "SELECT count(*) FROM kv") == ["2"])
    try transfer("copy-to")
    #expect(try Shell.larder("get", file, "a").text == "one")
    #expect(try scratch.query(cache, "SELECT count(*) FROM kv") == ["2"])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `text that a file would store as data is refused`(options: [String]) throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for value in [#""a\u0000b""#, #"{"text":{"base64":"7aCA"}}"#] {
      let line = #"{"key":"k","type":"text","value":\#(value)}"# + "\n"
      let outcome = try Shell.larder("import", folder, "-", and: options, input: line)
      #expect(outcome.code == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  // MARK: Input

  @Test func `a line of more than 64 MiB is read like any other`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    let script =
      "(printf '{\"key\": '; head -c 70000000 /dev/zero) | '\(Shell.larder)' import '\(file)' -"
    let outcome = try Shell.run("bash", ["-c", script])
    // The line is not an entry, which shows only once it is read whole.
    #expect(outcome.code == 2)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }

  @Test(arguments: ["import", "diff"])
  func `a line that is not an object is refused early`(command: String) throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    let script = "head -c 80000000 /dev/zero | '\(Shell.larder)' \(command) '\(file)' -"
    let outcome = try Shell.run("bash", ["-c", script])
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("line 1"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }
}
