import Foundation
import LarderModel
import LarderBrowser
import Testing

/// Lists of live processes, which are polled because they send no change notifications.
@Suite struct FollowingTests {
  private let capabilities: StoreCapabilities = [.writable, .creates, .ordered, .departs, .types]

  private func entries(_ numbers: some Sequence<Int64>) -> [Entry] {
    numbers.map { Entry(key: .integer($0), size: 1) }
  }

  /// Returns the query for rows and the key of the next poll, once it is due.
  private func look(_ bench: inout Bench) throws -> (EntryPageQuery?, EntryKey?) {
    let (request, key) = try request(&bench)
    guard case .rows(let query)? = request else { return (nil, key) }
    return (query, key)
  }

  private func request(
    _ bench: inout Bench
  ) throws -> (PollResult.Request?, EntryKey?) {
    try bench.answer(WaitToPoll.self, ())
    let look = try? bench.effect(PollEntries.self)
    return (look?.request, look?.key)
  }

  private func answer(
    _ bench: inout Bench, _ entries: [Entry]?, _ entry: Entry? = nil, count: Int? = nil
  ) throws {
    try bench.answer(
      PollEntries.self,
      PollResult(entries: entries, entry: entry, count: count, duration: .milliseconds(1)))
  }

  /// Sorts the list by size, largest first.
  private func sort(_ bench: inout Bench, _ entries: [Entry]) throws {
    bench.command("sort", "size down")
    let load = try bench.effect(LoadPage.self)
    #expect(load.query.order.field == .size)
    bench.answer(
      load,
      .entries(
        PageReply(
          entries: entries, examined: entries.count, position: nil, isEnd: true, isLast: true)))
    bench.settle()
  }

  private func sized(_ sizes: [(Int64, Int)]) -> [Entry] {
    sizes.map { Entry(key: .integer($0.0), size: $0.1) }
  }

  @Test func `A sorted list is updated and keeps its selection and scroll position`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    try sort(&bench, sized([(2, 9), (0, 7), (3, 5), (1, 3)]))
    bench.run(.command("down"))
    #expect(bench.selected == .integer(0))
    let (request, _) = try request(&bench)
    guard case .list(let query)? = request else {
      Issue.record("\(String(describing: request))")
      return
    }
    #expect(query.order.field == .size && query.after == nil && query.limit > 4)
    // One entry was added, one was removed, and two changed places.
    try answer(&bench, sized([(2, 9), (3, 8), (7, 7), (0, 1)]), count: 4)
    #expect(bench.rows == [2, 3, 7, 0])
    #expect(bench.selected == .integer(0))
    #expect(bench.state.keys?.cursor.top == 0)
    #expect(bench.state.keys?.total == .exactly(4))
  }

  @Test func `If the selected row is removed, the next one is selected`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    try sort(&bench, sized([(2, 9), (0, 7), (3, 5), (1, 3)]))
    bench.run(.command("down"))
    _ = try request(&bench)
    try answer(&bench, sized([(2, 9), (3, 5), (1, 3)]))
    #expect(bench.selected == .integer(3))
    #expect(bench.reads == [.integer(3)])
    _ = try request(&bench)
    try answer(&bench, [])
    #expect(bench.rows.isEmpty)
    #expect(bench.state.value == nil)
  }

  @Test func `A filtered list is updated`() throws {
    var bench = Bench.ready(0..<40, capabilities: capabilities)
    bench.run(.command("filter", argument: "1"))
    #expect(bench.rows == [1] + Array(10..<20) + [21, 31])
    for _ in 0..<11 { bench.run(.command("down")) }
    let selected = bench.selected
    let screenRow = bench.state.keys.map { $0.cursor.index - $0.cursor.top }
    guard case .list(let query)? = try request(&bench).0 else {
      Issue.record("no list is asked for")
      return
    }
    #expect(query.filter != nil)
    try answer(
      &bench, [0, 1, 10, 12, 14, 16, 17, 18, 19, 21, 31, 41].map { .init(key: .integer($0)) })
    #expect(bench.selected == selected)
    #expect(bench.state.keys.map { $0.cursor.index - $0.cursor.top } == screenRow)
    #expect(bench.rows.last == 41)
  }

  @Test func `A reply about another list is ignored`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    _ = try request(&bench)
    let look = try bench.effect(PollEntries.self)
    try sort(&bench, sized([(2, 9), (0, 7), (3, 5), (1, 3)]))
    bench.answer(look, PollResult(entries: [], entry: nil, duration: .zero))
    #expect(bench.rows == [2, 0, 3, 1])
  }

  @Test func `Added and removed rows are updated and the selection stays`() throws {
    var bench = Bench.ready(capabilities: capabilities)
    for _ in 0..<3 { bench.command("down") }
    bench.settle(value: .text("value"))
    let (query, key) = try look(&bench)
    #expect(query?.after == nil)
    #expect(query?.limit == 11)
    #expect(key == .integer(3))
    try answer(&bench, entries([0, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
    #expect(
      bench.state.keys?.window.entries.map(\.key)
        == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map { .integer($0) })
    #expect(bench.state.keys?.selected?.key == .integer(3))
    #expect(bench.state.keys?.following != nil)
    #expect(bench.has(WaitToPoll.self))
  }

  @Test func `The value is updated when the program changes it`() throws {
    var bench = Bench.ready(capabilities: capabilities)
    let (_, key) = try look(&bench)
    #expect(key == .integer(0))
    let same = try #require(bench.state.value?.entry.value)
    let token = bench.state.value?.token
    try answer(&bench, nil, same)
    #expect(bench.state.value?.token == token)
    _ = try look(&bench)
    try answer(&bench, nil, Entry(key: .integer(0), value: .text("new")))
    #expect(bench.state.value?.entry.value?.value == .text("new"))
  }

  @Test func `Nothing is polled while a dialog is open`() throws {
    var bench = Bench.ready(capabilities: capabilities)
    _ = try look(&bench)
    let old = try bench.effect(PollEntries.self)
    try answer(&bench, nil)
    bench.command("help")
    let (query, key) = try look(&bench)
    #expect(query == nil && key == nil)
    #expect(bench.has(WaitToPoll.self))
    bench.answer(old, PollResult(entries: [], entry: nil, duration: .zero))
    #expect(bench.state.keys?.window.entries.count == 10)
  }

  @Test func `A slow program is polled less often`() throws {
    var bench = Bench.ready(capabilities: capabilities)
    _ = try look(&bench)
    try bench.answer(
      PollEntries.self, PollResult(entries: nil, entry: nil, duration: .seconds(1)))
    #expect(try bench.effect(WaitToPoll.self).pause == .seconds(20))
  }

  @Test func `Other stores are not polled`() {
    let bench = Bench.ready()
    #expect(bench.state.keys?.following == nil)
  }

  // MARK: A program that does not respond

  private let silence = StoreError.busy("no answer came in time; the program may be stopped")

  private func fail(_ bench: inout Bench, after duration: Duration = .seconds(10)) throws {
    try bench.answer(
      PollEntries.self,
      PollResult(entries: nil, entry: nil, failure: silence, duration: duration))
  }

  private func pause(_ bench: Bench) -> Duration? {
    try? bench.effect(WaitToPoll.self).pause
  }

  @Test func `A program that does not respond is reported once and its keys stay`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    _ = try look(&bench)
    try fail(&bench)
    #expect(bench.state.message?.text.contains("may be stopped; its entries stay") == true)
    #expect(bench.rows == [0, 1, 2, 3])
    // It was not busy with a reply, so it is polled again soon.
    #expect(pause(bench) == .seconds(2))
    let count = bench.state.messages.items.first?.count
    _ = try look(&bench)
    try fail(&bench)
    #expect(bench.state.messages.items.first?.count == count)
    // Repeated timeouts are polled less and less often.
    for seconds in [8, 16, 32, 60, 60] {
      _ = try look(&bench)
      try fail(&bench)
      #expect(pause(bench) == .seconds(seconds))
    }
  }

  @Test func `A value that never arrives is requested a limited number of times`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    bench.command("down")
    var tries = 0
    for round in 1..<10 {
      if bench.reads == [.integer(1)] {
        try bench.answer(ReadEntry.self, .failure(silence))
        tries += 1
      }
      _ = try look(&bench)
      try answer(&bench, entries((0..<4).map { Int64($0) } + [Int64(100 + round)]))
      #expect(bench.rows.last == Int64(100 + round))
      #expect(bench.state.keys?.load == nil)
    }
    #expect(tries == 4)
  }

  @Test func `A list that could not be read is read once the program responds`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    bench.run(.command("down"))
    bench.command("reload")
    try bench.answer(LoadPage.self, .failed(silence))
    #expect(bench.rows == [0, 1, 2, 3])
    #expect(bench.selected == .integer(1))
    #expect(try look(&bench).0 != nil)
    try answer(&bench, entries([0, 1, 2, 3]))
    #expect(bench.state.message?.text.contains("responds again") == true)
    #expect(bench.state.keys?.load != nil)
    #expect(bench.reads == [.integer(1)])
    bench.settle()
    #expect(bench.state.keys?.failure == nil)
    #expect(bench.selected == .integer(1))
  }

  @Test func `A value that could not be read is read once the program responds`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    bench.command("down")
    try bench.answer(ReadEntry.self, .failure(silence))
    #expect(try look(&bench).0 != nil)
    try answer(&bench, entries([0, 1, 2, 3]))
    #expect(bench.reads == [.integer(1)])
    bench.settle(value: .text("new"))
    #expect(bench.state.value?.entry.value?.value == .text("new"))
  }

  @Test func `An unsupported list is not requested again`() throws {
    var bench = Bench.ready(0..<4, capabilities: capabilities)
    bench.command("reload")
    try bench.answer(LoadPage.self, .failed(.notSupported("it lists no keys")))
    #expect(try look(&bench).0 == nil)
  }
}
