import LarderModel
import Foundation
import LarderBrowser
import LarderUI
import Testing

/// Sessions that reopen the stores of the previous run.
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

  /// Opens a new browser from the session of another, after a round trip through JSON.
  private func again(_ browser: Robot) async throws -> Robot {
    let session = try #require(browser.state.session)
    let kept = try JSONDecoder().decode(Session.self, from: JSONEncoder().encode(session))
    #expect(kept == session)
    let next = try Robot([], stores: .sqlite(folder), resuming: kept)
    return await next.settle()
  }

  @Test func `The store, the list and the key are restored`() async throws {
    let first = try await browser(["more.db#other", "app.db#settings"])
    await first.press("jj").settle()
    first.expect("3 of 3 entries")
    let second = try await again(first)
    second.expect("more.db").expect("app.db").expect("3 of 3 entries").expect("more.db#other")
    #expect(second.state.keys?.selected?.key == .text("gamma"))
    #expect(second.state.stores.items.count == 2)
  }

  @Test func `A tree, a scope and a filter are restored`() async throws {
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

  @Test func `The sort order is restored`() async throws {
    let first = try await browser(["more.db#users"])
    await first.press(":sort size down<Enter>").settle().press("G").settle()
      .expect(selected: .text("user:2:name"))
    await first.press("k").settle().expect(selected: .text("user:1:name"))
    let second = try await again(first)
    second.expect("size ↓").expect(selected: .text("user:1:name"))
    #expect(
      second.state.keys?.window.entries.map(\.key)
        == first.state.keys?.window.entries.map(\.key))
  }

  @Test func `The chosen key of a table is restored`() async throws {
    try await folder.database(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT UNIQUE, born);
      INSERT INTO people VALUES (1, 'z@x', 1), (2, 'a@x', 2), (3, 'm@x', 3);
      """, name: "keys.db")
    let first = try await browser(["keys.db#people"])
    first.expect(selected: .integer(1))
    await first.press(":key born<Enter>").settle().expect("born is not a unique key")
      .expect(selected: .integer(1))
    await first.press(":key ").settle().expect("email").expect("auto")
    await first.press("email<Enter>").settle().expect(selected: .text("a@x")).press("j").settle()
      .expect(selected: .text("m@x"))
    let second = try await again(first)
    second.expect(selected: .text("m@x"))
    await second.press(":key auto<Enter>").settle().expect(selected: .integer(1))
    await second.press(":key email<Enter>").settle().expect(selected: .text("a@x"))
    await second.press(":raw<Enter>").settle().expect(selected: .integer(1))
    await second.press(":raw<Enter>").settle().expect(selected: .integer(1))
    #expect(second.state.keys?.store.keyChoice == .recognized)
  }

  @Test(arguments: [["more.db#other"], ["more.db#other", "app.db#settings"]])
  func `The only tab survives a start without its store`(opened: [String]) async throws {
    let first = try await browser(opened)
    await first.press("/a<Enter>").settle().press("jj").settle()
      .expect(selected: .text("gamma"))
    let (path, away) = (folder.path + "/more.db", folder.path + "/away.db")
    try FileManager.default.moveItem(atPath: path, toPath: away)
    let second = try await again(first)
    second.expect("more.db does not exist").expectNot("gamma")
    try FileManager.default.moveItem(atPath: away, toPath: path)
    let third = try await again(second)
    if third.state.tabs.count > 1 { await third.pressEach("}") }
    third.expect("more.db#other").expect("/a").expect(selected: .text("gamma"))
  }

  @Test func `A mistyped location is not saved, and goes once another is opened`() async throws {
    let browser = try await browser(["app.db#settings"])
    await browser.pressEach("onowhere.db<Enter>").expect("nowhere.db does not exist")
    #expect(browser.state.stores.items.map(\.text).contains("nowhere.db"), "it can be read again")
    #expect(browser.state.session?.locations.count == 1)
    await browser.pressEach("oelsewhere.db<Enter>").expect("elsewhere.db does not exist")
    #expect(browser.state.stores.items.map(\.text) == ["app.db#settings", "elsewhere.db"])
    await browser.pressEach("omore.db#other<Enter>").expect("more.db#other")
    #expect(browser.state.stores.items.map(\.text) == ["app.db#settings", "more.db#other"])
    browser.expectNot("elsewhere")
    let second = try await again(browser)
    second.expect("more.db#other").expectNot("does not exist")
  }

  @Test func `A mistyped location goes with its closed tab`() async throws {
    let browser = try await browser(["app.db#settings"])
    await browser.pressEach(":new-tab<Enter>:new-tab nowhere.db<Enter>").expect(
      "its tab was closed")
    await browser.pressEach("<Ctrl-W>").expectNot("nowhere")
    #expect(browser.state.stores.items.map(\.text) == ["app.db#settings"])
  }

  @Test func `Tabs of a store that is missing once survive`() async throws {
    let first = try await browser(["app.db#settings"])
    await first.pressEach(":new-tab more.db#other<Enter>").press("/a<Enter>").settle().press("jj")
      .settle().expect(selected: .text("gamma"))
    await first.pressEach("{").expect("app.db#settings")
    let (path, away) = (folder.path + "/more.db", folder.path + "/away.db")
    try FileManager.default.moveItem(atPath: path, toPath: away)
    let second = try await again(first)
    second.expect("its tab was closed")
    #expect(second.state.tabs.count == 1)
    try FileManager.default.moveItem(atPath: away, toPath: path)
    let third = try await again(second)
    #expect(third.state.tabs.count == 2)
    await third.pressEach("}").expect(selected: .text("gamma"))
    #expect(third.state.keys?.filterText == "a")
  }

  @Test func `The shown tab survives too`() async throws {
    let first = try await browser(["app.db#settings"])
    await first.pressEach(":new-tab more.db#other<Enter>").press("/a<Enter>").settle()
    let (path, away) = (folder.path + "/more.db", folder.path + "/away.db")
    try FileManager.default.moveItem(atPath: path, toPath: away)
    let second = try await again(first)
    second.expect("its tab was closed").expect("app.db#settings")
    try FileManager.default.moveItem(atPath: away, toPath: path)
    let third = try await again(second)
    await third.pressEach("}")
    #expect(third.state.keys?.filterText == "a" && third.state.storeTitle == "more.db#other")
  }

  @Test func `Each store is restored when it is shown`() async throws {
    let first = try await browser(["more.db#other"])
    await first.press("/a<Enter>").settle().press("hk").settle().press("<Tab>").settle()
    #expect(first.state.storeTitle == "more.db#users")
    let second = try await again(first)
    #expect(second.state.storeTitle == "more.db#users")
    await second.press("hj").settle()
    #expect(second.state.storeTitle == "more.db#other")
    #expect(second.state.keys?.filterText == "a")
  }

  @Test func `Missing stores are reported and the rest opened`() async throws {
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

  @Test func `All tabs are restored, each with its state`() async throws {
    let first = try await browser(["more.db#other", "app.db#settings"])
    await first.pressEach("jj:new-tab app.db#settings<Enter>/o<Enter>")
    await first.pressEach(":new-tab more.db#users<Enter>:tree :<Enter>{")
    let titles = first.state.tabTitles
    #expect(titles.map(\.isShown) == [false, true, false])
    let second = try await again(first)
    #expect(second.state.tabTitles == titles)
    second.expect("/o").expect("app.db#settings")
    // A tab that was not shown keeps its state.
    let third = try await again(second)
    #expect(third.state.tabTitles == titles)
    await third.pressEach("}").expect("▾ user:")
    await third.pressEach("}").expect(selected: .text("gamma")).expect("3 of 3 entries")
    #expect(third.state.keys?.store.location.collection == "other")
  }

  @Test func `A tab whose location is gone is dropped with a message`() async throws {
    let first = try await browser(["more.db#other"])
    await first.pressEach("j:new-tab app.db#settings<Enter>")
    var session = try #require(first.state.session)
    #expect(session.locations.count == 2)
    session.locations[1] = "gone.db"
    let second = try Robot([], stores: .sqlite(folder), resuming: session)
    await second.settle().expect("gone.db does not exist; its tab was closed")
      .expect(selected: .text("beta"))
    #expect(second.state.tabs.count == 1)
    // A missing tab need not be the one shown, and a missing collection is handled too.
    session.locations = ["gone.db", "app.db"]
    let third = try await Robot([], stores: .sqlite(folder), resuming: session).settle()
    #expect(third.state.tabs.count == 1 && third.state.storeTitle == "app.db#settings")
    #expect(third.state.message?.text == "gone.db does not exist; its tab was closed")
    session.locations = ["more.db", "app.db"]
    session.places[session.places.count - 1].collection = "none"
    let fourth = try await Robot([], stores: .sqlite(folder), resuming: session).settle()
    #expect(fourth.state.tabs.count == 1 && fourth.state.storeTitle == "more.db#other")
    #expect(fourth.state.message?.text == "app.db has no “none”; its tab was closed")
  }

  @Test func `Sessions without tabs are read, and old versions read new sessions`()
    async throws
  {
    let old =
      #"{"locations":["more.db"],"places":[{"location":0,"collection":"other","#
      + #""scope":"","filter":"a","row":0}]}"#
    let session = try JSONDecoder().decode(Session.self, from: Data(old.utf8))
    #expect(session.placesBefore == nil && session.placesAfter == nil)
    let browser = try await Robot([], stores: .sqlite(folder), resuming: session).settle()
    browser.expect("/a").expect("alpha")
    #expect(browser.state.tabs.count == 1)
    await browser.pressEach("<Ctrl-T>")
    let data = try JSONEncoder().encode(try #require(browser.state.session))
    struct Old: Decodable {
      var locations: [String]
      var places: [Session.Place]
    }
    let read = try JSONDecoder().decode(Old.self, from: data)
    #expect(read.places.last?.collection == "other" && read.locations == ["more.db"])
  }

  @Test func `A session with too many tabs opens the maximum`() async throws {
    var session = try #require(try await browser(["more.db#other"]).state.session)
    session.placesBefore = Array(repeating: session.places, count: 40)
    session.placesAfter = Array(repeating: session.places, count: 40) + [[]]
    let second = try await Robot([], stores: .sqlite(folder), resuming: session).settle()
    #expect(second.state.tabs.count == TabsModel.capacity && second.state.tabs.shown == 41)
  }

  @Test func `Without open stores there is no session`() async throws {
    #expect(try await browser([]).state.session == nil)
  }

  @Test func `An edited session opens as far as it is valid`() async throws {
    var session = try #require(try await browser(["more.db#other"]).state.session)
    for place in session.places.indices {
      session.places[place].location = 7
      session.places[place].row = -5
    }
    let second = try Robot([], stores: .sqlite(folder), resuming: session)
    await second.settle().expect("more.db")
  }
}
