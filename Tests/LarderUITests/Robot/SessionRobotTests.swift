import Foundation
import LarderCore
import LarderUI
import Testing

/// What was open when the browser was left, opened again.
@Suite @MainActor struct SessionRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
    try await folder.database(
      """
      CREATE TABLE users (key TEXT PRIMARY KEY, value);
      INSERT INTO users VALUES ('user:1:name', 'Ada'), ('user:2:name', 'Bob'), ('x', 1);
      CREATE TABLE other (key TEXT PRIMARY KEY, value);
      INSERT INTO other VALUES ('alpha', 1), ('beta', 2), ('gamma', 3);
      """, name: "more.db")
  }

  private func browser(_ locations: [String]) async throws -> Robot {
    try await Robot(locations, stores: .sqlite(folder)).settle()
  }

  /// Leaves a browser, and opens another as it was, through the file that keeps it.
  private func again(_ browser: Robot) async throws -> Robot {
    let session = try #require(browser.state.session)
    let kept = try JSONDecoder().decode(Session.self, from: JSONEncoder().encode(session))
    #expect(kept == session)
    let next = try Robot([], stores: .sqlite(folder), resuming: kept)
    return await next.settle()
  }

  @Test func `The store, the list and the key are there again`() async throws {
    let first = try await browser(["more.db#other", "app.db#settings"])
    await first.press("jj").settle()
    first.expect("3 of 3 keys")
    let second = try await again(first)
    second.expect("more.db").expect("app.db").expect("3 of 3 keys").expect("more.db#other")
    #expect(second.state.keys?.selected?.key == .text("gamma"))
    #expect(second.state.stores.items.count == 2)
  }

  @Test func `A tree, a scope and a filter are there again`() async throws {
    let first = try await browser(["more.db#users"])
    await first.press("T").settle().press("<Home>").settle().press("O").settle().press(
      "/name<Enter>"
    ).settle()
    let model = try #require(first.state.keys)
    let second = try await again(first)
    let shown = try #require(second.state.keys)
    #expect(shown.scope == model.scope && !shown.scope.isEmpty)
    #expect(shown.filterText == "name")
    #expect((shown.shownTree == nil) == (model.shownTree == nil))
    #expect(shown.window.entries.map(\.key) == model.window.entries.map(\.key))
  }

  @Test func `Each store is as it was left once it is shown`() async throws {
    let first = try await browser(["more.db#other"])
    await first.press("/a<Enter>").settle().press("hk").settle().press("<Tab>").settle()
    #expect(first.state.storeTitle == "more.db#users")
    let second = try await again(first)
    #expect(second.state.storeTitle == "more.db#users")
    await second.press("hj").settle()
    #expect(second.state.storeTitle == "more.db#other")
    #expect(second.state.keys?.filterText == "a")
  }

  @Test func `What is gone is said, and the rest is opened`() async throws {
    let first = try await browser(["more.db#other"])
    var session = try #require(first.state.session)
    session.locations.append("gone.db")
    session.places.append(
      Session.Place(
        location: 1, collection: "t", scope: "", filter: "", delimiter: nil, key: nil, row: 0))
    let second = try Robot([], stores: .sqlite(folder), resuming: session)
    await second.settle().expect("gone.db")
    #expect(second.state.storeTitle == "more.db#other")
    #expect(second.state.message?.kind == .error)
  }

  @Test func `Nothing open is no session`() async throws {
    #expect(try await browser([]).state.session == nil)
  }

  @Test func `A session that somebody has changed opens what it can`() async throws {
    var session = try #require(try await browser(["more.db#other"]).state.session)
    for place in session.places.indices {
      session.places[place].location = 7
      session.places[place].row = -5
    }
    let second = try Robot([], stores: .sqlite(folder), resuming: session)
    await second.settle().expect("more.db")
  }
}
