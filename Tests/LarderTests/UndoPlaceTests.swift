import Foundation
import Testing

/// Undo at locations with several stores or collections, and changes that cannot be undone.
@Suite struct UndoPlaceTests {
  private let scratch: Scratch
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }
  private var box: String { scratch.file("box") }

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("box"), withIntermediateDirectories: true)
    for name in ["box/one.db", "box/two.db", "other.db"] {
      _ = try scratch.database(
        name,
        """
        CREATE TABLE a (k TEXT PRIMARY KEY, v); CREATE TABLE b (k TEXT PRIMARY KEY, v);
        INSERT INTO a VALUES ('x', 1); INSERT INTO b VALUES ('x', 1);
        """)
    }
    _ = try scratch.file("box/s.json", "{\"k\":1}".utf8)
  }

  @discardableResult
  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: state)
  }

  private func steps(_ location: String) throws -> [String] {
    try larder("log", location).lines.map { String($0.prefix { $0 != " " }) }
  }

  /// Makes changes 1 to 6, the last one in another location.
  private func change() throws {
    try larder("put", "\(box)#one.db#a", "x", "2")
    try larder("put", "\(box)/one.db#b", "x", "2")
    try larder("put", "\(box)/two.db#a", "x", "2")
    try larder("put", "\(box)/s.json", "k", "2")
    try larder("put", "\(box)#.", "note.txt", "hello")
    try larder("put", scratch.file("other.db#a"), "x", "2")
  }

  @Test func `The log of a location has all changes inside it`() throws {
    try change()
    #expect(try steps(box) == ["5", "4", "3", "2", "1"])
    #expect(try steps("\(box)/one.db") == ["2", "1"])
    #expect(try steps("\(box)#one.db") == ["2", "1"])
    #expect(try steps("\(box)#one.db#b") == ["2"])
    #expect(try steps("\(box)#s.json") == ["4"])
    #expect(try steps("\(box)#.") == ["5"])
    try FileManager.default.removeItem(atPath: "\(box)/one.db")
    #expect(try steps("\(box)#one.db#b") == ["2"])
    #expect(try steps("\(box)/one.db") == ["2", "1"])
  }

  @Test func `The last change of a database is undone whatever its table`() throws {
    try change()
    #expect(try larder("undo", "\(box)/one.db").errors.contains("change 2"))
    #expect(try larder("undo", "\(box)#one.db").errors.contains("change 1"))
    #expect(
      try scratch.query("\(box)/one.db", "SELECT v FROM a UNION ALL SELECT v FROM b") == ["1", "1"])
    let nothing = try larder("undo", "\(box)/one.db")
    #expect(nothing.code == 1)
    #expect(nothing.errors.contains("nothing to undo in \(box)/one.db"))
    #expect(try larder("redo", "\(box)/one.db").errors.contains("change 1"))
    #expect(try larder("redo", "\(box)/one.db#b").errors.contains("change 2"))
    #expect(try larder("redo", "\(box)/one.db").code == 1)
  }

  @Test func `The last change in a container is undone whatever its store`() throws {
    try change()
    for number in ["5", "4", "3", "2", "1"] {
      let outcome = try larder("undo", box)
      #expect(outcome.errors.contains("change \(number),"), "\(outcome.errors)")
    }
    #expect(try larder("undo", box).code == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(box)/note.txt"))
    #expect(try String(contentsOfFile: "\(box)/s.json", encoding: .utf8) == "{\"k\":1}")
    #expect(try larder("redo", box).errors.contains("change 1,"))
    #expect(try larder("undo", scratch.file("none.db")).code == 3)
  }

  @Test func `A change that cannot be undone is named and does not block others`() throws {
    try change()
    try larder("put", "\(box)/s.json", "k", "3")
    try FileManager.default.removeItem(atPath: "\(box)/s.json")
    let gone = try larder("undo")
    #expect(gone.code == 3)
    #expect(gone.errors.contains("change 7, write k in \(box)/s.json, cannot be undone: "))
    #expect(gone.errors.contains("larder log") && gone.errors.contains("larder undo NUMBER"))
    #expect(try larder("undo", "6").code == 0)
    #expect(try scratch.query(scratch.file("other.db"), "SELECT v FROM a") == ["1"])
    _ = try scratch.query("\(box)/two.db", "UPDATE a SET v = 'theirs'")
    let changed = try larder("undo", "\(box)/two.db")
    #expect(changed.code == 4)
    #expect(
      changed.errors.contains("change 3, write x in \(box)/two.db#a, cannot be undone: x changed"))
    let again = try larder("undo", "6")
    #expect(again.code == 1)
    #expect(again.errors.contains("is already undone; larder redo 6 redoes it"))
    #expect(try larder("redo", "6").code == 0)
    let done = try larder("redo", "6")
    #expect(done.code == 1)
    #expect(done.errors.contains("there is nothing to redo"))
    #expect(try larder("undo", "1").code == 0)
  }

  @Test func `Preferences with only a backup have one location for all changes`() throws {
    let map = { (count: Int) in
      "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n"
        + "    <int name=\"count\" value=\"\(count)\" />\n</map>\n"
    }
    for (name, count) in [("A", 42), ("B", 6)] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(name), withIntermediateDirectories: true)
      _ = try scratch.file("\(name)/n.xml.bak", Array(map(count).utf8))
    }
    func run(_ words: String..., in name: String) throws -> Outcome {
      try Shell.run(Shell.larder, words, environment: state, folder: scratch.file(name))
    }
    // Changes to a relative path without a folder belong to the file, too.
    #expect(try run("put", "n.xml", "count", "7", in: "A").code == 0)
    #expect(try run("put", "./n.xml", "count", "6", in: "A").code == 0)
    #expect(try run("undo", in: "B").code == 0)
    #expect(try run("undo", "\(scratch.file("A"))/n.xml", in: "B").code == 0)
    #expect(try run("get", "n.xml", "count", in: "A").text == "42\n")
    #expect(try run("get", "./n.xml", "count", in: "B").text == "6\n")
  }

  @Test func `A change the journal would not record is refused`() throws {
    let path = try scratch.database(
      "only-read.db", "CREATE TABLE t (k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1);")
    chmod(path, 0o444)
    for words in [
      ["put", path, "a", "2"], ["put", path, "b", "2", "--create"], ["rm", path, "a"],
      ["rm", path, "a", "--dry-run"], ["mv", path, "a", "b"], ["mv", path, "a", "b", "--dry-run"],
    ] {
      let outcome = try Shell.run(Shell.larder, words, environment: state)
      #expect(outcome.code == 5, "\(words)")
      #expect(outcome.errors.contains("is read-only"), "\(words)")
    }
    #expect(try scratch.query(path, "SELECT k || v FROM t") == ["a1"])
  }
}
