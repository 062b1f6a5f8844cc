import Foundation
import Testing

@Suite struct MoveTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 2), ('b', 3);
      """)
  }

  private var contents: [String] {
    get throws { try scratch.query(database, "SELECT k || '=' || v FROM kv ORDER BY k") }
  }

  @Test func `mv renames one entry`() throws {
    #expect(try Shell.larder("mv", database, "b", "c").code == 0)
    #expect(try contents == ["a.1=1", "a.2=2", "c=3"])
  }

  @Test func `mv never replaces another entry`() throws {
    let one = try Shell.larder("mv", database, "b", "a.1")
    #expect(one.code == 4)
    #expect(one.errors.contains("a.1 already exists; nothing was renamed"))
    let all = try Shell.larder("mv", database, "a.1", "b", "--prefix", "--yes")
    #expect(all.code == 4)
    #expect(try contents == ["a.1=1", "a.2=2", "b=3"])
  }

  @Test(arguments: [("[1,2]", "0", "5"), (#"{"a":1}"#, "a", "(b,c)")])
  func `an impossible mv is not reported as a read-only store`(
    json: String, old: String, new: String
  ) throws {
    let file = try scratch.file("a.json", json.utf8)
    let outcome = try Shell.larder("mv", file, old, new)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("a rename changes only the last name"))
    #expect(outcome.errors.contains("nothing was renamed"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == json)
  }

  @Test func `mv of a missing key says so`() throws {
    #expect(try Shell.larder("mv", database, "nope", "x").code == 1)
    #expect(try Shell.larder("mv", database, "nope", "x", "--prefix", "--yes").code == 1)
    #expect(try Shell.larder("mv", database, "b").code == 2)
    #expect(try Shell.larder("mv", database, "", "x", "--prefix", "--yes").code == 2)
    #expect(try Shell.larder("mv", database, "b", "c", "--read-only").code == 5)
  }

  @Test func `mv of a prefix asks, shows the renames, and makes them`() throws {
    let asked = try Shell.larder("mv", database, "a.", "x/", "--prefix")
    #expect(asked.code == 2)
    #expect(asked.errors.contains("Rename 2 entries"))
    let dry = try Shell.larder("mv", database, "a.", "x/", "--prefix", "--dry-run")
    #expect(dry.lines == ["a.1 → x/1", "a.2 → x/2"])
    #expect(try contents == ["a.1=1", "a.2=2", "b=3"])
    let told = try Shell.larder("mv", database, "a.", "x/", "--prefix", "--yes")
    #expect(told.errors.contains("renamed 2 entries"))
    #expect(try contents == ["b=3", "x/1=1", "x/2=2"])
  }

  /// Makes a store of keys whose values are the keys themselves.
  private func store(_ kind: String, _ keys: [String]) throws -> String {
    switch kind {
    case "folder":
      let folder = scratch.file("files")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for key in keys { _ = try scratch.file("files/\(key)", key.utf8) }
      return folder
    case "json":
      let members = keys.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",")
      return try scratch.file("file.json", "{\(members)}".utf8)
    default:
      let rows = keys.map { "('\($0)', '\($0)')" }.joined(separator: ", ")
      return try scratch.database(
        "chain.db", "CREATE TABLE t (k TEXT PRIMARY KEY, v); INSERT INTO t VALUES \(rows)")
    }
  }

  @Test(arguments: ["sqlite", "folder", "json"])
  func `A dry run of mv has the same exit code and renames nothing`(kind: String) throws {
    let location = try store(kind, ["a1", "a2", "b1", "c"])
    let before = try Shell.larder("export", location).lines
    for words in [
      ["a1", "b1"], ["a", "b", "--prefix"], ["c", "c/d/"], ["a1", "x"], ["a", "x", "--prefix"],
    ] {
      let dry = try Shell.larder("mv", location, and: words + ["--dry-run"])
      #expect(try Shell.larder("export", location).lines == before)
      let copy = try Shell.larder("mv", location, and: words + ["--yes"])
      #expect(dry.code == copy.code, "\(words)")
      if copy.code == 0 {
        #expect(try Shell.larder("undo", location).code == 0)
      }
    }
  }

  @Test(arguments: ["sqlite", "folder", "json"], [("aa", "a"), ("a", "aa")])
  func `mv of a prefix finds an order in which every new key is free`(
    kind: String, prefixes: (old: String, new: String)
  ) throws {
    let location = try store(kind, ["aa", "aaa", "aaaa"])
    let outcome = try Shell.larder(
      "mv", location, prefixes.old, prefixes.new, "--prefix", "--yes")
    #expect(outcome.code == 0, "\(outcome.errors)")
    for key in ["aa", "aaa", "aaaa"] {
      let renamed = prefixes.new + key.dropFirst(prefixes.old.count)
      #expect(try Shell.larder("get", location, renamed).lines == [key])
    }
  }

  @Test(arguments: ["sqlite", "folder", "json"])
  func `mv of a prefix renames nothing where one new key is taken`(kind: String) throws {
    let location = try store(kind, ["x1", "x2", "y2"])
    let outcome = try Shell.larder("mv", location, "x", "y", "--prefix", "--yes")
    #expect(outcome.code == 4)
    #expect(outcome.errors.contains("y2 already exists; nothing was renamed"))
    #expect(try Shell.larder("ls", location).lines == ["x1", "x2", "y2"])
  }
}
