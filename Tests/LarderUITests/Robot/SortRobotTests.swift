import LarderBrowser
import Foundation
import LarderModel
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Other sort orders of the list of keys.
@Suite @MainActor struct SortRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE t(key TEXT PRIMARY KEY NOT NULL, value);
      INSERT INTO t VALUES('a:long', 'a rather long text'), ('b', 1), ('c:x', 'abc'),
        ('c:y', x'00'), ('d', NULL), ('e', 'abc');
      CREATE TABLE many(key TEXT PRIMARY KEY NOT NULL, value);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
        INSERT INTO many SELECT printf('key:%04d', i), zeroblob((i * 7919) % 5000) FROM n;
      """)
  }

  private func browser(_ table: String = "t", width: Int = 80) async throws -> Robot {
    try await Robot(
      ["app.db#\(table)"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: width, height: 24)
    ).settle()
  }

  private func rows(_ browser: Robot) -> [String] {
    browser.state.keys?.window.entries.map { $0.key.notation(.text) } ?? []
  }

  @Test func `The whole list is sorted by size`() async throws {
    let browser = try await browser()
    await browser.pressEach("jj").expect(selected: .text("c:x"))
    browser.press("s")
    await browser.settle().expect("sort by: ").expect("largest first").expectNot(" hits")
    await browser.pressEach("si<Enter>").expect(selected: .text("a:long")).expect("size ↓")
      .expect("by size, largest first")
    #expect(rows(browser) == ["a:long", "b", "c:x", "e", "c:y", "d"])
    browser.expectRow("▾SIZE").expectRow(" a:long ", " 18 B ").expectRow(" d ", " 0 B ")
    // Sorting by the same column again reverses the order; equal rows stay in key order.
    await browser.pressEach(":sort size<Enter>").expect("size ↑").expect(selected: .text("d"))
    #expect(rows(browser) == ["d", "c:y", "c:x", "e", "b", "a:long"])
    await browser.pressEach(":sort type<Enter>")
    #expect(rows(browser) == ["c:y", "b", "d", "a:long", "c:x", "e"])
  }

  @Test func `Changing the order shows the start of the list`() async throws {
    let browser = try await browser()
    await browser.pressEach(":sort size<Enter>").expect(selected: .text("a:long"))
    await browser.pressEach("g:sort size up<Enter>").expect(selected: .text("d"))
    await browser.pressEach("j:sort key<Enter>").expect(selected: .text("a:long"))
    await browser.pressEach("[").expect(selected: .text("c:y")).expect("size ↑")
  }

  @Test func `Key orders are listed, and unknown orders refused`() async throws {
    let browser = try await browser()
    await browser.pressEach("jj:sort type<Enter>").expect(selected: .text("c:y"))
    await browser.pressEach(":sort key down<Enter>").expect("key ↓").expect(selected: .text("e"))
    #expect(rows(browser) == ["e", "d", "c:y", "c:x", "b", "a:long"])
    await browser.pressEach(":sort key up<Enter>").expectNot("key ↓")
    #expect(browser.state.keys?.order == .key)
    await browser.pressEach(":sort modified<Enter>").expect(
      "does not record when entries were written")
    await browser.pressEach(":sort color<Enter>").expect("cannot sort by")
  }

  @Test(arguments: [40, 60, 140])
  func timesLeaveRoomForTheKeys(_ width: Int) async throws {
    let path = folder.path + "/files/a-name-of-some-length"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/files", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 97_445.75)], ofItemAtPath: path)
    let store = try await Stores.open(StoreLocation(path: folder.path + "/files")).store(nil)
    let browser = try await Robot(
      ["slow"], stores: .wrapping(store, store.source), size: Size(width: width, height: 12)
    ).settle()
    await browser.pressEach(":sort modified<Enter>").expectRow("KEY", "▾MODIFIED")
      .expectRow(" a-nam", "1970-01-02 03:04")
  }

  @Test func aSortedListIsFilteredAndPagedBothWays() async throws {
    let browser = try await browser("many")
    await browser.pressEach(":sort size down<Enter>g")
    let sizes = (0..<5_000).map { ($0, $0 * 7_919 % 5_000) }.sorted { $0.1 > $1.1 }
    let keys = sizes.map { EntryKey.text(String(format: "key:%04d", $0.0)) }
    browser.expect(selected: keys[0])
    for _ in 0..<40 { await browser.pressEach("<PgDn>") }
    let row = try #require(browser.state.keys?.selected?.key)
    let place = try #require(keys.firstIndex(of: row))
    #expect(place > 700)
    for _ in 0..<60 { await browser.pressEach("<PgUp>") }
    browser.expect(selected: keys[0])
    await browser.pressEach("G").expect(selected: keys[4_999])
    for _ in 0..<60 { await browser.pressEach("<PgUp>") }
    let earlier = try #require(browser.state.keys?.window.entries.map(\.key))
    #expect(Array(keys[(5_000 - earlier.count)...]) == earlier)
    await browser.pressEach("/99<Enter>").expect(
      selected: keys.first { $0.notation(.text).contains("99") })
    let found = try #require(browser.state.keys?.window.entries.map(\.key))
    #expect(found == keys.filter { $0.notation(.text).contains("99") })
  }

  @Test func `Going to a key and back works in any order`() async throws {
    let browser = try await browser("many")
    await browser.pressEach(":sort size up<Enter><Ctrl-G>key:0123<Enter>")
      .expect(selected: .text("key:0123"))
    let window = try #require(browser.state.keys?.window.entries)
    #expect(window.count > 100)
    #expect(zip(window, window.dropFirst()).allSatisfy { ($0.size ?? 0) <= ($1.size ?? 0) })
    await browser.pressEach("[").expect(selected: .text("key:0000"))
    await browser.pressEach("]").expect(selected: .text("key:0123"))
    let rows = browser.state.keys?.window.entries
    await browser.pressEach("<Ctrl-G>nothing<Enter>").expect("there is no “nothing”")
      .expect(selected: .text("key:0123"))
    #expect(browser.state.keys?.window.entries == rows)
    await browser.pressEach(":sort key<Enter>").expect(selected: .text("key:0000"))
    await browser.pressEach("[").expect("size ↑").expect(selected: .text("key:0123"))
    await browser.pressEach("[").expect(selected: .text("key:0000"))
  }

  @Test(arguments: ["", ":sort size<Enter>", "T"])
  func `A missing key leaves the selection unchanged`(_ first: String) async throws {
    let browser = try await browser("many")
    await browser.pressEach(first + "<PgDn><PgDn>")
    let before = try #require(browser.state.keys)
    let jumps = browser.state.jumps
    let refusals = browser.state.refusalCount
    // Commands typed ahead of a failed jump must not reach another entry.
    browser.press("<Ctrl-G>kye:0123<Enter>d")
    await browser.settle().expect("there is no “kye:0123”")
    #expect(browser.state.refusalCount == refusals + 1)
    #expect(browser.state.overlay == nil)
    #expect(browser.state.keys?.window == before.window)
    #expect(browser.state.keys?.cursor == before.cursor)
    #expect(browser.state.jumps == jumps)
  }

  @Test func `A prefix of a key is enough to go there`() async throws {
    let browser = try await browser("many")
    await browser.pressEach("<Ctrl-G>key:40<Enter>").expect(selected: .text("key:4000"))
    #expect(browser.state.refusalCount == 0)
  }

  @Test func aTreeIsSortedAsAList() async throws {
    let browser = try await browser()
    await browser.pressEach(":sort size<Enter>T").expect("in key order")
      .expect("▸ a:").expectNot("size ↓")
    await browser.pressEach(":sort size up<Enter>").expect("size ↑").expect(selected: .text("d"))
    #expect(browser.state.keys?.tree == nil)
    await browser.pressEach("T").expect("▸ a:")
    await browser.pressEach("T").expect("size ↑")
    #expect(rows(browser).first == "d")
  }

  @Test func `Written and deleted entries update the order`() async throws {
    let browser = try await browser()
    await browser.pressEach(":sort size down<Enter>gG").expect(selected: .text("d"))
    await browser.pressEach("e<Ctrl-T><Ctrl-U>").settle()
    await browser.pressEach("<Esc><Esc>")
    await browser.pressEach("k").expect(selected: .text("c:y"))
    await browser.pressEach("k").expect(selected: .text("e"))
    await browser.pressEach("e<Ctrl-U>by far the longest text of all<Enter>")
      .expect(selected: .text("e")).expect("saved e")
    #expect(rows(browser) == ["e", "a:long", "b", "c:x", "c:y", "d"])
    await browser.pressEach("dy").expect("deleted e").expect(selected: .text("a:long"))
    await browser.pressEach("u").expect(selected: .text("e"))
    #expect(rows(browser).first == "e")
    await browser.pressEach("azz<Enter>")
    await browser.pressEach("abcd<Enter>").expect(selected: .text("zz"))
    #expect(rows(browser) == ["e", "a:long", "b", "zz", "c:x", "c:y", "d"])
    await browser.pressEach("<F5>").expect(selected: .text("zz"))
  }

  @Test func `A range marks the rows in list order`() async throws {
    let browser = try await browser()
    await browser.pressEach(":sort size down<Enter>gVjjV")
    #expect(browser.state.keys?.marked == [.text("a:long"), .text("b"), .text("c:x")])
  }

  @Test func `The best fuzzy matches come first`() async throws {
    try await folder.database(
      "INSERT INTO t VALUES('bus_anime', 1), ('user.name', 2), ('user.nickname', 3)")
    let browser = try await browser()
    await browser.pressEach("/~usnm<Enter>").expect("best first")
    #expect(rows(browser) == ["user.name", "user.nickname", "bus_anime"])
    // An explicitly chosen order stays.
    await browser.pressEach(":sort key down<Enter>").expectNot("best first")
    #expect(rows(browser) == ["user.nickname", "user.name", "bus_anime"])
    await browser.pressEach(":sort key<Enter>").expect("best first").expect(
      selected: .text("user.name"))
    await browser.pressEach("j<Esc>").expect(selected: .text("user.nickname")).expectNot(
      "best first")
    #expect(rows(browser).count == 9)
  }
}
