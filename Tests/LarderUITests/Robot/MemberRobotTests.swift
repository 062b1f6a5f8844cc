import Foundation
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Editing one member of a value without changing the rest of it.
@Suite @MainActor struct MemberRobotTests {
  private static let text = #"{ "name" : "Ada",\#n\#t"tags":[1,  2.50], "more":{"x":"\u0041"} }"#

  private func browser(_ text: String = text) async throws -> (Robot, TestFolder) {
    let folder = try await TestFolder.sample()
    try await folder.database(
      "CREATE TABLE t(key TEXT PRIMARY KEY, value); INSERT INTO t VALUES ('a', '\(text)');",
      name: "json.db")
    let journal = Journal(path: folder.path + "/state/journal.db")
    let robot = try Robot(
      ["json.db"], stores: .sqlite(folder, journal: journal), size: Size(width: 110, height: 24))
    return (await robot.settle(), folder)
  }

  private func saved(_ folder: TestFolder) async throws -> String? {
    try await folder.text("SELECT value FROM t", name: "json.db")
  }

  @Test(arguments: ["'false'", "x'66616c7365'", "'{\"a\":false}'"])
  func `Space toggles a Boolean, also one that is stored as text or bytes`(_ value: String)
    async throws
  {
    let (robot, folder) = try await browser()
    try await folder.database("UPDATE t SET value = \(value)", name: "json.db")
    let before = try await folder.text("SELECT CAST(value AS TEXT) FROM t", name: "json.db")
    await robot.pressEach("<F5><Enter>\(value.contains("{") ? "j" : "")").expect("toggle")
    await robot.pressEach("<Space>").expect("saved")
    let after = try await folder.text("SELECT CAST(value AS TEXT) FROM t", name: "json.db")
    #expect(after == before?.replacing("false", with: "true"))
    #expect(
      try await folder.text("SELECT typeof(value) FROM t", name: "json.db")
        == (value.hasPrefix("x") ? "blob" : "text"))
    await robot.pressEach("<Space>")
    #expect(
      try await folder.text("SELECT CAST(value AS TEXT) FROM t", name: "json.db") == before)
  }

  @Test func `Deleting a member leaves the rest, and undo restores it`() async throws {
    let (robot, folder) = try await browser()
    await robot.pressEach("<Enter><Down><Down><Down>").expect("tags[0]")
    await robot.pressEach("d").expect("Delete tags[0] of a from").expectNot("the whole entry")
    await robot.pressEach("n").expect("tags[0] of a was not deleted")
    #expect(try await saved(folder) == Self.text)
    await robot.pressEach("dy").expect("deleted tags[0] of a; u undoes")
    #expect(try await saved(folder) == Self.text.replacing("[1,  2.50]", with: "[2.50]"))
    await robot.pressEach("u").expect("undone")
    #expect(try await saved(folder) == Self.text)
    await robot.pressEach("g<Down>dy").expect("deleted name of a")
    #expect(try await saved(folder)?.contains(#""tags":[1,  2.50], "more":{"x":"\u0041"}"#) == true)
    #expect(try await saved(folder)?.contains("Ada") == false)
  }

  @Test func anObjectAsksForTheNameOfItsNewMember() async throws {
    let (robot, folder) = try await browser()
    await robot.pressEach("<Enter><Down>a").expect("new member: ").expect("a new member of a")
    await robot.pressEach("name").expect("a member with this name already exists")
    await robot.pressEach("<Enter>").expect("new member: name")
    await robot.pressEach("s<Enter>").expect("New a · names (text)")
    await robot.pressEach("x<Ctrl-T><Ctrl-T><Ctrl-T>").expect("not a whole number")
    await robot.pressEach("<Backspace>7<Enter>").expect("saved names of a")
    let text = try await saved(folder)
    #expect(
      text?.replacing(#", "names": 7"#, with: "").replacing(#", "names":7"#, with: "") == Self.text)
    await robot.pressEach("u").expect("undone")
    #expect(try await saved(folder) == Self.text)
  }

  @Test func `Fast typing adds no entry`() async throws {
    let (robot, _) = try await browser()
    await robot.press("<Enter><F5>a").settle().expectNot("new key")
  }

  @Test func `A new element is appended to its array`() async throws {
    let (robot, folder) = try await browser()
    await robot.pressEach("<Enter><Down><Down><Down>a").expect("New a · tags[2] (text)")
    await robot.pressEach("z<Enter>").expect("saved tags[2] of a")
    let text = try await saved(folder)
    #expect(text?.contains(#"[1,  2.50,  "z"]"#) == true, "\(text ?? "")")
  }

  @Test func `An empty text is an element too`() async throws {
    let (robot, folder) = try await browser("[]")
    await robot.pressEach("<Enter>a<Enter>").expect("saved [0] of a")
    let text = try await saved(folder)
    #expect(text?.filter { !$0.isWhitespace } == #"[""]"#)
  }

  @Test func `Changes of the entry by other programs stay`() async throws {
    let (robot, folder) = try await browser()
    await robot.pressEach("<Enter><Down><Down><Down>d")
    let theirs = #"{"tags":[1,2,3],"new":true}"#
    try await folder.database("UPDATE t SET value = '\(theirs)'", name: "json.db")
    await robot.pressEach("y").expect("Changed by another program")
    #expect(try await saved(folder) == theirs)
    await robot.pressEach("m").expect("deleted tags[0] of a")
    #expect(try await saved(folder) == #"{"tags":[2,3],"new":true}"#)
    await robot.pressEach("g<Down><Down>d")
    try await folder.database("UPDATE t SET value = '{}'", name: "json.db")
    await robot.pressEach("y").expect("mine (the value no longer has").pressEach("m")
    robot.expect("was not deleted")
    #expect(try await saved(folder) == "{}")
  }

  @Test func `A shifted element is not deleted instead of the one asked about`() async throws {
    let (robot, folder) = try await browser("[1,2,3]")
    await robot.pressEach("<Enter><Down><Down>d").expect("Delete [1] of a from")
    try await folder.database("UPDATE t SET value = '[2,3]'", name: "json.db")
    await robot.pressEach("y").expect("mine (another element is here now)")
    await robot.pressEach("m").expect("[1] of a was not deleted: another element is here now")
    #expect(try await saved(folder) == "[2,3]")
  }

  @Test(arguments: [
    ("[1,2,3]", "<Down><Down>", "[0,1,2,3]", "[0,7,2,3]"),
    (
      #"[{"x":1},{"x":2}]"#, "<Down><Down><Down><Down><Down>", #"[{"x":9},{"x":1},{"x":2}]"#,
      #"[{"x":9},{"x":7},{"x":2}]"#
    ),
  ])
  func `An element that shifted is not overwritten without confirmation`(
    mine: String, way: String, theirs: String, both: String
  ) async throws {
    let (robot, folder) = try await browser(mine)
    await robot.pressEach("<Enter>\(way)e<Ctrl-U>7")
    try await folder.database("UPDATE t SET value = '\(theirs)'", name: "json.db")
    await robot.pressEach("<Enter>").expect("Changed by another program")
    await robot.pressEach("m").expect("another element is at this index")
    #expect(try await saved(folder) == theirs)
    // A second Enter confirms and writes over the other element.
    await robot.pressEach("<Enter>").expect("saved [1]")
    #expect(try await saved(folder) == both)
  }

  @Test func `A member no other program changed is written directly`() async throws {
    let (robot, folder) = try await browser("[1,2,3]")
    await robot.pressEach("<Enter><Down><Down>e<Ctrl-U>7")
    try await folder.database("UPDATE t SET value = '[1,2,4]'", name: "json.db")
    await robot.pressEach("<Enter>m").expect("saved [1]")
    #expect(try await saved(folder) == "[1,7,4]")
  }

  @Test func `A member of a shifted element is not deleted`() async throws {
    let (robot, folder) = try await browser(#"[{"x":1},{"x":2}]"#)
    await robot.pressEach("<Enter><Down><Down><Down><Down><Down>d").expect("Delete [1].x of a from")
    let theirs = #"[{"x":9},{"x":1},{"x":2}]"#
    try await folder.database("UPDATE t SET value = '\(theirs)'", name: "json.db")
    await robot.pressEach("ym").expect("[1].x of a was not deleted: another element is here now")
    #expect(try await saved(folder) == theirs)
  }

  @Test func `A member is added to the entry it was named for`() async throws {
    let (robot, folder) = try await browser()
    try await folder.database("INSERT INTO t VALUES ('b', '{}')", name: "json.db")
    await robot.pressEach("<F5>w<Enter><Down>a").press("new").settle()
    try await folder.database("DELETE FROM t WHERE key = 'a'", name: "json.db")
    await robot.pressEach("<Enter>").expect("New a · new (text)")
    await robot.pressEach("x<Enter>")
    #expect(try await folder.text("SELECT value FROM t WHERE key = 'b'", name: "json.db") == "{}")
  }

  @Test func `An empty name is reported`() async throws {
    let (robot, folder) = try await browser()
    await robot.pressEach("<Enter><Down>a<Enter>").expect("no name was typed; nothing was added")
    #expect(try await saved(folder) == Self.text)
  }

  @Test func `A single-value store accepts no entry from its tree either`() async throws {
    let folder = try await TestFolder.sample()
    let path = folder.path + "/one.plist"
    let list = #"<plist version="1.0"><string>{"x": [1]}</string></plist>"#
    try list.write(toFile: path, atomically: true, encoding: .utf8)
    let robot = try Robot(
      ["one.plist"], stores: .sqlite(folder), size: Size(width: 110, height: 24))
    await robot.settle()
    await robot.pressEach("<Enter><Down>").expect("\"x\": [")
    await robot.pressEach(":add y<Enter>").expect("this store takes no new entries")
    robot.expectNot("new key")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == list)
  }

  @Test func `An element is appended after those added by others`() async throws {
    let (robot, folder) = try await browser("[1]")
    await robot.pressEach("<Enter>az").expect("New a · [1]")
    try await folder.database("UPDATE t SET value = '[1,2]'", name: "json.db")
    await robot.pressEach("<Enter>").expect("Changed by another program").pressEach("m")
    robot.expect("saved [2] of a")
    #expect(try await saved(folder) == #"[1,2,"z"]"#)
  }

  @Test func `In a document the surrounding bytes stay too`() async throws {
    let folder = try await TestFolder.sample()
    let text = "{\n  \"a\": {\"x\": 1.50, \"y\": [1,  2], \"z\": \"\\u0041\"},\n  \"b\": 1e2\n}\n"
    let path = folder.path + "/doc.json"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let journal = Journal(path: folder.path + "/state/journal.db")
    let robot = try Robot(
      ["doc.json"], stores: .sqlite(folder, journal: journal), size: Size(width: 110, height: 24))
    await robot.settle()
    await robot.pressEach("<Enter><Down><Down>dy").expect("deleted y")
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == text.replacing(#" "y": [1,  2],"#, with: ""))
    await robot.pressEach("u").expect("undone")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    await robot.pressEach("g<Down>a").pressEach("new<Enter>v<Enter>").expect("saved new")
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == text.replacing(#""\u0041"}"#, with: #""\u0041", "new": "v"}"#))
  }
}
