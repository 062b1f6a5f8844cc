import LarderModel
import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Copies and moves to another store, with progress, stops and failures.
@Suite @MainActor struct TransferRobotTests {
  private let source = SteppingSource(["a", "b", "c", "d", "e"])
  private let target = SteppingSource(["other"])

  private func browser() async throws -> Robot {
    let browser = try await Robot(
      ["source", "target"], stores: .stepping(["source": source, "target": target]),
      size: Size(width: 110, height: 16)
    ).settle()
    return await browser.pressEach("A").expect("5 marked")
  }

  @Test func `A location with one store means that store`() async throws {
    let folder = try await TestFolder.sample()
    try await folder.database("CREATE TABLE t(key TEXT PRIMARY KEY, value)", name: "one.db")
    let browser = try await Robot(
      ["app.db#settings", "one.db"], stores: .sqlite(folder), size: Size(width: 110, height: 16)
    ).settle()
    await browser.pressEach("<Down>:copy-to one.db<Enter>").expect("copied 1 entry to one.db#t")
    #expect(
      try await folder.text("SELECT value FROM t WHERE key = 'bob'", name: "one.db") == "likes tea")
    await browser.pressEach(":compare one.db bob<Enter>").expect("bob and one.db#t bob")
  }

  /// Presses keys, and waits until a store blocks on a change.
  private func press(_ keys: String, on browser: Robot, until store: SteppingSource) async {
    browser.press(keys)
    await turnWhile { !store.isWaiting }
    await browser.draw()
  }

  /// Presses Esc, and releases the change once its store has seen the cancellation.
  private func stop(_ browser: Robot, at store: SteppingSource) async {
    browser.press("<Esc>")
    await turnWhile { !store.isStopped }
    await browser.draw().expect("stopping…")
    store.release()
    await browser.settle()
  }

  /// Sends a progress report, as the timer would.
  private func report(_ browser: Robot, read: Int, changed: Int) async throws {
    let token = try #require(browser.state.work?.report.token)
    browser.program.send(.worked(BulkChangeProgress(token: token, read: read, changed: changed)))
    await browser.draw()
  }

  @Test func `A copy reports its progress, and Esc stops it and rolls it back`() async throws {
    let browser = try await browser()
    target.hold(before: 2)
    await press(":copy-to target<Enter>", on: browser, until: target)
    try await report(browser, read: 3, changed: 0)
    browser.expect("reading 3 of 5, Esc stops")
    try await report(browser, read: 5, changed: 2)
    browser.expect("copying 2 of 5, Esc stops")
    await stop(browser, at: target)
    browser.expect("stopped: 2 entries that were written were rolled back")
    #expect(target.keys == ["other"] && source.keys == ["a", "b", "c", "d", "e"])
    #expect(browser.state.work == nil && browser.state.overlay == nil)
    browser.expect("5 marked")
  }

  @Test func `The stores to choose from are shown beside the description`() async throws {
    let folder = try await TestFolder.sample()
    for size in [Size(width: 80, height: 24), Size(width: 20, height: 6)] {
      let browser = try await Robot(["app.db#settings"], stores: .sqlite(folder), size: size)
        .settle()
      await browser.pressEach(":copy-to<Enter>").expect("Enter copies 1").expect("app.db#empty")
        .expect(size.height > 7 ? "app.db#people" : "copy to:")
    }
  }

  @Test func `A copy stopped before its first write copies nothing`() async throws {
    let browser = try await browser()
    target.hold(before: 0)
    await press(":copy-to target<Enter>", on: browser, until: target)
    await stop(browser, at: target)
    browser.expect("stopped: nothing was written")
    #expect(target.keys == ["other"])
  }

  @Test func `A stop after the last write has no effect`() async throws {
    let browser = try await browser()
    target.hold(before: 4)
    await press(":copy-to target<Enter>", on: browser, until: target)
    target.release()
    await browser.settle().press("<Esc>").settle()
    #expect(target.keys == ["a", "b", "c", "d", "e", "other"])
  }

  @Test func `A move stopped while copying deletes nothing`() async throws {
    let browser = try await browser()
    target.hold(before: 3)
    await press(":move-to target<Enter>", on: browser, until: target)
    try await report(browser, read: 5, changed: 3)
    browser.expect("copying 3 of 5, Esc stops")
    await stop(browser, at: target)
    browser.expect("stopped: 3 entries that were written were rolled back")
    #expect(target.keys == ["other"] && source.keys == ["a", "b", "c", "d", "e"])
  }

  @Test func `A move stopped while deleting has deleted only copied entries`() async throws {
    let browser = try await browser()
    source.hold(before: 2)
    await press(":move-to target<Enter>", on: browser, until: source)
    try await report(browser, read: 5, changed: 7)
    browser.expect("deleting 2 of 5, Esc stops")
    await stop(browser, at: source)
    browser
      .expect("stopped: all 5 entries are in target, and 2 of them were deleted here")
    #expect(target.keys == ["a", "b", "c", "d", "e", "other"] && source.keys == ["c", "d", "e"])
    browser.expectNot("5 marked").expect("of 3 entries")
  }

  @Test func `A failed copy is rolled back, and nothing is deleted`() async throws {
    let browser = try await browser()
    target.fail(at: 2, .failed("the disk is full; 2 files were written before it"))
    await browser.pressEach(":move-to target<Enter>")
      .expect("the disk is full").expect("2 entries that were written were rolled back")
    #expect(source.keys == ["a", "b", "c", "d", "e"] && target.keys == ["other"])
    #expect(browser.state.work == nil)
    await browser.pressEach("<Esc>").expect("nothing was moved")
  }

  @Test func `A deletion that fails after the copies says that the copies stay`() async throws {
    let browser = try await browser()
    source.fail(at: 0, .readOnly("the folder takes no changes"))
    await browser.pressEach(":move-to target<Enter>")
      .expect("the folder takes no changes").expect("the entries are in target now")
    #expect(source.keys == ["a", "b", "c", "d", "e"] && target.keys.count == 6)
  }

  @Test func `Opening another store does not stop a running copy`() async throws {
    let browser = try await browser()
    target.hold(before: 1)
    await press(":copy-to target<Enter>", on: browser, until: target)
    let reference = StoreReference(location: LocationID(1))
    var summary = try #require(browser.state.keys?.store)
    summary.reference = reference
    let opened = EffectReply(.success(summary), to: OpenCollection(store: reference))
    browser.program.send(.reply(opened))
    target.release()
    await browser.settle()
    #expect(browser.state.work == nil && browser.state.overlay == nil)
  }
}
