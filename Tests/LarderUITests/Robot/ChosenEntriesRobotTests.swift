import LarderBrowser
import LarderModel
import Foundation
import HarmonySQLite
import LarderFormats
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Operations on all marked entries.
@Suite @MainActor struct ChosenEntriesRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE t(key TEXT PRIMARY KEY NOT NULL, value);
      INSERT INTO t VALUES('a', 'one'), ('session:1', 'x' || char(9) || 'y'), ('session:2', 2),
        ('session:3', x'00ff'), ('z', NULL);
      CREATE TABLE other(key TEXT PRIMARY KEY NOT NULL, value);
      INSERT INTO other VALUES('taken', 'there');
      CREATE TABLE numbers(key TEXT PRIMARY KEY NOT NULL, value INTEGER);
      CREATE TABLE many(key TEXT PRIMARY KEY NOT NULL, value);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999)
        INSERT INTO many SELECT printf('key:%05d', i), i FROM n;
      """)
  }

  private func browser(_ table: String = "t") async throws -> Robot {
    try await Robot(
      ["app.db#\(table)"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: 120, height: 24), files: .private
    ).settle()
  }

  private func keys(_ table: String = "t") async throws -> String? {
    try await folder.text(
      "SELECT group_concat(key, ' ') FROM (SELECT key FROM \(table) ORDER BY 1)")
  }

  @Test func `All filtered keys are marked and deleted in one change`() async throws {
    let browser = try await browser("many")
    await browser.pressEach("/99<Enter>A").expect("marked 318 entries").expect("318 marked")
    // Clearing the filter does not change which entries are marked.
    await browser.pressEach("d").expect("Delete 318 marked entries")
    await browser.pressEach("y").expect("deleted 318 entries")
    #expect(
      try await folder.text("SELECT cast(count(*) AS TEXT) FROM many WHERE key LIKE '%99%'") == "0")
    #expect(try await folder.text("SELECT cast(count(*) AS TEXT) FROM many") == "11682")
    await browser.pressEach("u").expect("undone")
    #expect(try await folder.text("SELECT cast(count(*) AS TEXT) FROM many") == "12000")
    await browser.pressEach("<Esc>A").expect("marked the first 10,000 entries; there are more")
    await browser.pressEach("<Esc>").expect("all marks cleared")
  }

  @Test func markedKeysAreCopiedInEveryForm() async throws {
    let browser = try await browser()
    await browser.pressEach("/session<Enter>Ay").expect("copied 3 keys")
    #expect(browser.terminal.copies.last == "session:1\nsession:2\nsession:3")
    await browser.pressEach(":copy-as table<Enter>").expect("copied 3 entries")
    #expect(browser.terminal.copies.last == "session:1\tx\\ty\nsession:2\t2\nsession:3\t00 ff\n")
    await browser.pressEach(":copy-as json<Enter>")
    let lines = try #require(browser.terminal.copies.last).split(separator: "\n")
    let entries = try lines.map { try EntryLine($0.utf8) }
    #expect(entries.map(\.value) == [.text("x\ty"), .integer(2), .data([0, 0xFF])])
    await browser.pressEach(":copy-as paper<Enter>").expect("cannot copy as “paper”")
    await browser.pressEach("<Esc>g:copy-as keys<Enter>").expect("copied 1 key")
    #expect(browser.terminal.copies.last == "session:1")
  }

  @Test func `Marked entries are exported; replacing a file asks first`() async throws {
    let browser = try await browser()
    let path = folder.path + "/out.jsonl"
    await browser.pressEach(":export \(path).1<Enter>").expect("exported 1 entry to")
    let one = try EntryLine(Array(try Data(contentsOf: URL(filePath: path + ".1")).dropLast()))
    #expect(one.key == browser.state.keys?.selected?.key)
    await browser.pressEach("/session<Enter>A:export \(path)<Enter>").expect(
      "exported 3 entries to")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      try text.split(separator: "\n").map { try EntryLine($0.utf8).key.notation(.text) } == [
        "session:1", "session:2", "session:3",
      ])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    await browser.pressEach(":export \(path)<Enter>").expect("already exists")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    await browser.pressEach(":export --replace \(path)<Enter>").expect("exported 3 entries to")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    await browser.pressEach(":export \(folder.path)/none/x<Enter>").expect("cannot be written")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".tmp") })
  }

  @Test func `The prefix of marked keys is renamed in one change`() async throws {
    let browser = try await browser()
    await browser.pressEach("/session<Enter>Ar").expect("new prefix: session:")
      .expect("Enter renames 3 entries: session:1 → session:1")
    await browser.pressEach("<Ctrl-U>s/").expect("session:1 → s/1, session:2 → s/2")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    await browser.pressEach("<Enter>").expect("renamed 3 entries").expectNot("3 marked")
    #expect(try await keys() == "a s/1 s/2 s/3 z")
    await browser.pressEach("u").expect("undone")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    // One taken key refuses the whole rename.
    try await folder.database("INSERT INTO t VALUES('q2', 1)")
    await browser.pressEach("<Esc><Esc>/session<Enter>Ar<Ctrl-U>q<Enter>")
      .expect("q2 already exists; nothing was renamed")
    #expect(try await keys() == "a q2 session:1 session:2 session:3 z")
    await browser.pressEach("<Esc>").expect("nothing was renamed")
  }

  @Test func `An entry changed since it was marked is not renamed`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Space><Space>")
    try await folder.database("UPDATE t SET value = 'theirs' WHERE key = 'session:1'")
    await browser.pressEach("r<Ctrl-U>x<Enter>").expect("was changed by another program")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
  }

  @Test func anEntryIsDuplicatedUnderAFreeKey() async throws {
    let browser = try await browser()
    await browser.pressEach("C<Ctrl-U>z<Enter>").expect("an entry with this key already exists")
    await browser.pressEach("<Ctrl-U>b<Enter>").expect("copied a to b").expect(selected: .text("b"))
    #expect(try await keys() == "a b session:1 session:2 session:3 z")
    #expect(try await folder.text("SELECT value FROM t WHERE key = 'b'") == "one")
    await browser.pressEach("u").expect("undone")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
  }

  @Test func markedEntriesAreCopiedToAnotherStoreWithTheirTypes() async throws {
    let browser = try await browser()
    await browser.pressEach("/session<Enter>A:copy-to<Enter>").expect("app.db#other")
      .expect("Enter copies 3 entries")
    await browser.pressEach("other<Enter>").expect("copied 3 entries to app.db#other")
    #expect(try await keys("other") == "session:1 session:2 session:3 taken")
    #expect(
      try await folder.text(
        "SELECT group_concat(key || ' ' || typeof(value)) FROM (SELECT * FROM other ORDER BY key)")
        == "session:1 text,session:2 integer,session:3 blob,taken text")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    await browser.pressEach(":copy-to t<Enter>").expect("already in that store")
    await browser.pressEach("<Esc>:copy-to other<Enter>").expect("3 were already there")
    try await folder.database("UPDATE other SET value = 'theirs' WHERE key = 'session:1'")
    await browser.pressEach(":copy-to other<Enter>").expect("exists in").expect("nothing was")
    #expect(
      try await folder.text("SELECT value FROM other WHERE key = 'session:1'") == "theirs")
    await browser.pressEach("<Esc>:move-to other<Enter>").expect("exists in")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    await browser.pressEach("<Esc><Esc><Esc>g")
  }

  @Test func `A copy the store cannot hold is rolled back`() async throws {
    let browser = try await browser()
    try await folder.database("INSERT INTO t VALUES('digits', '42')")
    await browser.pressEach("<F5>/digits<Enter>:copy-to numbers<Enter>")
      .expect("would store the integer 42 instead of the text").expect("nothing was written")
    #expect(try await folder.text("SELECT cast(count(*) AS TEXT) FROM numbers") == "0")
  }

  @Test func `A move deletes the entries after copying them`() async throws {
    let browser = try await browser()
    await browser.pressEach("/session<Enter>A:move-to other<Enter>").expect("moved 3 entries")
    #expect(try await keys("other") == "session:1 session:2 session:3 taken")
    #expect(try await keys() == "a z")
    await browser.pressEach("u").expect("undone")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    // An entry changed by another program stays, and is not copied either.
    await browser.pressEach("<Esc>g<Space>").expect("1 marked")
    try await folder.database("UPDATE t SET value = 'theirs' WHERE key = 'a'")
    await browser.pressEach(":move-to other<Enter>").expect("was changed by another program")
    #expect(try await keys("other") == "session:1 session:2 session:3 taken")
  }

  @Test func `A move is reverted when its deletion also removes the copy`() async throws {
    try await folder.database(
      """
      CREATE TRIGGER both AFTER DELETE ON t BEGIN DELETE FROM other WHERE key = old.key; END;
      """)
    let browser = try await browser()
    await browser.pressEach("<Space>:move-to other<Enter>").expect("also deleted or changed it")
      .expect("it was restored, and not moved")
    #expect(try await keys() == "a session:1 session:2 session:3 z")
    #expect(try await folder.text("SELECT value FROM t WHERE key = 'a'") == "one")
    #expect(try await keys("other") == "taken")
  }

  @Test func `An ambiguous store name is refused`() async throws {
    for name in ["x", "y"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name, withIntermediateDirectories: true)
      try "{}".write(
        toFile: folder.path + "/\(name)/list.json", atomically: true, encoding: .utf8)
    }
    let browser = try await Robot(
      ["app.db#t", "x/list.json", "y/list.json"], stores: .sqlite(folder),
      size: Size(width: 120, height: 24)
    ).settle()
    await browser.pressEach("g:copy-to list.json<Enter>").expect("choose one")
    for name in ["x", "y"] {
      let path = folder.path + "/\(name)/list.json"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
    }
    await browser.pressEach("<Esc>:copy-to y/list.json<Enter>").expect("copied 1 entry to y/")
  }

  @Test func keysThatLookLikePathsStayNames() async throws {
    try await folder.database("INSERT INTO t VALUES('/list/name', 'v'), ('(x)', 'w')")
    try "{}".write(toFile: folder.path + "/list.json", atomically: true, encoding: .utf8)
    let browser = try await Robot(
      ["app.db#t", "list.json"], stores: .sqlite(folder), size: Size(width: 120, height: 24)
    ).settle()
    await browser.pressEach("//^v<Enter>A:copy-to list.json<Enter>").expect("copied 1 entry")
    await browser.pressEach("<Esc><Esc>//^w<Enter>A:move-to list.json<Enter>").expect(
      "moved 1 entry")
    let bytes = try Data(contentsOf: URL(filePath: folder.path + "/list.json"))
    let object = try JSONSerialization.jsonObject(with: bytes) as? [String: String]
    #expect(object == ["/list/name": "v", "(x)": "w"])
  }

  @Test func `An export does not replace a store`() async throws {
    try await folder.database("SELECT 1")
    let browser = try await browser()
    let path = folder.path + "/app.db"
    let copy = folder.path + "/copy.db"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let before = try Data(contentsOf: URL(filePath: path))
    await browser.pressEach("A:export --replace \(path)<Enter>").expect("cannot replace a database")
    await browser.pressEach(":export --replace \(copy)<Enter>").expect("a database")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try Data(contentsOf: URL(filePath: copy)).starts(with: Array("SQLite".utf8)))
  }

  @Test func `An export replaces nothing in an open folder`() async throws {
    let app = folder.path + "/com.example.app"
    for name in ["shared_prefs", "files"] {
      try FileManager.default.createDirectory(
        atPath: "\(app)/\(name)", withIntermediateDirectories: true)
    }
    let settings = app + "/shared_prefs/settings.xml"
    let note = app + "/files/note.txt"
    let text = "<?xml version='1.0'?><map><int name=\"n\" value=\"1\" /></map>"
    try text.write(toFile: settings, atomically: true, encoding: .utf8)
    try "note".write(toFile: note, atomically: true, encoding: .utf8)
    let browser = try await Robot(
      ["com.example.app"], stores: .real(folder), size: Size(width: 120, height: 24),
      files: .private
    ).settle()
    await browser.pressEach("A").expect("1 of 1 entry")
    for path in [settings, note] {
      let before = try Data(contentsOf: URL(filePath: path))
      await browser.pressEach(":export --replace \(path)<Enter>").expect("nothing was written")
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `An export does not replace a special file`() async throws {
    let browser = try await browser()
    let target = folder.path + "/target"
    try "kept".write(toFile: target, atomically: true, encoding: .utf8)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [link, pipe] {
      await browser.pressEach("A:export --replace \(path)<Enter>").expect("nothing was written")
    }
    var status = stat()
    #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `A member added to a value is shown in that value`() async throws {
    let path = folder.path + "/list.json"
    try #"{"a": 1, "users": [{"name": "Ada"}]}"#.write(
      toFile: path, atomically: true, encoding: .utf8)
    let browser = try await Robot(["list.json"], stores: .sqlite(folder)).settle()
    await browser.pressEach("a/users/0/age<Enter><Ctrl-T>36<Enter>")
      .expect("saved").expect(selected: .text("users")).expect("\"age\": 36")
    #expect(browser.state.keys?.window.entries.map(\.key) == [.text("a"), .text("users")])
    await browser.expect("2 of 2 entries").pressEach("g<Ctrl-G>(users,0,name)<Enter>")
      .expect(selected: .text("users")).expectNot("there is no")
  }

  @Test func `A new value can have any type the store supports`() async throws {
    let path = folder.path + "/list.json"
    try #"{"a": true}"#.write(toFile: path, atomically: true, encoding: .utf8)
    let browser = try await Robot(["list.json"], stores: .sqlite(folder)).settle()
    await browser.pressEach("ab<Enter><Ctrl-T><Ctrl-T><Ctrl-T>").expect("New b (bool)")
    await browser.pressEach("false<Enter>").expect("saved b")
    await browser.pressEach("ac<Enter>" + String(repeating: "<Ctrl-T>", count: 5))
      .expect("New c (array)").pressEach("[1, {\"d\": null}]<Enter>").expect("saved c")
    // The original type is among the choices, so Ctrl-T cycles back to it.
    await browser.pressEach("ge" + String(repeating: "<Ctrl-T>", count: 7)).expect("Edit a (bool)")
    await browser.pressEach("<Esc><Esc>")
    let bytes = try Data(contentsOf: URL(filePath: path))
    let object = try JSONSerialization.jsonObject(with: bytes) as? NSDictionary
    #expect(object == ["a": true, "b": false, "c": [1, ["d": NSNull()]]] as NSDictionary)
  }

  @Test func `A JSON file accepts only types it can hold`() async throws {
    try #"{"here": 1}"#.write(
      toFile: folder.path + "/list.json", atomically: true, encoding: .utf8)
    let browser = try await Robot(
      ["app.db#t", "list.json"], stores: .sqlite(folder), size: Size(width: 120, height: 24)
    ).settle()
    await browser.pressEach("g:copy-to list.json<Enter>").expect("copied 1 entry to list.json")
    await browser.pressEach("/session:3<Enter>:copy-to list.json<Enter>").expect("nothing was")
    let text = try String(contentsOfFile: folder.path + "/list.json", encoding: .utf8)
    #expect(text.contains(#""a": "one""#) && !text.contains("session"))
  }
}
