import TestSamples
import LarderModel
@testable import LarderBrowser
import Testing

/// Loading of pages and handling of replies.
@Suite struct PagingTests {
  @Test func `Opening a store loads only its first page`() throws {
    let bench = Bench(0..<1_000)
    let load = try bench.only(LoadPage.self)
    #expect(load.store == Bench.reference && load.query == EntryPageQuery(limit: 200))
    #expect(bench.state.keys?.selected == nil)
  }

  @Test func `The first page selects, reads and counts`() throws {
    var bench = Bench(0..<1_000)
    try bench.answer(LoadPage.self, .entries(bench.page(EntryPageQuery(limit: 200))))
    #expect(bench.selected == .integer(0))
    #expect(bench.reads == [.integer(0)])
    #expect(bench.pages.isEmpty)
    let count = try bench.last(CountEntries.self)
    #expect(count.store == Bench.reference && count.prefix == "")
    bench.answer(count, .exactly(1_000))
    #expect(bench.state.keys?.total == .exactly(1_000))
    bench.answer(count, .about(7))
    #expect(bench.state.keys?.total == .exactly(1_000))
  }

  @Test func `A first page in pieces is counted too`() throws {
    var bench = Bench(0..<3)
    let load = try bench.only(LoadPage.self)
    for (number, isLast) in [(Int64(0), false), (1, false), (2, true)] {
      bench.answer(
        load,
        .entries(
          PageReply(
            entries: [Entry(key: .integer(number))], examined: 1, position: .integer(number),
            isEnd: isLast, isLast: isLast)))
    }
    #expect(bench.rows == [0, 1, 2])
    #expect(bench.has(CountEntries.self))
  }

  @Test func `Other entries are shown until the first ones are known`() throws {
    var bench = Bench(0..<1_000)
    let load = try bench.only(LoadPage.self)
    #expect(load.showsSample)
    bench.answer(load, .sample([7, 3, 5].map { Entry(key: .integer($0)) }))
    #expect(bench.rows == [7, 3, 5] && bench.selected == .integer(7))
    #expect(bench.has(CountEntries.self) && bench.has(ReadEntry.self))
    bench.answer(load, .progress(500))
    #expect(bench.state.keys?.isSample == true && bench.state.keys?.examined == 500)
    bench.answer(load, .entries(bench.page(EntryPageQuery(limit: 200))))
    #expect(bench.rows == Array(0..<200) && bench.selected == .integer(0))
    #expect(bench.state.keys?.isSample == false)
    bench.answer(load, .sample([Entry(key: .integer(7))]))
    #expect(bench.rows.count == 200, "a late sample is ignored")
  }

  @Test func `An entry that was selected before the order was known remains selected`() throws {
    var bench = Bench(0..<1_000)
    let load = try bench.only(LoadPage.self)
    bench.answer(load, .sample([7, 500, 5].map { Entry(key: .integer($0)) }))
    bench.command("down")
    #expect(bench.selected == .integer(500))
    bench.answer(load, .entries(bench.page(EntryPageQuery(limit: 200))))
    bench.settle()
    #expect(bench.selected == .integer(500))
    #expect(bench.rows.contains(499) && bench.rows.contains(501))
  }

  @Test func `Another page replaces a sample, whatever was selected in it`() throws {
    var bench = Bench(0..<1_000)
    bench.answer(
      try bench.only(LoadPage.self), .sample([7, 500, 5].map { Entry(key: .integer($0)) }))
    bench.command("down")
    bench.command("last")
    bench.settle()
    #expect(bench.selected == .integer(999))
  }

  @Test func `The next page is loaded before the end is reached`() throws {
    var bench = Bench.ready(0..<1_000)
    for _ in 0..<149 {
      bench.command("down")
      #expect(bench.pages.isEmpty)
      bench.settle()
    }
    bench.command("down")
    #expect(bench.pages == [EntryPageQuery(after: .integer(199), limit: 200)])
    let load = try bench.effect(LoadPage.self)
    bench.command("down")
    #expect(bench.pages.isEmpty, "one page at a time")
    bench.answer(load, .entries(bench.page(EntryPageQuery(after: .integer(199)))))
    #expect(bench.rows == Array(0..<400))
    #expect(bench.selected == .integer(151))
  }

  @Test func `The previous page is loaded before the top is reached`() {
    var bench = Bench.ready(0..<1_000)
    bench.run(.command("last"))
    #expect(bench.rows == Array(800..<1_000))
    #expect(bench.selected == .integer(999))
    for _ in 0..<149 {
      bench.command("up")
      #expect(bench.pages.isEmpty)
      bench.settle()
    }
    bench.command("up")
    #expect(
      bench.pages == [EntryPageQuery(after: .integer(800), limit: 200, direction: .backward)])
    bench.settle()
    #expect(bench.rows == Array(600..<1_000))
    #expect(bench.selected == .integer(849))
  }

  @Test func `The first and last page are one command away`() {
    var bench = Bench.ready(0..<5_000)
    bench.command("last")
    #expect(bench.pages == [EntryPageQuery(limit: 200, direction: .backward)])
    #expect(bench.rows == Array(0..<200), "what is there stays until the page comes")
    bench.settle()
    #expect(bench.rows == Array(4_800..<5_000))
    #expect(bench.selected == .integer(4_999))
    #expect(bench.state.keys?.ordinal == 5_000)
    bench.command("last")
    #expect(bench.pages.isEmpty)
    bench.run(.command("first"))
    #expect(bench.selected == .integer(0))
    #expect(bench.rows == Array(0..<200))
    #expect(bench.state.keys?.ordinal == 1)
  }

  @Test func `The window never exceeds its capacity`() {
    var bench = Bench.ready(0..<5_000)
    for _ in 0..<400 { bench.run(.command("page-down")) }
    #expect(bench.rows.count <= EntryWindow.capacity)
    #expect(bench.selected == .integer(3_600))
    #expect(bench.state.keys?.ordinal == 3_601)
  }

  @Test func `No key is ever skipped`() {
    var random = SampleGenerator()
    var bench = Bench.ready(0..<4_000)
    let commands: [(id: String, times: Int)] = [
      ("page-down", 300), ("page-up", 300), ("down", 30), ("up", 30), ("first", 1), ("last", 1),
      ("reload", 1), ("page-up", 10), ("page-down", 10),
    ]
    for _ in 0..<25 {
      let command = commands.randomElement(using: &random) ?? ("down", 1)
      for _ in 0..<command.times { bench.run(.command(command.id)) }
      let rows = bench.rows
      let isGapless = zip(rows, rows.dropFirst()).allSatisfy { $0 + 1 == $1 }
      #expect(isGapless, "after \(command), seed \(random.seed)")
      if let ordinal = bench.state.keys?.ordinal {
        #expect(bench.selected == .integer(Int64(ordinal - 1)), "seed \(random.seed)")
      }
    }
  }

  @Test func `Moving back and forth past the capacity leaves no gap`() {
    var bench = Bench.ready(0..<4_000)
    for id in ["page-down", "page-up", "page-down"] {
      for _ in 0..<300 { bench.run(.command(id)) }
      let rows = bench.rows
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 + 1 == $1 }, "after \(id)")
    }
  }

  /// Returns an outdated ticket.
  private func old(_ place: @escaping @Sendable (BrowserState) -> Int?) -> Ticket {
    Ticket(0, place)
  }

  @Test func `Outdated replies are ignored`() throws {
    var bench = Bench(0..<1_000)
    let load = try bench.only(LoadPage.self)
    bench.run(.command("reload"))
    let before = bench.state
    bench.answer(load, .entries(bench.page(EntryPageQuery(limit: 200))))
    #expect(bench.effects.isEmpty)
    bench.answer(load, .failed(.busy("late")))
    let store = Bench.reference
    bench.answer(
      ReadEntry(store: store, key: .null, path: .usual, ticket: old { $0.value?.token }),
      .success(Entry(key: .null, value: .null)))
    bench.answer(
      CountEntries(store: store, prefix: "", ticket: old { $0.keys?.counting }), .exactly(5))
    let query = ReplaceQuery(.null, expecting: nil)
    bench.answer(
      WriteEntry(
        store: store, entry: Entry(key: .null), query: query, ticket: old { $0.editor?.saving }),
      .success(Entry(key: .null)))
    bench.answer(
      DeleteEntry(store: store, query: EntryQuery(.null), ticket: old { $0.question?.deleting }),
      .success(()))
    bench.answer(OpenCollection(store: store), .failure(.busy("late")))
    #expect(bench.state == before)
  }

  @Test func `A failed page is reported and not loaded again automatically`() throws {
    var bench = Bench(0..<1_000)
    try bench.answer(LoadPage.self, .failed(.busy("the database is locked")))
    #expect(bench.state.message == Message("the database is locked", .error))
    #expect(bench.state.keys?.failure == .busy("the database is locked"))
    bench.send(.viewportChanged(Viewport(keys: 20)))
    #expect(bench.effects.isEmpty)
    bench.run(.command("reload"))
    #expect(bench.rows == Array(0..<200))
    #expect(bench.state.keys?.failure == nil)
  }

  @Test func `Reloading counts again`() {
    var bench = Bench.ready(0..<5)
    #expect(bench.state.keys?.total == .exactly(5))
    bench.numbers.append(5)
    bench.run(.command("reload"))
    #expect(bench.rows == Array(0..<6))
    #expect(bench.state.keys?.total == .exactly(6))
  }

  @Test(arguments: [0, 3, 4])
  func `Reloading selects the key after a deleted one`(row: Int) {
    var bench = Bench.ready(0..<5)
    for _ in 0..<row { bench.run(.command("down")) }
    bench.numbers.remove(at: row)
    bench.run(.command("reload"))
    #expect(bench.rows == bench.numbers)
    #expect(bench.selected == .integer(bench.numbers[min(row, 3)]))
    #expect(bench.state.value?.key == bench.selected)
    #expect(bench.state.keys?.total == .exactly(4))
  }

  @Test func `A failed reload keeps the list and its selection`() throws {
    var bench = Bench.ready(0..<5)
    bench.run(.command("down"))
    bench.command("reload")
    try bench.answer(LoadPage.self, .failed(.busy("the database is locked")))
    #expect(bench.rows == Array(0..<5))
    #expect(bench.selected == .integer(1))
    bench.run(.command("reload"))
    #expect(bench.selected == .integer(1))
    #expect(bench.state.keys?.failure == nil)
  }

  @Test func `Reloading keeps the selection and its neighbors`() {
    var bench = Bench.ready(0..<1_000)
    for _ in 0..<500 { bench.run(.command("down")) }
    bench.run(.command("reload"))
    #expect(bench.selected == .integer(500))
    #expect(bench.rows.contains(499))
    #expect(bench.rows.contains(501))
  }
}
