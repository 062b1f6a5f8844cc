import Foundation
import Testing

@Suite struct BadInputTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Runs the reading commands on a file and checks exit code, message and that no byte changed.
  private func check(_ path: String, code: Int32 = 3, says text: String) throws {
    let before = FileManager.default.contents(atPath: path)
    for command in ["ls", "info"] {
      let outcome = try Shell.larder(command, path)
      #expect(outcome.code == code, "\(command): \(outcome.errors)")
      #expect(outcome.errors.hasPrefix("larder: "))
      #expect(outcome.errors.contains(text), "\(command): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func `a file that is not there`() throws {
    try check(scratch.file("missing.db"), says: "does not exist")
  }

  @Test func `the screen of a file that is not there`() throws {
    let outcome = try Shell.larder("screen", scratch.file("missing.db"))
    #expect(outcome.code == 3)
    #expect(outcome.errors.hasPrefix("larder: ") && outcome.errors.contains("does not exist"))
    #expect(outcome.lines.contains { $0.contains("missing.db") })
    // The screen opens if at least one location does.
    let folder = try Shell.larder("screen", scratch.path, scratch.file("missing.db"))
    #expect(folder.code == 0, "\(folder.errors)")
  }

  @Test func `a file that is empty`() throws {
    try check(try scratch.file("empty.db", []), says: "is empty (0 bytes)")
  }

  @Test func `a file that is not a store`() throws {
    try check(try scratch.file("notes.txt", "hello there".utf8), says: "it is text")
  }

  @Test func `a file of random bytes, as an encrypted database is`() throws {
    let bytes = (0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 / 7) }
    try check(try scratch.file("secret.db", bytes), says: "encrypted")
  }

  @Test func `a database that is cut short`() throws {
    let whole = try scratch.database(
      "whole.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, hex(randomblob(50)) FROM n;
      """)
    let bytes = try Data(contentsOf: URL(filePath: whole))
    try check(try scratch.file("half.db", bytes.prefix(bytes.count / 2)), says: "is truncated")
    try check(try scratch.file("header.db", bytes.prefix(50)), says: "is truncated")
  }

  @Test func `a database whose pages are garbage`() throws {
    let whole = try scratch.database(
      "good.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 2);")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
    for place in 100..<bytes.count { bytes[place] = 0xA5 }
    let path = try scratch.file("bad.db", bytes)
    let outcome = try Shell.larder("ls", path)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("malformed") || outcome.errors.contains("damaged"))
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
  }

  @Test func `a location that names no collection`() throws {
    let two = try scratch.database("CREATE TABLE a (x); CREATE TABLE b (x);")
    let none = try Shell.larder("ls", two)
    #expect(none.code == 3)
    #expect(none.errors.contains("#NAME") && none.errors.contains("a, b"))
    let wrong = try Shell.larder("ls", "\(two)#c")
    #expect(wrong.code == 3)
    #expect(wrong.errors.contains("no table or view “c”"))
  }

  @Test func `a database that another process has locked`() throws {
    let path = try scratch.database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 2);")
    // The sqlite3 shell holds the lock until its input ends, after the inner larder has ended.
    let script = """
      .open '\(path)'
      BEGIN EXCLUSIVE;
      .shell '\(Shell.larder)' ls '\(path)' 2> '\(scratch.file("errors"))'; echo $?
      """
    let outcome = try Shell.run("sqlite3", [], input: Array(script.utf8))
    #expect(outcome.lines.last == "3")
    let errors = String(
      decoding: try Data(contentsOf: URL(filePath: scratch.file("errors"))), as: UTF8.self)
    #expect(errors.contains("lock"), "\(errors)")
  }

  @Test func `keys and values that are hostile are printed harmlessly`() throws {
    let path = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES (char(27) || '[2J', char(27) || ']0;x' || char(7));
      INSERT INTO t VALUES ('long' || hex(zeroblob(2000000)), 1);
      """)
    let lines = try Shell.larder("ls", path).lines
    #expect(lines.first == #""\u001b[2J""#)
    #expect(lines.last?.utf8.count == 4_000_004)
    let screen = try Shell.larder("screen", path, "--size", "60x10")
    #expect(!screen.output.contains(0x1B))
    #expect(screen.lines.allSatisfy { $0.count <= 60 })
  }

  @Test(arguments: [["doctor"], ["log"], ["undo"], ["ls"], ["cp", "a.json"]])
  func `a password in a location is refused and not repeated`(_ words: [String]) throws {
    let outcome = try Shell.larder(
      words[0], and: Array(words.dropFirst()) + ["redis://ada:hunter2@127.0.0.1:1/0"])
    #expect(outcome.code != 0)
    #expect(!(outcome.errors + outcome.text).contains("hunter2"), "\(outcome.errors)")
  }
}
