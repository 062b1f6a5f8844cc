import LarderModel
@testable import LarderBrowser
import Testing

/// Filters and long scans.
@Suite struct FilterTests {
  @Test func `Every letter queries the store again`() {
    var bench = Bench.ready(0..<1_000)
    bench.command("filter")
    #expect(
      bench.state.overlay == .prompt(PromptModel(FilterPrompt(before: "", store: Bench.reference))))
    bench.type("9")
    #expect(bench.pages == [EntryPageQuery(filter: EntryFilter(.text("9")), limit: 200)])
    bench.type("9")
    #expect(bench.pages == [EntryPageQuery(filter: EntryFilter(.text("99")), limit: 200)])
    bench.settle()
    #expect(bench.rows == [99, 199, 299, 399, 499, 599, 699, 799, 899] + Array(990..<1_000))
    bench.send(.submit)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.overlay == nil)
  }

  @Test func `The old list disappears while the best matches are searched`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.command("filter", "~99")
    #expect(bench.rows.first == 0, "what is found at once takes its place without a gap")
    try bench.answer(LoadPage.self, .progress(500))
    #expect(bench.rows.isEmpty && bench.state.value == nil)
    #expect(bench.state.keys?.examined == 500)
  }

  @Test func `Marking all entries uses the order of the list`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.run(.command("sort", argument: "key down"))
    bench.command("mark-all")
    let query = try bench.first(ListKeys.self).query
    #expect(query.order == EntryOrder(.key, isDescending: true))
    #expect(query.limit == KeysModel.maximumMarkCount)
  }

  @Test func `A count is cancelled by a filter`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.state.keys?.total = nil
    bench.state.keys?.counting = 77
    bench.command("filter", "9")
    let cancel = try bench.first(Cancel.self)
    #expect(cancel.ends(.count))
    #expect(bench.state.keys?.counting == nil)
    bench.settle()
    #expect(bench.state.keys?.counting == nil, "a filtered list is not counted")
    bench.run(.cancel)
    #expect(bench.state.keys?.total == .exactly(1_000))
  }

  @Test func `Escape restores the previous filter`() {
    var bench = Bench.ready(0..<1_000)
    bench.run(.command("filter", argument: "99"))
    bench.command("filter")
    bench.type("x")
    #expect(bench.state.keys?.filterText == "99x")
    bench.run(.cancel)
    #expect(bench.state.keys?.filterText == "99")
    #expect(bench.rows.first == 99)
    bench.run(.cancel)
    #expect(bench.state.keys?.filterText == "")
    #expect(bench.rows.first == 0)
    #expect(bench.selected == .integer(99), "what was found stays selected")
  }

  @Test(
    arguments: [
      ("/ab+/", EntryFilter(.regex("ab+"))), ("/", nil),
      ("//", EntryFilter(.text("/"), in: .values)),
      ("/a", EntryFilter(.text("a"), in: .values)), ("a/", EntryFilter(.text("a/"))),
      ("//ab+/", EntryFilter(.regex("ab+"), in: .values)),
    ] as [(String, EntryFilter?)])
  func `Slashes enclose a regular expression or search in values`(
    _ text: String, _ filter: EntryFilter?
  ) {
    var bench = Bench.ready()
    bench.command("filter", text)
    #expect(bench.state.keys?.filter == filter)
  }

  @Test func `Without matches, nothing is selected`() {
    var bench = Bench.ready(0..<10)
    bench.run(.command("filter", argument: "x"))
    #expect(bench.rows.isEmpty)
    #expect(bench.state.value == nil)
    bench.command("edit")
    #expect(bench.state.message == Message("edit: no entry is selected", .warning))
  }

  /// Returns a partial reply of a scan that continues.
  private func piece(_ found: [Int64], examined: Int, at position: Int64) -> LoadPage.Reply {
    .entries(
      PageReply(
        entries: found.map { Entry(key: .integer($0)) }, examined: examined,
        position: .integer(position), isEnd: false, isLast: false))
  }

  @Test func `A stopped scan can be continued`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.command("filter", "7")
    let load = try bench.effect(LoadPage.self)
    bench.answer(load, piece([7, 17], examined: 500, at: 250))
    #expect(bench.rows == [7, 17])
    #expect(bench.selected == .integer(7))
    bench.send(.cancel)
    #expect(bench.onlyEnds(.page))
    #expect(bench.state.keys?.isPaused == true)
    #expect(bench.state.message?.text.contains("500 entries") == true)
    bench.command("down")
    #expect(bench.pages.isEmpty)
    bench.answer(
      load, .entries(PageReply(entries: [], examined: 9, isEnd: true, isLast: true)))
    #expect(bench.state.keys?.window.hasLater == true)
    bench.command("down")
    #expect(
      bench.pages == [
        EntryPageQuery(filter: EntryFilter(.text("7")), after: .integer(250), limit: 200)
      ])
    bench.settle()
    #expect(bench.rows.starts(with: [7, 17, 257, 267]))
  }

  @Test func `Undecided keys are reported`() throws {
    var bench = Bench.ready(0..<1_000)
    bench.command("filter", "/7/")
    try bench.answer(
      LoadPage.self,
      .entries(
        PageReply(
          entries: [], examined: 9, position: .integer(9), isEnd: false, isLast: false,
          undecided: [.integer(7), .integer(8)])))
    #expect(bench.state.keys?.undecided == [.integer(7), .integer(8)])
    #expect(bench.state.message?.kind == .warning)
    bench.command("filter", "8")
    #expect(bench.state.keys?.undecided == [])
  }

  @Test func `A scan without matches can be stopped`() {
    var bench = Bench.ready(0..<1_000)
    bench.command("filter", "7")
    bench.send(.cancel)
    #expect(bench.onlyEnds(.page))
    #expect(bench.rows.isEmpty)
    #expect(bench.state.value == nil)
    bench.command("down")
    #expect(bench.pages == [EntryPageQuery(filter: EntryFilter(.text("7")), limit: 200)])
  }

  @Test func `Commands typed ahead wait for the list`() throws {
    var bench = Bench.ready(0..<1_000)
    let edit = try #require(Command.named("edit"))
    let down = try #require(Command.named("down"))
    let help = try #require(Command.named("help"))
    #expect(!bench.state.isTooEarly(for: edit))
    bench.command("filter", "99")
    #expect(bench.state.isTooEarly(for: edit), "the old entry is not the one that is meant")
    #expect(bench.state.isTooEarly(for: down))
    #expect(!bench.state.isTooEarly(for: help))
    let load = try bench.effect(LoadPage.self)
    bench.answer(load, piece([], examined: 50, at: 50))
    #expect(bench.state.isTooEarly(for: edit), "nothing is found yet")
    #expect(!bench.state.isTooEarly(for: down))
    bench.answer(load, piece([99], examined: 100, at: 99))
    #expect(bench.state.isTooEarly(for: edit), "the value is being read")
    bench.settle()
    #expect(!bench.state.isTooEarly(for: edit))
    bench.command("last")
    #expect(bench.state.isTooEarly(for: edit), "another entry will be selected")
  }
}
