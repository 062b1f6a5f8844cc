import Foundation
import Harmony
import Synchronization
import Testing

@testable import LarderModel
@testable import LarderBrowser

/// The queries of a watch and their timing.
@Suite struct StoreWatcherTests {
  /// A clock that advances when something sleeps.
  private final class Time: Sendable {
    private let seconds = Mutex(0.0)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func pass(_ duration: Duration) {
      seconds.withLock { $0 += duration.inSeconds }
    }
  }

  /// A feed of a limited or unlimited number of changes.
  private final class Feed: ChangeFeed {
    private let left: Mutex<Int>

    init(_ count: Int = .max) { left = Mutex(count) }

    var limitation: String? { nil }

    func next() async throws {
      let isOver = left.withLock { left in
        defer { left -= left > 0 ? 1 : 0 }
        return left == 0
      }
      if isOver { _ = try await Future<Void>().getCancelling() }
    }
  }

  private func store(
    _ source: ScriptedSource, kind: StoreKind = Bench.kind, changes: Int = .max
  ) -> Store {
    Store(
      kind: kind, location: StoreLocation(path: "numbers.db", collection: "numbers"),
      capabilities: [], keyStyle: .typed, source: AnyDataSource(source),
      changeFeed: { Feed(changes) })
  }

  /// Returns a source with a number of entries, and with an estimate of it unless that is nil.
  private func source(_ count: Int64, estimate: Int?) -> ScriptedSource {
    ScriptedSource(
      onPage: { query in
        let after: Int64 = if case .integer(let number) = query.after { number + 1 } else { 0 }
        let numbers = (after..<max(after, count)).prefix(query.limit)
        return Future(
          numbers.map { number in
            query.detail == .values
              ? Entry(key: .integer(number), value: .text("x")) : Entry(key: .integer(number))
          })
      },
      onGet: { query in
        guard query is CountQuery, let estimate else {
          return Future(CoreError.QueryNotSupported())
        }
        return Future(CountQuery.answer(estimate))
      })
  }

  @Test(arguments: [nil, 1_000])
  func `No value of a store that is too large is read`(_ estimate: Int?) async throws {
    let source = source(1_000, estimate: estimate)
    var watcher = StoreWatcher(store(source), limit: 100) { _ in }
    #expect(try await watcher.begin() == .more(than: 100))
    #expect(try await watcher.next { _ in Issue.record("too many to be named") })
    #expect(source.pages.allSatisfy { $0.detail == .keys && $0.limit <= 101 })
    #expect(source.pages.count == 2)
  }

  @Test func `A high estimate does not prevent a watch`() async throws {
    var watcher = StoreWatcher(store(source(10, estimate: 1_000_000)), limit: 100) { _ in }
    #expect(try await watcher.begin() == .entries(10))
  }

  @Test func `A low estimate is detected`() async throws {
    var watcher = StoreWatcher(store(source(1_000, estimate: 5)), limit: 100) { _ in }
    #expect(try await watcher.begin() == .more(than: 100))
  }

  @Test func `The first check does not delay the next`() async throws {
    let start = ContinuousClock.now
    let time = Time()
    let looks = Mutex<[Double]>([2, 20, 100])
    let waits = Mutex<[Duration]>([])
    let source = ScriptedSource(
      onPage: { _ in
        time.pass(.seconds(looks.withLock { $0.popLast() ?? 0 }))
        return Future([Entry(key: .integer(1), value: .text("x"))])
      },
      onGet: { _ in Future(CountQuery.answer(1)) })
    var watcher = StoreWatcher(
      store(source), instant: { start + .seconds(time.now.timeIntervalSince1970) },
      sleep: { duration in waits.withLock { $0.append(duration) } })
    _ = try await watcher.begin()
    for _ in 0..<3 { _ = try await watcher.next { _ in } }
    #expect(waits.withLock { $0 } == [.seconds(1), .seconds(10), .seconds(8)])
  }

  @Test func `A file damaged during an edit is watched until it is readable again`() async throws {
    let broken = StoreError.corrupt("list.json is not JSON")
    let looks = Mutex(0)
    let source = ScriptedSource(
      onPage: { _ in
        let look = looks.withLock { looks in
          looks += 1
          return looks
        }
        if (3...20).contains(look) { return Future(broken) }
        return Future([Entry(key: .integer(1), value: .integer(look > 20 ? 2 : 1))])
      },
      onGet: { _ in Future(CoreError.QueryNotSupported()) })
    let document = StoreKind(
      name: "document", recognizedBy: "", collections: "", keys: "", keysArePaths: true)
    var watcher = StoreWatcher(store(source, kind: document), sleep: { _ in })
    #expect(try await watcher.begin() == .entries(1))
    var said: [StoreError] = []
    var told: [EntryDifference] = []
    _ = try await watcher.next {
      said.append($0)
    } _: {
      told.append($0)
    }
    #expect(said == [broken], "once, and not at each look")
    #expect(
      told == [EntryDifference(.changed, .integer(1), value: .integer(2), old: .integer(1))])
  }

  @Test func `The watch wakes when the next entry expires`() async throws {
    let time = Time()
    let expiries: [Int64: Double] = [0: -1, 1: 60, 2: 60.5, 3: 3_600]
    let source = ScriptedSource(
      onPage: { query in
        Future(
          (query.after == nil ? Int64(0)..<5 : 0..<0).map { number in
            let date = expiries[number].map { Date(timeIntervalSince1970: $0) }
            var entry = Entry(key: .integer(number), value: .integer(number))
            entry.expires = date
            return entry
          })
      },
      onGet: { _ in Future(CoreError.QueryNotSupported()) })
    // Nothing ever changes.
    var watcher = StoreWatcher(
      store(source, changes: 1), now: { time.now }, sleep: { time.pass($0) })
    #expect(try await watcher.begin() == .entries(5))
    var told: [EntryDifference] = []
    while told.count < 3 {
      let looks = source.pages.count { $0.after == nil }
      _ = try await watcher.next { told.append($0) }
      #expect(source.pages.count { $0.after == nil } == looks + 1, "for each time that comes")
    }
    #expect(
      told == [1, 2, 3].map { EntryDifference(.expired, .integer($0), value: .integer($0)) })
    #expect(time.now >= Date(timeIntervalSince1970: 3_600))
    #expect(source.pages.count { $0.after == nil } <= 6)
  }
}
