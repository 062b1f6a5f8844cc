import LarderModel
@testable import LarderBrowser
import Testing

/// The state of tabs, such as replies for a tab that is not shown.
@Suite struct TabStateTests {
  /// Returns a browser with two tabs of one store, showing the second.
  private func twoTabs(_ numbers: some Sequence<Int64> = 0..<10) -> Bench {
    var bench = Bench.ready(numbers, capabilities: [.writable, .creates, .ordered, .undo])
    bench.run(.command("new-tab"))
    return bench
  }

  private static let other = StoreReference(location: Bench.location, collection: "others")

  /// Shows another store in the current tab.
  private func showOther(_ bench: inout Bench) {
    bench.state.focus = .stores
    bench.send(.command("down"))
    guard let store = bench.state.keys?.store else { return }
    var summary = store
    summary.reference = Self.other
    summary.location.collection = "others"
    summary.keyStyle = .text
    bench.run(OpenCollection(store: Self.other), .success(summary))
  }

  @Test func `Each tab is an independent view`() {
    var bench = twoTabs()
    #expect(bench.state.tabs.count == 2 && bench.state.tabs.shown == 2)
    #expect(bench.state.keys?.store.reference == Bench.reference)
    bench.run(.command("filter", argument: "3"))
    #expect(bench.rows == [3])
    bench.run(.command("previous-tab"))
    #expect(bench.rows == Array(0..<10) && bench.state.keys?.filterText == "")
    bench.run(.command("down"))
    bench.run(.command("next-tab"))
    #expect(bench.rows == [3])
    bench.run(.command("tab", argument: "1"))
    #expect(bench.selected == .integer(1))
  }

  @Test func `A reply for a tab that was left is not applied to the next one`() throws {
    var bench = twoTabs(0..<1_000)
    bench.send(.command("filter", argument: "77"))
    let load = try bench.effect(LoadPage.self)
    bench.send(.command("previous-tab"))
    #expect(bench.ends(.page) && bench.ends(.entry))
    let state = bench.state
    bench.answer(load, .entries(bench.page(load.query)))
    #expect(bench.state == state)
    // The list is loaded again when the tab is shown.
    bench.run(.command("next-tab"))
    #expect(bench.rows.allSatisfy { String($0).contains("77") } && !bench.rows.isEmpty)
  }

  @Test func `A search for a key continues when its tab is shown`() {
    var bench = twoTabs(0..<1_000)
    bench.send(.command("go", argument: "900"))
    bench.run(.command("previous-tab"))
    #expect(bench.selected == .integer(0))
    bench.run(.command("next-tab"))
    #expect(bench.selected == .integer(900))
  }

  @Test func `The list before a missing key belongs to its own tab`() {
    var bench = twoTabs()
    for _ in 0..<3 { bench.run(.command("down")) }
    bench.send(.command("go", argument: "900"))
    bench.run(.command("previous-tab"))
    bench.run(.command("go", argument: "5"))
    #expect(bench.selected == .integer(5))
    bench.run(.command("next-tab"))
    #expect(bench.selected == .integer(3))
    #expect(bench.state.departure == nil)
  }

  @Test func `A closed location is removed from every tab`() throws {
    var bench = twoTabs()
    bench.send(.command("go", argument: "900"))
    bench.send(.command("previous-tab"))
    let parked = try #require(bench.state.tabs.parked.first)
    #expect(parked.departure != nil)
    var tab = parked
    tab.forget(Bench.location)
    #expect(tab.departure?.jumps.earlier.isEmpty == true && tab.visits.isEmpty)
  }

  @Test func `The number of the selected entry is restored`() {
    var bench = twoTabs(0..<5_000)
    for _ in 0..<40 { bench.run(.command("page-down")) }
    let ordinal = bench.state.keys?.ordinal
    #expect(ordinal == 361)
    let row = bench.state.keys.map { $0.cursor.index - $0.cursor.top }
    bench.run(.command("previous-tab"))
    bench.run(.command("next-tab"))
    #expect(bench.state.keys?.ordinal == ordinal)
    #expect(bench.state.keys.map { $0.cursor.index - $0.cursor.top } == row)
  }

  @Test func `Marks stay with their tab`() {
    var bench = twoTabs()
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.run(.command("previous-tab"))
    #expect(bench.state.keys?.marked.isEmpty == true)
    #expect(bench.state.tabTitles.map(\.hasMarks) == [false, true])
    bench.run(.command("next-tab"))
    #expect(bench.state.keys?.marked == [.integer(0), .integer(1)])
    bench.run(.command("close-tab"))
    #expect(bench.state.tabs.count == 1)
    #expect(
      bench.state.message == Message(Messages.closedTab(marks: 2), .warning))
  }

  @Test func `A change in one tab clears the marks of another`() throws {
    var bench = twoTabs()
    bench.run(.command("mark"))
    bench.run(.command("previous-tab"))
    bench.run(.command("delete"))
    bench.command("yes")
    let delete = try bench.first(DeleteEntry.self)
    bench.numbers.removeFirst()
    bench.run(delete, .success(()))
    #expect(bench.rows == Array(1..<10))
    bench.run(.command("next-tab"))
    #expect(bench.rows == Array(1..<10))
    #expect(bench.state.keys?.marked.isEmpty == true)
    bench.run(.command("delete"))
    #expect(bench.state.overlay == nil, "no other entry is asked about in the place of the marks")
    #expect(bench.state.message?.text.hasPrefix("all marks were lost") == true)
  }

  @Test func `Values read for marks are kept in a background tab`() throws {
    var bench = Bench.ready()
    bench.run(.command("new-tab"))
    bench.send(.command("last"))
    bench.send(.command("mark"))
    let read = try bench.effect(ReadMarks.self)
    bench.send(.command("previous-tab"))
    bench.settle()
    let value = StoredValue.text("seen")
    bench.answer(read, .success(Bench.deletions(read.keys, of: value)))
    bench.run(.command("next-tab"))
    #expect(bench.state.keys?.fingerprints.count == 1)
  }

  @Test func `An undo that ends in another tab is reported with its store`() throws {
    var bench = twoTabs()
    bench.run(.command("mark"))
    bench.run(.command("previous-tab"))
    showOther(&bench)
    #expect(bench.state.keys?.store.reference == Self.other)
    bench.run(.command("mark"))
    bench.run(.command("next-tab"))
    bench.send(.command("undo"))
    let undo = try bench.first(ReplayChange.self)
    bench.run(.command("previous-tab"))
    let rows = bench.rows
    let step = ChangeSummary(number: 1, action: .delete, count: 1, key: .integer(7), isUndone: true)
    bench.answer(undo, .init(.success(step)))
    #expect(bench.effects.isEmpty && bench.rows == rows)
    #expect(bench.state.keys?.marked.count == 1, "another store was changed")
    #expect(bench.state.message == Message("undone in numbers.db: the deletion of 7"))
    bench.run(.command("next-tab"))
    #expect(bench.state.keys?.marked.isEmpty == true)
  }

  @Test func `A store that was being opened is opened when its tab is shown`() throws {
    var bench = twoTabs()
    bench.state.focus = .stores
    bench.send(.command("down"))
    #expect(try bench.only(OpenCollection.self).store == Self.other)
    bench.send(.command("previous-tab"))
    #expect(bench.ends(.openStore))
    bench.settle()
    #expect(bench.state.keys?.store.reference == Bench.reference && bench.state.opening == nil)
    bench.send(.command("next-tab"))
    #expect(try bench.effect(OpenCollection.self).store == Self.other)
  }

  @Test func `A location opens in its own tab`() throws {
    var bench = Bench.ready()
    bench.send(.command("new-tab", argument: "more.db"))
    let open = try bench.effect(OpenLocation.self)
    #expect(open.id == LocationID(1) && open.text == "more.db")
    #expect(bench.state.keys == nil && bench.state.tabs.count == 2)
    #expect(bench.state.tabTitles.map(\.name) == ["numbers.db#numbers", "more.db"])
    // The tab is left before the location has opened.
    bench.run(.command("previous-tab"))
    #expect(bench.state.keys?.store.reference == Bench.reference)
    let summary = Bench.summary("more.db", resolvedPath: "/more.db")
    bench.answer(open, .success(summary))
    #expect(bench.effects.isEmpty && bench.state.keys?.store.reference == Bench.reference)
    bench.send(.command("next-tab"))
    let store = StoreReference(location: LocationID(1), collection: "numbers")
    #expect(try bench.effect(OpenCollection.self).store == store)
  }

  @Test func `A location open under another name is shown in the tab that requested it`() throws {
    var bench = Bench.ready()
    bench.send(.command("new-tab", argument: "./numbers.db#others"))
    bench.run(.command("previous-tab"))
    let summary = Bench.summary("./numbers.db", "others")
    try bench.answer(OpenLocation.self, .success(summary))
    #expect(try bench.only(ForgetLocation.self).id == LocationID(1))
    bench.send(.command("next-tab"))
    #expect(try bench.effect(OpenCollection.self).store == Self.other)
  }

  @Test func `A tab whose location cannot be opened is closed`() throws {
    var bench = Bench.ready()
    bench.run(.command("down"))
    bench.send(.command("new-tab", argument: "gone.db"))
    bench.run(
      try bench.effect(OpenLocation.self), .failure(.cannotOpen("gone.db does not exist")))
    #expect(bench.state.tabs.count == 1)
    #expect(bench.selected == .integer(1))
    #expect(
      bench.state.message == Message("gone.db does not exist; its tab was closed", .error))
    // It is closed even if it is no longer shown.
    bench.send(.command("new-tab", argument: "gone too.db"))
    let open = try bench.effect(OpenLocation.self)
    bench.run(.command("previous-tab"))
    bench.run(open, .failure(.cannotOpen("gone too.db does not exist")))
    #expect(bench.state.tabs.count == 1 && bench.selected == .integer(1))
    // It is also closed if the collection does not exist.
    bench.send(.command("new-tab", argument: "more.db#nothing"))
    let summary = Bench.summary("more.db", "nothing", resolvedPath: "/more.db")
    bench.run(try bench.effect(OpenLocation.self), .success(summary))
    #expect(bench.state.tabs.count == 1 && bench.selected == .integer(1))
    #expect(bench.state.message?.text == "more.db has no “nothing”; its tab was closed")
  }

  @Test func `The last tab stays`() {
    var bench = Bench.ready()
    bench.command("close-tab")
    #expect(bench.state.message?.text == "close tab: \(Messages.onlyTab(quit: "q"))")
    bench.command("next-tab")
    #expect(bench.state.message?.text == "next tab: \(Messages.onlyTab(newTab: "Ctrl-T"))")
    bench.run(.command("new-tab"))
    bench.command("tab", "7")
    #expect(bench.state.message?.text == "there is no tab “7”; the last one is 2")
    bench.command("close-tab", "0")
    #expect(bench.state.tabs.count == 2)
  }

  @Test func `The number of tabs is limited`() {
    var bench = Bench.ready()
    for _ in 0..<60 { bench.run(.command("new-tab")) }
    #expect(bench.state.tabs.count == TabsModel.capacity)
    #expect(bench.state.message?.text == "there are 50 tabs; Ctrl-W closes one")
    for _ in 0..<60 { bench.run(.command("close-tab")) }
    #expect(bench.state.tabs.count == 1 && bench.rows == Array(0..<10))
  }

  @Test func `A tab is closed by number`() {
    var bench = twoTabs()
    bench.run(.command("new-tab"))
    bench.run(.command("filter", argument: "3"))
    bench.run(.command("close-tab", argument: "1"))
    #expect(bench.state.tabs.count == 2 && bench.state.tabs.shown == 2 && bench.rows == [3])
    bench.run(.command("close-tab", argument: "2"))
    #expect(bench.state.tabs.count == 1 && bench.rows == Array(0..<10))
  }

  @Test func `A watch continues when its tab is shown again`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .changeFeed])
    bench.send(.command("watch"))
    let watch = try bench.effect(WatchStore.self)
    bench.run(watch, .changes(WatchReport(of: EntryDifference(.changed, .integer(3)))))
    bench.send(.command("new-tab"))
    #expect(bench.ends(.watch) && bench.state.keys?.watch == nil)
    bench.settle()
    bench.answer(watch, .changes(WatchReport()))
    #expect(bench.effects.isEmpty)
    bench.send(.command("previous-tab"))
    let again = try bench.effect(WatchStore.self)
    #expect(again.store == Bench.reference && again.ticket?.token != watch.ticket?.token)
    #expect(try again.ticket?.token == #require(bench.state.keys?.watch?.token))
    bench.settle()
    #expect(bench.state.keys?.watch?.changes[.integer(3)] != nil)
    bench.command("watch")
    #expect(bench.state.keys?.watch == nil)
  }

  @Test func `Equal names are distinguished by more of their paths`() throws {
    var bench = Bench.ready()
    for (number, path) in ["/home/a/x/app.db", "/home/b/x/app.db", "/home/b/x/app.db"].enumerated()
    {
      let id = LocationID(number + 1)
      bench.send(.command("new-tab", argument: path))
      let summary = Bench.summary(path, resolvedPath: "\(path) \(number)")
      try bench.answer(OpenLocation.self, .success(summary))
      guard var store = bench.state.tabs.before.first?.keys?.store else { continue }
      store.reference = StoreReference(location: id, collection: "numbers")
      store.location = StoreLocation(path: path, collection: "numbers")
      bench.run(OpenCollection(store: store.reference), .success(store))
    }
    #expect(
      bench.state.tabTitles.map(\.name) == [
        "numbers.db#numbers", "a/x/app.db#numbers", "b/x/app.db#numbers", "b/x/app.db#numbers",
      ])
  }
}

extension WatchReport {
  /// Creates a report of one change.
  fileprivate init(of difference: EntryDifference) {
    self.init()
    differences = [difference]
    counts = [difference.change: 1]
  }
}
