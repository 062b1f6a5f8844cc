import LarderModel
import LarderBrowser
import Testing

/// Opening locations beside those that are open.
@Suite struct OpeningTests {
  private static let second = LocationID(1)

  /// Asks for a location and answers that it is the one that is open, or another.
  private func opened(
    _ bench: inout Bench, _ text: String, _ summary: LocationSummary,
    as id: LocationID = OpeningTests.second
  ) {
    bench.command("open-store", text)
    #expect(bench.effects == [.openLocation(id, text: text)])
    bench.send(.opened(id, .success(summary)))
  }

  @Test func aLocationThatIsOpenIsGoneToAndNotAddedAgain() {
    var bench = Bench.ready()
    bench.state.focus = .stores
    bench.command("up")
    let rows = bench.state.stores.rows
    opened(&bench, "./numbers.db", Bench.summary("./numbers.db"))
    #expect(bench.effects == [.forgetLocation(Self.second)])
    #expect(bench.state.stores.rows == rows)
    #expect(bench.state.stores.cursor.index == 1, "the table that is shown")
    #expect(bench.state.focus == .keys)
    #expect(bench.state.keys?.store.reference == Bench.reference)
    #expect(bench.rows == Array(0..<10))
  }

  @Test func thePaneThatWasChosenWhileAStoreOpensKeepsTheKeys() throws {
    let store = try #require(Bench().state.keys?.store)
    func opened(_ presses: [String], beforeTable: Bool) -> BrowserState.Focus {
      var state = BrowserState(isReadOnly: false)
      _ = state.open("numbers.db")
      for press in presses where !beforeTable { _ = state.update(.command(press)) }
      _ = state.update(.opened(Bench.location, .success(Bench.summary("numbers.db"))))
      for press in presses where beforeTable { _ = state.update(.command(press)) }
      _ = state.update(.storeOpened(Bench.reference, .success(store)))
      return state.focus
    }
    for beforeTable in [false, true] {
      #expect(opened([], beforeTable: beforeTable) == .keys)
      // As if the list that is about to have the keys had them.
      #expect(opened(["previous-pane"], beforeTable: beforeTable) == .stores)
      #expect(opened(["next-pane"], beforeTable: beforeTable) == .value)
      #expect(opened(["next-pane", "previous-pane"], beforeTable: beforeTable) == .keys)
      #expect(opened(["back"], beforeTable: beforeTable) == .stores)
    }
  }

  @Test func theTableThatIsNamedIsShown() {
    var bench = Bench.ready()
    opened(&bench, "numbers.db#others", Bench.summary("numbers.db", "others"))
    let others = StoreReference(location: Bench.location, collection: "others")
    #expect(bench.effects == [.forgetLocation(Self.second), .openStore(others)])
    #expect(bench.state.stores.cursor.index == 2)
  }

  @Test func tablesThatWereAddedMeanwhileAreListed() {
    var bench = Bench.ready()
    var summary = Bench.summary("numbers.db", "new")
    summary.collections.insert(
      .init(name: "new", form: "table", isWritable: true, keys: "id"), at: 0)
    opened(&bench, "numbers.db#new", summary)
    #expect(
      bench.state.stores.rows.map(\.title) == ["numbers.db", "new", "numbers", "others"])
    let new = StoreReference(location: Bench.location, collection: "new")
    #expect(bench.effects.last == .openStore(new))
    #expect(bench.state.stores.cursor.index == 1)
  }

  @Test func anotherLocationGetsAnIdOfItsOwn() {
    var bench = Bench.ready()
    opened(&bench, "numbers.db", Bench.summary("numbers.db"))
    let third = LocationID(2)
    opened(&bench, "more.db", Bench.summary("more.db", resolvedPath: "/more.db"), as: third)
    #expect(bench.state.stores.items.map(\.id) == [Bench.location, third])
    #expect(
      bench.effects == [.openStore(StoreReference(location: third, collection: "numbers"))])
  }

  @Test func whatIsAnotherStoreEachTimeIsAdded() {
    var bench = Bench.ready()
    opened(&bench, "memory:", Bench.summary("memory:", resolvedPath: nil))
    opened(&bench, "memory:", Bench.summary("memory:", resolvedPath: nil), as: LocationID(2))
    #expect(bench.state.stores.items.count == 3)
  }

  @Test func aLocationThatFailedIsTriedAgainInItsPlace() {
    var bench = Bench.ready()
    for _ in 0..<2 {
      bench.command("open-store", "none.db")
      #expect(bench.effects == [.openLocation(Self.second, text: "none.db")])
      bench.send(.opened(Self.second, .failure(.cannotOpen("none.db does not exist"))))
      #expect(bench.state.message == Message("none.db does not exist", .error))
      #expect(bench.state.stores.items.count == 2)
    }
    opened(&bench, "none.db", Bench.summary("none.db", resolvedPath: "/none.db"))
    #expect(
      bench.effects == [.openStore(StoreReference(location: Self.second, collection: "numbers"))])
  }
}
