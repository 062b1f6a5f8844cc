import LarderJournal
import Harmony
@testable import LarderModel
@testable import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Bookmarks that persist from one run of the browser to the next.
@Suite @MainActor struct BookmarkRobotTests {
  private let folder: TestFolder
  private let kept = InMemoryDataSource<Bookmark>()

  init() async throws {
    folder = try await .sample()
  }

  private func browser(
    _ location: String = "app.db#settings", keeps: Bool = true
  ) async throws -> Robot {
    let drafts = DraftStorage(
      session: "1", source: AnyDataSource(InMemoryDataSource<Draft>()), isRunning: { _ in true })
    return try await Robot(
      [location], stores: .sqlite(folder), drafts: keeps ? drafts : nil,
      bookmarks: keeps ? BookmarkStorage(AnyDataSource(kept)) : nil
    ).settle()
  }

  @Test func `A bookmark is found by its name`() async throws {
    let browser = try await browser()
    await browser.pressEach("bG").expectNot("'bob")
    await browser.pressEach("BDou").expect("Double.pi")
    await browser.pressEach("<Enter>").expect(selected: .text("Double.pi"))
    await browser.pressEach("G:bookmarks Double.pi<Enter>").expect(selected: .text("Double.pi"))
    await browser.pressEach("GBdou<Enter>").expect(selected: .text("Double.pi"))
  }

  @Test func `Of two commands for a bookmark, the last wins`() async throws {
    let keeper = BookmarkStorage(AnyDataSource(kept))
    let orders = LatestWins()
    let bookmark = Bookmark(place: StoreLocation(path: "/app.db"), key: .text("a"))
    try orders.perform(2, for: bookmark.id) { try keeper.set(bookmark, isKept: false) }
    try orders.perform(1, for: bookmark.id) { try keeper.set(bookmark, isKept: true) }
    #expect(keeper.all(at: bookmark.place).isEmpty)
    try orders.perform(3, for: bookmark.id) { try keeper.set(bookmark, isKept: true) }
    #expect(keeper.all(at: bookmark.place) == [bookmark])
  }

  @Test func `A bookmark is restored in the next run`() async throws {
    let first = try await browser()
    await first.pressEach("jb").expect("bookmarked bob")
    await first.pressEach("Gb").expect("bookmarked two lines")
    #expect(try await kept.getAll(AllObjectsQuery()).get().count == 2)
    let next = try await browser()
    await next.expect("'bob").pressEach("B").expect("bookmark: ").expect("two lines")
    await next.pressEach("two<Enter>").expect(selected: .text("two lines"))
    await next.pressEach("[").expect(selected: .text("Double.pi"))
    await next.pressEach("B<Down><Enter>").expect(selected: .text("bob"))
    await next.pressEach("b").expect("bookmark removed").expectNot("'bob")
    #expect(try await kept.getAll(AllObjectsQuery()).get().map(\.key) == [.text("two lines")])
    // Each store has its own bookmarks.
    let other = try await browser("app.db#people")
    await other.pressEach("B").expect("this store has no bookmark")
  }

  @Test func `A bookmark whose key was deleted says so`() async throws {
    let browser = try await browser()
    await browser.pressEach("jb")
    try await folder.database("DELETE FROM settings WHERE key = 'bob'")
    await browser.pressEach("B<Enter><Enter>").pressEach("B<Down><Enter>")
      .expect("there is no “bob”; the next entry is selected")
  }

  @Test func `Without a journal no bookmark is stored`() async throws {
    let browser = try await browser(keeps: false)
    await browser.pressEach("b").expect("--no-journal disables bookmarks")
    await browser.pressEach("B").expect("disables bookmarks")
  }
}
