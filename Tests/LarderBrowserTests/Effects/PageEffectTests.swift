import Harmony
import LarderModel
@testable import LarderBrowser
import Testing

/// Loading pages in several pieces.
@Suite struct PageEffectTests {
  private func entries(_ numbers: Range<Int64>) -> [Entry] {
    numbers.map { Entry(key: .integer($0)) }
  }

  private func pieces(_ answers: [LoadPage.Reply]) -> [PageReply] {
    answers.compactMap { if case .entries(let reply) = $0 { reply } else { nil } }
  }

  private func load(
    _ query: EntryPageQuery = EntryPageQuery(), of store: StoreReference = Bench.reference
  ) -> LoadPage {
    LoadPage(store: store, query: query, tree: nil, ticket: nil)
  }

  private func count(_ bench: RunnerBench) async -> [KeysModel.Total] {
    await bench.replies(to: CountEntries(store: Bench.reference, prefix: "", ticket: nil))
  }

  @Test func `A complete page is one reply`() async {
    let source = ScriptedSource(onPage: { [self] query in
      Future(entries(0..<Int64(query.limit)))
    })
    let bench = await RunnerBench(source)
    let replies = await bench.replies(to: load(EntryPageQuery(limit: 3)))
    #expect(
      replies == [
        .entries(
          PageReply(
            entries: entries(0..<3), examined: 3, position: .integer(2), isEnd: false,
            isLast: true))
      ])
    #expect(source.pages.first?.scan?.budget != nil)
  }

  @Test func `A short page from a source without reports is the last one`() async {
    let bench = await RunnerBench(ScriptedSource(onPage: { [self] _ in Future(entries(0..<2)) }))
    let replies = await bench.replies(to: load(EntryPageQuery(limit: 3)))
    #expect(pieces(replies).map(\.isEnd) == [true])
    #expect(pieces(replies).map(\.isLast) == [true])
  }

  @Test func `A scan that spends its budget continues from its position`() async {
    let source = ScriptedSource(onPage: { [self] query in
      let number: Int64 = if case .integer(let number) = query.after { number } else { 0 }
      query.scan?.report(examined: 10, position: .integer(number + 10), isComplete: number == 20)
      return Future(entries(number..<number + 1))
    })
    let bench = await RunnerBench(source)
    let filter = EntryFilter(.text("x"))
    let replies = pieces(
      await bench.replies(to: load(EntryPageQuery(filter: filter, limit: 200))))
    #expect(
      replies.map { $0.entries.map(\.key) } == [[.integer(0)], [.integer(10)], [.integer(20)]])
    #expect(replies.map(\.examined) == [10, 20, 30])
    #expect(replies.map(\.position) == [.integer(10), .integer(20), .integer(30)])
    #expect(replies.map(\.isLast) == [false, false, true])
    #expect(replies.map(\.isEnd) == [false, false, true])
    #expect(source.pages.map(\.after) == [nil, .integer(10), .integer(20)])
    #expect(source.pages.map(\.limit) == [200, 199, 198])
    #expect(source.pages.allSatisfy { $0.filter == filter })
  }

  @Test func `A failure after some pieces is the last reply`() async {
    let source = ScriptedSource(onPage: { [self] query in
      guard query.after == nil else { return Future(StoreError.busy("locked")) }
      query.scan?.report(examined: 1, position: .integer(0), isComplete: false)
      return Future(entries(0..<1))
    })
    let bench = await RunnerBench(source)
    let replies = await bench.replies(to: load())
    #expect(replies.count == 2)
    #expect(replies.last == .failed(.busy("locked")))
  }

  @Test func `Cancelling the effect cancels the query`() async {
    let held = Future<[Entry]>()
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let bench = await RunnerBench(
      ScriptedSource(onPage: { _ in
        isAsked.yield()
        return held
      }))
    let task = Task { await bench.replies(to: load()) }
    for await _ in asked { break }
    task.cancel()
    let replies = await task.value
    #expect(held.isCancelled)
    #expect(pieces(replies).isEmpty)
  }

  @Test func `A store that is not open is an error`() async {
    let bench = await RunnerBench(ScriptedSource())
    let other = StoreReference(location: LocationID(5))
    #expect(
      await bench.replies(to: load(of: other)) == [.failed(.cannotOpen("the store is not open"))])
    #expect(
      await bench.replies(to: OpenCollection(store: other))
        == [.failure(.cannotOpen("the location is not open"))])
    #expect(
      await bench.replies(to: OpenLocation(id: LocationID(5), text: "gone.db"))
        == [.failure(.cannotOpen("gone.db does not exist"))])
  }

  @Test func `A count is exact if the store has no estimate`() async {
    let exact = await RunnerBench(
      ScriptedSource(onGet: { query in
        (query as? CountQuery)?.precision == .exact
          ? Future(CountQuery.answer(7)) : Future(CoreError.QueryNotSupported())
      }))
    #expect(await count(exact) == [.exactly(7)])
    let estimate = await RunnerBench(
      ScriptedSource(onGet: { _ in Future(CountQuery.answer(9, isExact: false)) }))
    #expect(await count(estimate) == [.about(9)])
    let none = await RunnerBench(ScriptedSource())
    #expect(await count(none).isEmpty)
  }

  @Test func `Errors of sources become store errors`() {
    #expect(StoreError(CancellationError()) == .cancelled)
    #expect(StoreError(CoreError.NotFound()) == .notFound("no such entry"))
    #expect(StoreError(CoreError.QueryNotSupported()) == .notSupported("this store cannot do that"))
    #expect(StoreError(StoreError.busy("x")) == .busy("x"))
    #expect(StoreError.conflict(current: nil).message.contains("deleted"))
    #expect(StoreError.conflict(current: Entry(key: .null)).message.contains("changed"))
  }
}
