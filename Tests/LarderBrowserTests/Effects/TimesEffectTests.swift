import Foundation
import Harmony
import HarmonyTesting
import LarderModel
@testable import LarderBrowser
import Testing

/// Totals of all entries, and reopening stores that have ended.
@Suite struct TimesEffectTests {
  @Test func `Sizes whose sum would overflow are not added`() async throws {
    let source = ScriptedSource(onPage: { _ in
      Future([
        Entry(key: .integer(1), size: .max), Entry(key: .integer(2), size: .max),
      ])
    })
    let bench = await RunnerBench(source)
    let replies = await bench.replies(
      to: SummarizeExpiries(store: Bench.reference, prefix: "", ticket: nil))
    let totals = try #require(replies.last).get()
    #expect(totals.summaries(at: Date()).first == "0 fresh, 0 expired, 2 never")
  }

  @Test func `A live process gets pauses between pages`() async {
    let clock = ManualClock()
    let source = ScriptedSource(onPage: { query in
      clock.advance(by: .milliseconds(3))
      let first: Int64 = if case .integer(let last)? = query.after { last + 1 } else { 0 }
      let numbers = first..<min(first + Int64(query.limit), 1_200)
      return Future(numbers.map { Entry(key: .integer($0), size: 1) })
    })
    let bench = await RunnerBench(source, capabilities: [.cache], clock: clock)
    let before = source.pages.count
    await bench.run(SummarizeExpiries(store: Bench.reference, prefix: "", ticket: nil))
    #expect(source.pages.count - before == 3)
    #expect(bench.pauses == [.milliseconds(147), .milliseconds(147)])
  }

  @Test func `All collections of a location are reopened`() async {
    let source = ScriptedSource(onGet: { query in
      guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
      return Future(Entry(key: query.entryKey, value: .text("stored")))
    })
    let bench = await RunnerBench(source)
    let other = StoreReference(location: Bench.location, collection: "others")
    await bench.run(OpenCollection(store: other))
    await bench.run(
      MonitorStore(store: Bench.reference, text: "numbers.db", isAway: true, ticket: nil))
    for reference in [Bench.reference, other] {
      let replies = await bench.replies(
        to: ReadEntry(store: reference, key: .integer(1), path: .usual, ticket: nil))
      guard case .success = replies.last else {
        Issue.record("\(reference): \(replies)")
        continue
      }
    }
  }
}
