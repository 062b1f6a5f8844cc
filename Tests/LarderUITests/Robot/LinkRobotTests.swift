import LarderBrowser
import LarderModel
import Foundation
import Harmony
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Following a link of a Realm object, and coming back.
@Suite @MainActor struct LinkRobotTests {
  private let browser: Robot

  init() async throws {
    let folder = try TestFolder()
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "HarmonyRealmTests/Fixtures/r3.realm")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: folder.path + "/items.realm")
    browser = try await Robot(["items.realm#Item"], stores: .sqlite(folder)).settle()
  }

  @Test func `Enter on a link shows the entry, and Esc returns to the link`() async {
    await browser.pressEach("G").expect("http.100002")
    await browser.press("<Enter>").settle()
    let key = browser.state.keys?.selected?.key
    await browser.pressEach("/owner<Enter>").expect("#Owner/")
    await browser.press("<Enter>").settle()
    #expect(browser.state.keys?.store.reference.collection == "Owner")
    browser.expect("Owner 2")
    await browser.press("<Esc>").settle()
    #expect(browser.state.keys?.selected?.key == key)
    await browser.press("<Enter>").settle().expect("#Owner/")
  }

  @Test func `Enter on a file that is a store opens it, and Esc returns to the folder`()
    async throws
  {
    let folder = try TestFolder()
    let files = folder.path + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try await folder.database(
      "CREATE TABLE kv(key TEXT PRIMARY KEY, value); INSERT INTO kv VALUES('k', 'v')",
      name: "files/cache.db")
    for (name, text) in [
      (
        "list.plist",
        "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>k</key><string>v</string></dict></plist>"
      ),
      ("note.txt", "hello"), ("number.json", "1"), ("x.json", #"{"k": "v"}"#),
    ] {
      try text.write(toFile: files + "/" + name, atomically: true, encoding: .utf8)
    }
    let journal = Journal(path: folder.path + "/state/journal.db")
    let browser = try await Robot([files + "#."], stores: .live(folder, journal: journal)).settle()
    for (name, kind) in [("cache.db", "sqlite"), ("list.plist", "plist"), ("x.json", "json")] {
      await browser.pressEach("<Ctrl-G>\(name)<Enter>").pressEach("<Enter>")
      #expect(browser.state.keys?.store.kind.name == kind)
      #expect(browser.state.keys?.selected?.key.textBytes == Array("k".utf8) || kind != "sqlite")
      await browser.pressEach("<Esc>")
      #expect(browser.state.keys?.store.kind.name == "folder")
      #expect(browser.state.keys?.selected?.key == .text(name))
    }
    await browser.pressEach("<Right>")
    #expect(browser.state.keys?.store.kind.name == "folder" && browser.state.focus == .value)
    for name in ["note.txt", "number.json"] {
      await browser.pressEach("<Esc><Ctrl-G>\(name)<Enter>").pressEach("<Enter>")
      #expect(browser.state.keys?.store.kind.name == "folder" && browser.state.focus == .value)
    }
  }

  @Test func `A file of a database is refused before its editor opens`() async throws {
    let folder = try TestFolder()
    let files = folder.path + "/files"
    try FileManager.default.createDirectory(
      atPath: files + "/x.leveldb", withIntermediateDirectories: true)
    for name in ["note.txt", "x.leveldb/CURRENT", "x.leveldb/MANIFEST-000001"] {
      try "text".write(toFile: files + "/" + name, atomically: true, encoding: .utf8)
    }
    let browser = try await Robot(["files"], stores: .real(folder)).settle()
    for command in ["e", "r", "d", "E"] {
      await browser.pressEach("<Ctrl-G>x.leveldb/CURRENT<Enter>").pressEach(command)
      #expect(browser.state.overlay == nil, "\(command)")
      #expect(browser.state.message?.kind == .warning, "\(command)")
    }
    await browser.pressEach("<Ctrl-G>note.txt<Enter>e")
    #expect(browser.state.isTyping)
  }

  @Test func `Stores with several collections are branches of their container`() async throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/app/databases", withIntermediateDirectories: true)
    try await folder.database(
      "CREATE TABLE cart(key TEXT PRIMARY KEY, value); CREATE TABLE done(key TEXT PRIMARY KEY, value);",
      name: "app/databases/shop.db")
    try await folder.database(
      "CREATE TABLE kv(key TEXT PRIMARY KEY, value);", name: "app/databases/RKStorage")
    let browser = try await Robot(["app"], stores: .real(folder)).settle()
    let rows = browser.state.stores.rows
    #expect(
      rows.map(\.title) == ["app", "databases/RKStorage", "databases/shop.db", "cart", "done", "."])
    #expect(rows.map(\.depth) == [0, 1, 1, 2, 2, 1])
    // A branch cannot be marked.
    await browser.pressEach("<Shift-Tab>gjj<Space>")
    #expect(browser.state.stores.marked.isEmpty)
    await browser.pressEach("j<Enter>")
    #expect(browser.state.keys?.store.reference.collection == "databases/shop.db#cart")
  }

  @Test func `Enter opens a large database, and shows a file that only has its name`()
    async throws
  {
    let folder = try TestFolder()
    let files = folder.path + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try await folder.database(
      "CREATE TABLE kv(key TEXT PRIMARY KEY, value); "
        + "INSERT INTO kv VALUES('k', zeroblob(\(65 << 20)))",
      name: "files/large.sqlite")
    try "hello".write(toFile: files + "/note.db", atomically: true, encoding: .utf8)
    let journal = Journal(path: folder.path + "/state/journal.db")
    let browser = try await Robot([files + "#."], stores: .live(folder, journal: journal)).settle()
    await browser.pressEach("<Ctrl-G>large.sqlite<Enter>").pressEach("<Enter>")
    #expect(browser.state.keys?.store.kind.name == "sqlite")
    #expect(browser.state.keys?.selected?.key == .text("k"))
    await browser.pressEach("<Esc>")
    #expect(browser.state.keys?.selected?.key == .text("large.sqlite"))
    await browser.pressEach("<Ctrl-G>note.db<Enter>").pressEach("<Enter>")
    #expect(browser.state.keys?.store.kind.name == "folder" && browser.state.focus == .value)
    #expect(browser.state.message?.kind == .error)
  }
}
