import Foundation
import Harmony
import LarderModel
import LarderOperations
@testable import LarderBrowser
import Testing

/// The state of the overview of a store.
@Suite struct OverviewStateTests {
  private let now = Date(timeIntervalSinceReferenceDate: 1_000)

  private func sums(_ counts: [String: Int], delimiter: String = ":") -> Overview {
    var overview = Overview(delimiter: delimiter, at: now)
    for (prefix, count) in counts.sorted(by: { $0.key < $1.key }) {
      for number in 0..<count {
        overview.add(Entry(key: .text("\(prefix)\(number)"), type: .text, size: 10))
      }
    }
    return overview
  }

  private func bench(_ capabilities: StoreCapabilities = []) -> Bench {
    var bench = Bench.ready(
      capabilities: capabilities.union([.writable, .creates, .ordered, .prefixes]))
    bench.command("overview")
    return bench
  }

  private func model(_ bench: Bench) throws -> OverviewModel { try #require(bench.state.overview) }

  @Test func `The overview summarizes the list and waits for changes`() throws {
    var bench = bench()
    let scan = try bench.effect(SummarizeStore.self)
    #expect(scan.store == Bench.reference && scan.prefix.isEmpty && scan.delimiter == nil)
    #expect(bench.has(AwaitStoreChange.self))
    #expect(try model(bench).scanning != nil && model(bench).expectedCount == 10)
    bench.answer(scan, .progress(sums(["a:": 2])))
    bench.answer(scan, .whole(sums(["a:": 2, "b:": 3])))
    let done = try model(bench)
    #expect(done.scanning == nil && done.failure == nil)
    #expect(done.groups.map(\.sum.count) == [3, 2] && done.selectedPrefix == "b:")
    bench.answer(scan, .whole(sums([:])))
    #expect(try model(bench).groups.count == 2, "a scan that is over says nothing more")
  }

  @Test func `The selected group stays selected during a scan`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .progress(sums(["a:": 2, "b:": 3])))
    bench.command("down")
    #expect(try model(bench).selectedPrefix == "a:")
    try bench.answer(SummarizeStore.self, .progress(sums(["a:": 2, "b:": 3, "c:": 9])))
    #expect(try model(bench).selectedPrefix == "a:")
    bench.command("overview-sort")
    #expect(try model(bench).order == .count && model(bench).selectedPrefix == "c:")
    bench.command("overview-sort")
    #expect(try model(bench).order == .name && model(bench).selectedPrefix == "a:")
    bench.command("last")
    #expect(try model(bench).selectedPrefix == "c:")
    bench.command("page-down")
    bench.command("first")
    #expect(try model(bench).selectedPrefix == "a:")
    bench.command("overview-sort")
    #expect(try model(bench).order == .size)
  }

  @Test func `Escape stops the scan, keeps the results, and then closes`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .progress(sums(["a:": 2])))
    bench.send(.cancel)
    #expect(bench.ends(.overview))
    #expect(try model(bench).failure == .cancelled && model(bench).groups.count == 1)
    bench.send(.cancel)
    #expect(bench.state.overlay == nil && bench.ends(.overviewChange))
    bench.command("overview")
    bench.command("close")
    #expect(bench.state.overlay == nil && bench.ends(.overview), "q closes at once")
  }

  @Test func `A failure is reported and keeps the results`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .progress(sums(["a:": 2])))
    try bench.answer(SummarizeStore.self, .failed(.corrupt("page 3")))
    #expect(try model(bench).failure == .corrupt("page 3") && model(bench).groups.count == 1)
    #expect(bench.state.message?.kind == .error)
    bench.command("overview-again")
    #expect(bench.has(SummarizeStore.self))
    #expect(try model(bench).failure == nil)
  }

  @Test func `A change to the store is indicated until it is read again`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .whole(sums(["a:": 2])))
    try bench.answer(AwaitStoreChange.self, ())
    #expect(try model(bench).isChanged)
    bench.command("overview-again")
    #expect(try !model(bench).isChanged)
    let scan = try bench.effect(SummarizeStore.self)
    #expect(scan.delimiter == ":", "what was guessed once stays")
  }

  @Test func `Enter lists the prefix`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .whole(sums(["a:": 2])))
    bench.command("overview-list")
    #expect(bench.state.overlay == nil && bench.state.keys?.scope == "a:")
    #expect(bench.ends(.overview))
  }

  @Test func `Prefixes can be entered and left`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .whole(sums(["a:": 2])))
    bench.command("overview-into")
    #expect(try bench.effect(SummarizeStore.self).prefix == "a:")
    try bench.answer(SummarizeStore.self, .whole(sums(["a:b:": 2])))
    #expect(try model(bench).prefix == "a:")
    bench.command("overview-out")
    #expect(try bench.effect(SummarizeStore.self).prefix == "")
    bench.command("overview-out")
    #expect(bench.state.overlay == nil)
  }

  @Test func `Leaving a deep prefix goes to its parent`() throws {
    var bench = bench()
    bench.state.overlay = nil
    bench.command("open-here", "a:b:c")
    bench.settle()
    bench.command("overview")
    #expect(try bench.effect(SummarizeStore.self).prefix == "a:b:c")
    try bench.answer(SummarizeStore.self, .whole(sums(["a:b:cd:": 1])))
    bench.command("overview-out")
    #expect(try bench.effect(SummarizeStore.self).prefix == "a:b:")
  }

  @Test func `Deletion asks as for any prefix`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .whole(sums(["a:": 2])))
    bench.command("overview-delete")
    #expect(try bench.effect(MatchPrefix.self).prefix == "a:")
    #expect(bench.state.typedLine?[PrefixDeletionModel.self] != nil)
    var readOnly = Bench.ready(isReadOnly: true, capabilities: [.ordered, .prefixes])
    readOnly.command("overview")
    try readOnly.answer(SummarizeStore.self, .whole(sums(["a:": 2])))
    readOnly.command("overview-delete")
    #expect(readOnly.state.overview != nil && readOnly.state.refusalCount == 1)
  }

  @Test func `Keys without a prefix are neither listed nor deleted`() throws {
    var bench = bench()
    try bench.answer(SummarizeStore.self, .whole(sums(["": 3])))
    #expect(try model(bench).selectedPrefix == nil)
    for command in ["overview-list", "overview-into", "overview-delete"] {
      bench.command(command)
      #expect(bench.effects.isEmpty && bench.state.overview != nil, "\(command)")
    }
  }

  @Test func `A list of thousands of prefixes ends with a summary of the rest`() throws {
    var bench = bench()
    let counts = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("p\($0):", 1) })
    try bench.answer(SummarizeStore.self, .whole(sums(counts)))
    #expect(try model(bench).groups.count == OverviewModel.maximumRowCount + 1)
    bench.send(.click(.keys, row: 3))
    #expect(try model(bench).cursor.index == 3)
    bench.send(.click(.keys, row: 100_000))
    bench.send(.scroll(.keys, rows: 5))
    #expect(try model(bench).cursor.top == 5)
    bench.command("last")
    #expect(try model(bench).selectedPrefix == nil)
  }

  @Test func `The effect reports the first page and the complete result`() async throws {
    let source = ScriptedSource(onPage: { query in
      let first: Int64 = if case .integer(let last)? = query.after { last + 1 } else { 0 }
      let numbers = first..<min(first + Int64(query.limit), 9_000)
      return Future(numbers.map { Entry(key: .integer($0), size: 1) })
    })
    let bench = await RunnerBench(source)
    let replies = await bench.replies(
      to: SummarizeStore(store: Bench.reference, prefix: "", delimiter: nil, ticket: nil))
    guard case .progress(let first)? = replies.first, case .whole(let all)? = replies.last else {
      Issue.record("\(replies.count) replies")
      return
    }
    #expect(first.total.count == 4_000 && all.total.count == 9_000 && all.isWhole)
    #expect(source.reads == 0)
  }
}
