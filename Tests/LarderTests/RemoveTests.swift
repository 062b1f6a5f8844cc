import Foundation
import Testing

@Suite struct RemoveTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 2), ('ab', 3), ('b', 4);
      """)
  }

  private var left: [String] {
    get throws { try scratch.query(database, "SELECT k FROM kv ORDER BY k") }
  }

  @Test func `rm deletes the given keys`() throws {
    #expect(try Shell.larder("rm", database, "b", "a.1").code == 0)
    #expect(try left == ["a.2", "ab"])
  }

  @Test(arguments: ["v", "v, n"])
  func `Without a journal, rm does not read a large value`(columns: String) throws {
    let large = try scratch.database(
      "large.db",
      """
      CREATE TABLE kv (k PRIMARY KEY, \(columns));
      INSERT INTO kv(k, v) VALUES ('t', zeroblob(400000000)), ('s', 1);
      """)
    let outcome = try Shell.run(
      "prlimit", ["--as=600000000", Shell.larder, "rm", large, "t", "none", "--no-journal"])
    #expect(outcome.code == 1, "\(outcome.errors)")
    #expect(try scratch.query(large, "SELECT k FROM kv") == ["s"])
  }

  @Test func `rm and mv handle values of any size with any key`() throws {
    let large = try scratch.database(
      "large.db",
      """
      CREATE TABLE kv (k PRIMARY KEY, v);
      INSERT INTO kv VALUES (x'01', zeroblob(68000000)), ('t', zeroblob(68000000)),
        (7, zeroblob(68000000)), ('s', 1);
      """)
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    func larder(_ words: String...) throws -> Outcome {
      try Shell.run(Shell.larder, words, environment: state)
    }
    for key in ["x'01'", "t", "7"] { #expect(try larder("rm", large, key).code == 3) }
    // The journal would store the rows of a rename, too.
    #expect(try larder("mv", large, "t", "u").code == 3)
    #expect(try larder("mv", large, "t", "u", "--no-journal").code == 0)
    #expect(try larder("mv", large, "u", "w", "--prefix", "--yes", "--no-journal").code == 0)
    #expect(try larder("rm", large, "x'01'", "w", "7", "--no-journal").code == 0)
    #expect(try scratch.query(large, "SELECT k FROM kv") == ["s"])
  }

  @Test func `rm says which keys are missing and deletes the others`() throws {
    let outcome = try Shell.larder("rm", database, "nope", "b")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("nope"))
    #expect(try left == ["a.1", "a.2", "ab"])
  }

  @Test(arguments: [
    ["rm", "--expired", "--yes"], ["rm", "--expired", "--dry-run"],
    ["touch", "--expired", "--ttl", "1h", "--yes"], ["ls", "--expired"],
    ["ls", "--expiring", "1h"],
  ])
  func `a doubtful expiry column is used only when named`(
    words: [String]
  ) throws {
    let cards = try scratch.database(
      "cards.db",
      """
      CREATE TABLE creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
      INSERT INTO creditcards VALUES (1, 'x', 1500000123), (2, 'y', 1590000123);
      """)
    let before = try scratch.query(cards, "SELECT * FROM creditcards")
    let refused = try Shell.larder(words[0], cards, and: Array(words.dropFirst()))
    #expect(refused.code == 5 && refused.lines.isEmpty)
    #expect(refused.errors.contains("--expires-column expires"), "\(refused.errors)")
    #expect(try scratch.query(cards, "SELECT * FROM creditcards") == before)
    let named = words.dropFirst() + ["--expires-column", "expires"]
    #expect(try Shell.larder(words[0], cards, and: Array(named)).code != 5)
  }

  @Test(arguments: [
    ["rm", "--expired", "--yes"], ["ls", "--expired"], ["ls", "--expiring", "1h"],
  ])
  func `rm --expired reports when no expiry is recognized`(words: [String]) throws {
    let outcome = try Shell.larder(words[0], database, and: Array(words.dropFirst()))
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("larder found no expiry in"))
  }

  @Test func `rm of a prefix needs a confirmation`() throws {
    let asked = try Shell.larder("rm", database, "--prefix", "a.")
    #expect(asked.code == 2)
    #expect(asked.errors.contains("Delete 2 entries"))
    #expect(try left.count == 4)
    let told = try Shell.larder("rm", database, "--prefix", "a.", "--yes")
    #expect(told.code == 0)
    #expect(told.errors.contains("deleted 2 entries"))
    #expect(try left == ["ab", "b"])
  }

  @Test func `rm --dry-run lists the entries to delete`() throws {
    let outcome = try Shell.larder("rm", database, "--prefix", "a", "--dry-run")
    #expect(outcome.lines == ["a.1", "a.2", "ab"])
    #expect(try left.count == 4)
  }

  @Test func `rm needs keys or a filter`() throws {
    #expect(try Shell.larder("rm", database).code == 2)
    #expect(try Shell.larder("rm", database, "b", "--prefix", "a").code == 2)
    #expect(try left.count == 4)
  }

  @Test func `rm --expired leaves fresh entries`() throws {
    let folder = try Scratch()
    _ = try folder.file("old", "1".utf8)
    _ = try folder.file("new", "2".utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: folder.file("old"))
    let outcome = try Shell.larder("rm", folder.path, "--expired", "--ttl", "1m", "--yes")
    #expect(outcome.code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new"])
  }

  @Test(arguments: ["now", "tomorrow", "never", "+10m", "2030-01-31", "in", "in now"])
  func `rm --expired refuses a TTL that is not a duration`(_ text: String) throws {
    let folder = try Scratch()
    _ = try folder.file("new", "1".utf8)
    let outcome = try Shell.larder("rm", folder.path, "--expired", "--ttl", text, "--yes")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("takes a duration such as"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new"])
  }

  @Test(arguments: [
    ("60", true), ("1 minute", true), ("in 1 minute", true), ("1000000000", false),
    ("2h30m", false),
  ])
  func `rm --expired takes a TTL in seconds or with units`(_ text: String, _ isOver: Bool) throws {
    let folder = try Scratch()
    _ = try folder.file("old", "1".utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: folder.file("old"))
    let outcome = try Shell.larder("rm", folder.path, "--expired", "--ttl", text, "--yes")
    #expect(outcome.code == (isOver ? 0 : 1))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty == isOver)
  }

  @Test func `rm --expired is one change`() throws {
    let folder = try Scratch()
    for name in ["a", "b", "c"] { _ = try folder.file(name, name.utf8) }
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    let removed = try Shell.larder(
      "rm", folder.path, "--expired", "--ttl", "0s", "--yes", environment: state)
    #expect(removed.code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try Shell.larder("log", folder.path, environment: state).lines.count == 1)
    #expect(try Shell.larder("undo", environment: state).code == 0)
    #expect(try Shell.larder("ls", folder.path).lines == ["a", "b", "c"])
  }

  @Test func `an empty prefix is refused`() throws {
    let outcome = try Shell.larder("rm", database, "--prefix", "", "--yes")
    #expect(outcome.code == 2)
    #expect(try left.count == 4)
  }

  @Test func `a missing key is not mistaken for a similar one`() throws {
    let mixed = try scratch.database(
      "mixed.db", "CREATE TABLE t (k PRIMARY KEY, v); INSERT INTO t VALUES (42, 1), ('42', 2);")
    #expect(try Shell.larder("rm", mixed, "42").code == 0)
    #expect(try Shell.larder("rm", mixed, "42").code == 1)
    #expect(try scratch.query(mixed, "SELECT typeof(k), v FROM t") == ["text|2"])
    #expect(try Shell.larder("put", mixed, "42", "new", "--type", "text").code == 2)
    #expect(try scratch.query(mixed, "SELECT typeof(k), v FROM t") == ["text|2"])
  }

  @Test func `a question does not let a store write to the terminal`() throws {
    let hostile = try scratch.database(
      "hostile.db",
      "CREATE TABLE \"t\u{1B}[31m\" (k TEXT PRIMARY KEY, v); INSERT INTO \"t\u{1B}[31m\" VALUES ('a', 1);"
    )
    let script = "script -qec \"'\(Shell.larder)' rm '\(hostile)' --prefix a\" /dev/null"
    let outcome = try Shell.run("bash", ["-c", script], input: Array("n\n".utf8))
    #expect(outcome.text.contains("Delete 1 entry"))
    #expect(!outcome.output.contains(0x1B))
    #expect(try scratch.query(hostile, "SELECT count(*) FROM \"t\u{1B}[31m\"") == ["1"])
  }

  @Test func `rm of several array indices refers to the original positions`() throws {
    let list = try scratch.file("a.json", #"["a","b","c","d"]"#.utf8)
    #expect(try Shell.larder("rm", list, "1", "2").code == 0)
    #expect(try String(contentsOfFile: list, encoding: .utf8) == #"["a","d"]"#)
    let twice = try scratch.file("b.json", #"{"a":1,"a":2,"a":3}"#.utf8)
    #expect(try Shell.larder("rm", twice, "(a,null,0)", "(a,null,1)").code == 0)
    #expect(try Shell.larder("get", twice, "a").lines == ["3"])
  }

  @Test func `rm of several keys is one change`() throws {
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    let tree = try scratch.database(
      "tree.db",
      """
      CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree(id));
      INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2);
      """)
    #expect(try Shell.run(Shell.larder, ["rm", tree, "1", "2", "3"], environment: state).code == 0)
    #expect(try scratch.query(tree, "SELECT count(*) FROM tree") == ["0"])
    #expect(try Shell.run(Shell.larder, ["undo"], environment: state).code == 0)
    #expect(try scratch.query(tree, "SELECT * FROM tree") == ["1|", "2|1", "3|2"])
  }
}
