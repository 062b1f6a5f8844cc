import Foundation
import Synchronization
import Testing

@Suite struct UndoTests {
  private let scratch: Scratch
  private let database: String
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 2), ('ab', 3), ('b', x'00FF');
      """)
  }

  @discardableResult
  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: state)
  }

  private var contents: [String] {
    get throws { try scratch.query(database, "SELECT k || '=' || quote(v) FROM kv ORDER BY k") }
  }

  @Test func `A refused redo suggests the change to redo by number`() throws {
    let json = try scratch.file("j.json", "{}".utf8)
    #expect(try larder("redo", json).code == 1)
    try larder("put", json, "x", "1")
    try larder("put", json, "y", "2")
    for _ in 0..<2 { #expect(try larder("undo", json).code == 0) }
    try larder("put", json, "z", "3")
    for words in [["redo"], ["redo", json]] {
      let refused = try Shell.run(Shell.larder, words, environment: state)
      #expect(refused.code == 1)
      #expect(refused.errors.contains("larder redo 1 "), "\(refused.errors)")
    }
    #expect(try larder("redo", "1").code == 0)
    #expect(try larder("get", json, "x").text == "1")
    #expect(try larder("redo", "3").code == 1)
    #expect(try larder("redo", "9").code == 1)
    // That file has no undone change.
    let other = try scratch.file("k.json", "{}".utf8)
    try larder("put", other, "x", "1")
    #expect(try !larder("redo", other).errors.contains("larder redo "))
  }

  /// Returns the conflicts that a refused undo prints.
  private func conflicts() throws -> [NSDictionary] {
    let refused = try larder("undo", "--json")
    #expect(refused.code == 4)
    #expect(!refused.errors.contains("\u{1B}"))
    let line = try #require(refused.lines.first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
    return try #require(object?["conflicts"] as? [NSDictionary])
  }

  @Test func `A refused undo says what it expected and what it found`() throws {
    let json = try scratch.file("j.json", #"{"a": 1}"#.utf8)
    try larder("put", json, "a", "2")
    try Data(#"{"a": "\u001b[31mred"}"#.utf8).write(to: URL(filePath: json))
    #expect(try conflicts() == [["key": "a", "expected": 2, "found": "\u{1B}[31mred"]])
    try Data("{}".utf8).write(to: URL(filePath: json))
    #expect(try conflicts() == [["key": "a", "expected": 2]])
    try Data(#"{"a": 2}"#.utf8).write(to: URL(filePath: json))
    try larder("rm", json, "a")
    try Data(#"{"a": 5}"#.utf8).write(to: URL(filePath: json))
    #expect(try conflicts() == [["key": "a", "found": 5]])
    // At most five conflicts are listed.
    try larder("put", json, "other", "1")
    let lines = (0..<9).map { #"{"key":"k\#($0)","type":"integer","value":1}"# }
    let export = try scratch.file("l.jsonl", lines.joined(separator: "\n").utf8)
    try larder("import", json, export)
    try Data("{}".utf8).write(to: URL(filePath: json))
    #expect(try conflicts().count == 5)
  }

  @Test func `A refused undo of a rename says which name is taken`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/a", "1".utf8)
    try larder("mv", folder, "a", "b")
    _ = try scratch.file("files/a", "2".utf8)
    let left = try fingerprint(folder, "b")
    #expect(try conflicts() == [["key": "a", "found": "2"]])
    _ = try scratch.file("files/b", "3".utf8)
    let found = try conflicts()
    #expect(found.map { $0["key"] as? String } == ["b", "a"])
    #expect(
      found.first == [
        "key": "b", "found": "3", "expectedFingerprint": left,
        "foundFingerprint": try fingerprint(folder, "b"),
      ])
  }

  private func fingerprint(_ words: String...) throws -> String {
    let line = try #require(try Shell.larder("get", "--json", words[0], words[1]).lines.first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
    return try #require(object?["fingerprint"] as? String)
  }

  @Test func `A change whose array positions have moved is a conflict`() throws {
    let json = try scratch.file("j.json", #"{"a": [1, 2, 3]}"#.utf8)
    try larder("rm", json, "/a/2")
    try larder("rm", json, "/a/0")
    #expect(try larder("undo", "1").code == 4)
    for _ in 0..<2 { #expect(try larder("undo").code == 0) }
  }

  @Test func `Each change is undone and redone by later runs, latest first`() throws {
    let json = try scratch.file("j.json", "{\"x\": 1.0}\n".utf8)
    let before = try contents
    try larder("put", database, "a.1", "7")
    try larder("put", json, "x", "2")
    try larder("mv", database, "a.", "z.", "--prefix", "--yes")
    let after = try contents
    #expect(after == ["ab=3", "b=X'00FF'", "z.1=7", "z.2=2"])
    #expect(try larder("undo").errors.contains("change 3, rename a.1 to z.1 and 1 more"))
    #expect(try larder("undo").code == 0)
    #expect(try String(contentsOfFile: json, encoding: .utf8) == "{\"x\": 1.0}\n")
    #expect(try larder("undo").code == 0)
    #expect(try contents == before)
    let nothing = try larder("undo")
    #expect(nothing.code == 1)
    #expect(nothing.errors.contains("nothing to undo"))
    for _ in 0..<3 { #expect(try larder("redo").code == 0) }
    #expect(try contents == after)
    #expect(try larder("redo").code == 1)
  }

  @Test(arguments: [
    // The table as the change left it, with one more column, with other rows, and missing.
    ("CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a.1', 7), ('n', 1);", true),
    ("CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a.1', 8);", false),
    ("CREATE TABLE kv (k TEXT PRIMARY KEY, v);", false),
    (
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v, w); "
        + "INSERT INTO kv VALUES ('a.1', 7, 9), ('n', 1, 9);", true
    ),
    ("CREATE TABLE other (k TEXT PRIMARY KEY, v);", false),
  ])
  func `A change in a recreated table is undone only if its rows are unchanged`(
    sql: String, isUndone: Bool
  ) throws {
    #expect(try larder("put", database, "a.1", "7").code == 0)
    _ = try scratch.query(database, "DROP TABLE kv")
    for statement in sql.split(separator: ";") {
      _ = try scratch.query(database, String(statement))
    }
    func dump() throws -> [String] {
      let names = try scratch.query(database, "SELECT name FROM sqlite_schema WHERE type = 'table'")
      return try names.flatMap { try scratch.query(database, "SELECT * FROM \"\($0)\"") }
    }
    let before = try dump()
    let undo = try larder("undo", database)
    #expect((undo.code == 0) == isUndone, "\(undo.errors)")
    if isUndone {
      #expect(try contents == ["a.1=1", "n=1"])
    } else {
      #expect(undo.code >= 3)
      #expect(try dump() == before)
    }
  }

  @Test func `The changed columns of a row are named`() throws {
    let rows = try scratch.database(
      "rows.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL);
      INSERT INTO p VALUES (1, 'x', 2, 3.0), (2, 'y', 5, 6.0);
      """)
    try larder("put", rows, "1", #"{"b": 7}"#)
    try larder("put", rows, "1", #"{"a": "z", "c": 8.5}"#)
    try larder("put", rows, "1", #"{"a": "1", "b": 1, "c": 1.5}"#)
    try larder("put", rows, "3", #"{"a": "1"}"#)
    try larder("put", database, "ab", "4")
    #expect(try larder("log", "--limit", "0").code == 0)
    let lines = try larder("log").lines
    let words = [
      "write ab in", "write 3 in", "write 3 columns of 1 in", "write a and c of 1 in",
      "write b of 1 in",
    ]
    #expect(zip(lines, words).allSatisfy { $0.contains($1) } && lines.count == 5, "\(lines)")
    #expect(try larder("log", "--json").text.contains(#""columns":["a","c"]"#))
    #expect(try larder("undo", "1").errors.contains("write b of 1 in"))
  }

  @Test func `The changed member is named`() throws {
    let rows = try scratch.database(
      "docs.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, doc TEXT, b INTEGER);
      INSERT INTO p VALUES (1, '{"tags":[1,2]}', 2);
      """)
    let json = try scratch.file("j.json", #"{"a": {"b": [{"c": 1}]}}"#.utf8)
    try larder("put", rows, "1", #"{"doc": "{\"tags\":[1,3]}"}"#)
    try larder("put", json, "a", #"{"b": [{"c": 2}]}"#)
    try larder("put", json, "a", #"{"z": 1, "y": 2}"#)
    let lines = try larder("log").lines
    let words = ["write a in", "write b[0].c of a in", "write tags[1] in doc of 1 in"]
    #expect(zip(lines, words).allSatisfy { $0.contains($1) } && lines.count == 3, "\(lines)")
    #expect(try larder("log", "--json").text.contains(#""member":"tags[1]""#))
    #expect(try larder("undo", "1").errors.contains("write tags[1] in doc of 1 in"))
  }

  @Test func `Control characters in column names are escaped`() throws {
    let odd = try scratch.database(
      "odd.db",
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, "a\u{1B}[31mX\nY" TEXT, c TEXT);
      INSERT INTO odd VALUES (1, 'x', 'y');
      """)
    let value = #"{"a\u001b[31mX\nY": "z", "c": "y"}"#
    #expect(try larder("put", odd, "1", value).code == 0)
    let line = try #require(try larder("log").lines.first)
    #expect(!line.contains("\u{1B}") && line.contains(" of 1 in "), "\(line)")
  }

  @Test func `The undone change is reported on standard error`() throws {
    try larder("put", database, "said", "1")
    let undone = try larder("undo")
    #expect(undone.text.isEmpty && undone.errors.hasPrefix("larder: undone: change "))
    let redone = try larder("redo")
    #expect(redone.text.isEmpty && redone.errors.hasPrefix("larder: redone: change "))
    #expect(try larder("undo", "--json").text.contains("\"step\":"))
  }

  @Test func `Changes are undone by number, or the last one by location`() throws {
    try larder("rm", database, "b")
    try larder("put", database, "ab", "4")
    #expect(try larder("undo", "1").code == 0)
    #expect(try contents == ["a.1=1", "a.2=2", "ab=4", "b=X'00FF'"])
    #expect(try larder("undo", "1").code == 1)
    #expect(try larder("undo", database).code == 0)
    #expect(try contents == ["a.1=1", "a.2=2", "ab=3", "b=X'00FF'"])
    #expect(try larder("undo", "99").errors.contains("no change 99"))
  }

  @Test func `Later changes by another program are not undone`() throws {
    try larder("put", database, "ab", "4")
    _ = try scratch.query(database, "UPDATE kv SET v = 'mine' WHERE k = 'ab'")
    let outcome = try larder("undo")
    #expect(outcome.code == 4, "\(outcome.errors)")
    #expect(try contents.contains("ab='mine'"))
  }

  @Test func `A change that another program has reverted needs no undo`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b"] { _ = try scratch.file("files/" + name, Array(name.utf8)) }
    #expect(try larder("rm", folder, "a", "b").code == 0)
    for name in ["a", "b"] { _ = try scratch.file("files/" + name, Array(name.utf8)) }
    // The exit code is that of nothing to undo, not of a conflict.
    #expect(try larder("undo", folder).code == 1)
    let log = try larder("log", folder, "--json").lines
    #expect(log.count == 1 && log.first?.contains(#""undone":true"#) == true)
  }

  @Test func `The log names each change, of all stores or of one`() throws {
    let json = try scratch.file("j.json", "{}".utf8)
    #expect(try larder("log").code == 1)
    try larder("put", json, "x", "1")
    try larder("rm", database, "--prefix", "a", "--yes")
    try larder("undo")
    let lines = try larder("log").lines
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("2  ") && lines[0].hasSuffix("(undone)"))
    #expect(lines[0].contains("delete a.1 and 2 more in \(database)#kv"))
    #expect(try larder("log", json).lines.count == 1)
    let fields = try JSONSerialization.jsonObject(
      with: Data(larder("log", database, "--json").output))
    let step = try #require(fields as? [String: Any])
    #expect(step["step"] as? Int == 2)
    #expect(step["action"] as? String == "delete")
    #expect(step["collection"] as? String == "kv")
    #expect(step["count"] as? Int == 3)
    #expect(step["undone"] as? Bool == true)
  }

  @Test func `Without a journal nothing is stored and nothing can be undone`() throws {
    #expect(try larder("--no-journal", "put", database, "ab", "4").code == 0)
    #expect(try contents.contains("ab=4"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
    #expect(try larder("undo", "--no-journal").code == 2)
  }

  @Test func `A journal that cannot be written keeps the store from being written`() throws {
    _ = try scratch.file("state", [])
    let outcome = try larder("put", database, "ab", "4")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("--no-journal"))
    #expect(try contents.contains("ab=3"))
  }

  @Test func `Reading leaves no journal`() throws {
    try larder("ls", database)
    try larder("get", database, "ab")
    try larder("put", database, "ab", "4", "--read-only")
    #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
  }

  private func changeJournal(_ sql: String) throws {
    _ = try scratch.query(scratch.file("state/larder/journal.db"), sql)
  }

  @Test(arguments: [[], ["2"]])
  func `If a killed change did nothing, no other is undone in its place`(
    number: [String]
  ) throws {
    try larder("put", database, "ab", "4")
    try larder("put", database, "b", "05")
    // As if change 2 had been recorded, and the process killed before it touched the table.
    _ = try scratch.query(database, "UPDATE kv SET v = x'00FF' WHERE k = 'b'")
    try changeJournal(
      "UPDATE steps SET pending = 1, was_done = 0 WHERE number = 2; UPDATE items SET done = 0 WHERE step = 2"
    )
    #expect(try larder("log").lines.first?.hasSuffix("(interrupted)") == true)
    let first = try Shell.run(Shell.larder, ["undo"] + number, environment: state)
    #expect(first.code == 1)
    #expect(first.output.isEmpty)
    #expect(first.errors.contains("change 2, write b in"), "\(first.errors)")
    #expect(first.errors.contains("nothing was undone now"), "\(first.errors)")
    #expect(first.errors.contains("Run larder undo again") == number.isEmpty)
    #expect(try contents.contains("ab=4"))
    let second = try larder("undo")
    #expect(second.code == 0)
    #expect(second.errors.contains("change 1"))
    #expect(try contents.contains("ab=3"))
    #expect(try larder("log").lines.count == 1)
  }

  @Test func `If a killed undo had taken effect, the previous change is not undone, too`() throws {
    try larder("put", database, "ab", "4")
    try larder("put", database, "b", "05")
    // As if an undo of change 2 had been killed before it updated the journal.
    _ = try scratch.query(database, "UPDATE kv SET v = x'00FF' WHERE k = 'b'")
    try changeJournal("UPDATE steps SET pending = 1, process = '' WHERE number = 2")
    let first = try larder("undo")
    #expect(first.code == 1)
    #expect(first.errors.contains("was already undone"), "\(first.errors)")
    #expect(try contents == ["a.1=1", "a.2=2", "ab=4", "b=X'00FF'"])
    #expect(try larder("undo").errors.contains("change 1"))
    #expect(try larder("redo").errors.contains("change 1"))
    #expect(try larder("redo").errors.contains("change 2"))
    #expect(try contents.contains("b=X'05'"))
  }

  @Test(arguments: [[], ["1"]])
  func `After a killed undo that had taken effect, redo reapplies the change`(number: [String])
    throws
  {
    try larder("put", database, "ab", "4")
    try larder("put", database, "b", "05")
    try larder("undo")
    _ = try scratch.query(database, "UPDATE kv SET v = 3 WHERE k = 'ab'")
    try changeJournal("UPDATE steps SET pending = 1, process = '' WHERE number = 1")
    let first = try Shell.run(Shell.larder, ["redo"] + number, environment: state)
    #expect(first.errors.contains("change 1"), "\(first.errors)")
    #expect(try contents == ["a.1=1", "a.2=2", "ab=4", "b=X'00FF'"])
    #expect(try larder("redo").errors.contains("change 2"))
    #expect(try larder("redo").code == 1)
  }

  @Test func `After an undo killed before it took effect, redo says so`() throws {
    try larder("put", database, "ab", "4")
    try changeJournal("UPDATE steps SET pending = 1, process = '' WHERE number = 1")
    let first = try larder("redo")
    #expect(first.code == 1)
    #expect(
      first.errors.contains("was being undone by a larder that was interrupted before it changed"),
      "\(first.errors)")
    #expect(try contents.contains("ab=4"))
    #expect(try larder("redo").code == 1)
    #expect(try larder("undo").errors.contains("change 1"))
    #expect(try contents.contains("ab=3"))
  }

  @Test func `If a killed redo had taken effect, the next change is not redone, too`() throws {
    try larder("put", database, "ab", "4")
    try larder("put", database, "b", "05")
    try larder("undo")
    try larder("undo")
    _ = try scratch.query(database, "UPDATE kv SET v = 4 WHERE k = 'ab'")
    try changeJournal("UPDATE steps SET pending = 1, process = '' WHERE number = 1")
    let first = try larder("redo")
    #expect(first.code == 1)
    #expect(first.errors.contains("was already redone"), "\(first.errors)")
    #expect(try contents == ["a.1=1", "a.2=2", "ab=4", "b=X'00FF'"])
    #expect(try larder("redo").errors.contains("change 2"))
  }

  @Test func `Concurrent undos do not report an undone change as the next`()
    throws
  {
    for number in 1...6 { try larder("put", database, "ab", "\(number)") }
    let outcomes = Mutex<[Outcome]>([])
    let state = state
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      guard let outcome = try? Shell.run(Shell.larder, ["undo"], environment: state)
      else { return }
      outcomes.withLock { $0.append(outcome) }
    }
    let all = outcomes.withLock { $0 }
    #expect(all.count == 6)
    for outcome in all where outcome.code != 0 {
      #expect(!outcome.errors.contains("It remains the next"), "\(outcome.errors)")
    }
    // The changes whose undo was refused can be undone now.
    for _ in 0..<(all.count { $0.code != 0 }) { #expect(try larder("undo").code == 0) }
    #expect(try contents.contains("ab=3"))
  }
}
