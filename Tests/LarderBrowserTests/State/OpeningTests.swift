import LarderModel
@testable import LarderBrowser
import Testing

/// Opening further locations.
@Suite struct OpeningTests {
  private static let second = LocationID(1)

  /// Opens a location and replies with a summary of the open location or of another one.
  private func opened(
    _ bench: inout Bench, _ text: String, _ summary: LocationSummary,
    as id: LocationID = OpeningTests.second
  ) throws {
    bench.answer(try opening(&bench, text, as: id), .success(summary))
  }

  /// Opens a location and returns the effect.
  private func opening(
    _ bench: inout Bench, _ text: String, as id: LocationID
  ) throws -> OpenLocation {
    bench.command("open-store", text)
    let open = try bench.only(OpenLocation.self)
    #expect(open.id == id && open.text == text)
    return open
  }

  @Test func `A location that is already open is selected and not added again`() throws {
    var bench = Bench.ready()
    bench.state.focus = .stores
    bench.command("up")
    let rows = bench.state.stores.rows
    try opened(&bench, "./numbers.db", Bench.summary("./numbers.db"))
    #expect(try bench.only(ForgetLocation.self).id == Self.second)
    #expect(bench.state.stores.rows == rows)
    #expect(bench.state.stores.cursor.index == 1, "the table that is shown")
    #expect(bench.state.focus == .keys)
    #expect(bench.state.keys?.store.reference == Bench.reference)
    #expect(bench.rows == Array(0..<10))
  }

  @Test func `A pane chosen while a store opens keeps the focus`() throws {
    let store = try #require(Bench().state.keys?.store)
    let location = EffectReply(
      .success(Bench.summary("numbers.db")),
      to: OpenLocation(id: Bench.location, text: "numbers.db"))
    let table = EffectReply(.success(store), to: OpenCollection(store: Bench.reference))
    func opened(_ presses: [String], beforeTable: Bool) -> BrowserState.Focus {
      var state = BrowserState()
      _ = state.open("numbers.db")
      for press in presses where !beforeTable { _ = state.update(.command(press)) }
      _ = state.update(.reply(location))
      for press in presses where beforeTable { _ = state.update(.command(press)) }
      _ = state.update(.reply(table))
      return state.focus
    }
    for beforeTable in [false, true] {
      #expect(opened([], beforeTable: beforeTable) == .keys)
      // As if the list that is about to be focused already was.
      #expect(opened(["previous-pane"], beforeTable: beforeTable) == .stores)
      #expect(opened(["next-pane"], beforeTable: beforeTable) == .value)
      #expect(opened(["next-pane", "previous-pane"], beforeTable: beforeTable) == .keys)
      #expect(opened(["back"], beforeTable: beforeTable) == .stores)
    }
  }

  @Test func `The named table is shown`() throws {
    var bench = Bench.ready()
    try opened(&bench, "numbers.db#others", Bench.summary("numbers.db", "others"))
    let others = StoreReference(location: Bench.location, collection: "others")
    #expect(bench.effects.count == 2)
    #expect(try bench.first(ForgetLocation.self).id == Self.second)
    #expect(try bench.last(OpenCollection.self).store == others)
    #expect(bench.state.stores.cursor.index == 2)
  }

  @Test func `Collections are counted once, and again after a change or below`() {
    var bench = Bench.ready()
    let others = StoreReference(location: Bench.location, collection: "others")
    #expect(bench.state.stores.takeUncounted(height: 10).isEmpty)
    bench.state.stores.recount { $0 == others }
    // The location and its first collection fill two rows.
    #expect(bench.state.stores.takeUncounted(height: 2).isEmpty)
    #expect(bench.state.stores.takeUncounted(height: 3) == [others])
    #expect(bench.state.stores.takeUncounted(height: 3).isEmpty)
  }

  @Test func `Collections that move into view below a failed location are counted`() {
    var stores = StoresModel()
    let (first, second) = (stores.add("a.db"), stores.add("b.db"))
    stores.receive(first, .success(Bench.summary("a.db")))
    stores.receive(second, .success(Bench.summary("b.db", resolvedPath: "/b.db")))
    #expect(stores.takeUncounted(height: 3).map(\.location) == [first, first])
    stores.receive(first, .failure(.cannotOpen("a.db does not exist")))
    let moved = StoreReference(location: second, collection: "numbers")
    #expect(stores.takeUncounted(height: 3) == [moved])
  }

  @Test func `Tables added meanwhile are listed`() throws {
    var bench = Bench.ready()
    var summary = Bench.summary("numbers.db", "new")
    summary.collections.insert(
      .init(name: "new", form: "table", isWritable: true, keys: "id"), at: 0)
    try opened(&bench, "numbers.db#new", summary)
    #expect(
      bench.state.stores.rows.map(\.title) == ["numbers.db", "new", "numbers", "others"])
    let new = StoreReference(location: Bench.location, collection: "new")
    #expect(try bench.last(OpenCollection.self).store == new)
    #expect(bench.state.stores.cursor.index == 1)
  }

  @Test func `Another location gets its own ID`() throws {
    var bench = Bench.ready()
    try opened(&bench, "numbers.db", Bench.summary("numbers.db"))
    let third = LocationID(2)
    try opened(&bench, "more.db", Bench.summary("more.db", resolvedPath: "/more.db"), as: third)
    #expect(bench.state.stores.items.map(\.id) == [Bench.location, third])
    let store = StoreReference(location: third, collection: "numbers")
    #expect(try bench.only(OpenCollection.self).store == store)
  }

  @Test func `A location that is a new store every time is added`() throws {
    var bench = Bench.ready()
    try opened(&bench, "memory:", Bench.summary("memory:", resolvedPath: nil))
    try opened(&bench, "memory:", Bench.summary("memory:", resolvedPath: nil), as: LocationID(2))
    #expect(bench.state.stores.items.count == 3)
  }

  @Test func `A failed location is retried in place`() throws {
    var bench = Bench.ready()
    for _ in 0..<2 {
      let open = try opening(&bench, "none.db", as: Self.second)
      bench.answer(open, .failure(.cannotOpen("none.db does not exist")))
      #expect(bench.state.message == Message("none.db does not exist", .error))
      #expect(bench.state.stores.items.count == 2)
    }
    try opened(&bench, "none.db", Bench.summary("none.db", resolvedPath: "/none.db"))
    let store = StoreReference(location: Self.second, collection: "numbers")
    #expect(try bench.only(OpenCollection.self).store == store)
  }
}
