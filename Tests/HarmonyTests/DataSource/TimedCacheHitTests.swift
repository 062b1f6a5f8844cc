import Harmony
import HarmonyTesting
import Synchronization
import Testing

/// The futures returned for cache hits.
@Suite struct TimedCacheHitTests {
  private let memory = InMemoryDataSource<Int>()

  @Test func `The future of a hit behaves like a new one`() async throws {
    let cache = TimedCacheDataSource(memory)
    try await cache.put(1, forId: "a").get()
    for _ in 0..<3 {
      let future = cache.get("a")
      #expect(future.state == .waitingThen)
      #expect(try await future.get() == 1)
      #expect(future.state == .sent)
    }
    #expect(cache.statistics.hits == 3)
  }

  @Test func `Concurrently held futures are distinct`() async throws {
    let cache = TimedCacheDataSource(memory)
    try await cache.put(1, forId: "a").get()
    let futures = (0..<3).map { _ in cache.get("a") }
    #expect(Set(futures.map { ObjectIdentifier($0) }).count == 3)
    #expect(try await futures[0].get() == 1)
    #expect(futures.map(\.state) == [.sent, .waitingThen, .waitingThen])
    futures[1].cancel()
    futures[1].clear()
    #expect(try await futures[1].get() == 1)
    #expect(try await cache.get("a").get() == 1)
    #expect(cache.inspect("a")?.hits == 4)
  }

  @Test func `Holding one future does not prevent later hits from reusing another`() {
    let cache = TimedCacheDataSource(memory)
    cache.put(1, forId: "a")
    let held = cache.get("a")
    weak let next = cache.get("a")
    #expect(next != nil && next !== held)
    #expect(cache.get("a") === next)
  }

  @Test func `A future retains its value, regardless of the entry`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 1)
    try await cache.put(1, forId: "a").get()
    let first = cache.get("a")
    try await cache.put(2, forId: "a").get()
    let second = cache.get("a")
    try await cache.put(3, forId: "b").get()
    cache.evictAll()
    #expect(try await first.get() == 1)
    #expect(try await second.get() == 2)
  }

  private final class Object: Sendable {}

  @Test func `A value is released with its entry and its futures`() async throws {
    let memory = InMemoryDataSource<Object>()
    let cache = TimedCacheDataSource(memory)
    cache.put(Object(), forId: "a")
    memory.delete("a")
    weak let object = cache.inspect("a").flatMap { entry -> Object? in
      guard case .value(let object) = entry.content else { return nil }
      return object
    }
    var future: Future<Object>? = cache.get("a")
    var another: Future<Object>? = cache.get("a")
    #expect(another !== future)
    cache.evictAll()
    #expect(object != nil)
    future = nil
    #expect(object != nil)
    another = nil
    #expect(object == nil)
    _ = (future, another)
  }

  private struct Large: Sendable, Equatable {
    var numbers = InlineArray<9, Int>(repeating: 7)
    var name = "a name that takes room of its own"

    static func == (left: Large, right: Large) -> Bool {
      left.name == right.name
        && left.numbers.indices.allSatisfy { left.numbers[$0] == right.numbers[$0] }
    }
  }

  @Test func `Values of any size can be cached`() async throws {
    let cache = TimedCacheDataSource(InMemoryDataSource<Large>())
    try await cache.put(Large(), forId: "a").get()
    let held = cache.get("a")
    for _ in 0..<3 { #expect(try await cache.get("a").get() == Large()) }
    #expect(try await held.get() == Large())
    #expect(cache.inspect("a")?.content == .value(Large()))
    let nothing = TimedCacheDataSource(InMemoryDataSource<Int?>())
    try await nothing.put(.some(nil), forId: "a").get()
    for _ in 0..<2 { #expect(try await nothing.get("a").get() == nil) }
    #expect(nothing.statistics.hits == 2)
  }

  /// A value that knows its key and counts the live instances.
  private final class Counted: Sendable {
    static let count = Atomic(0)
    let key: String

    init(_ key: String) {
      self.key = key
      Self.count.add(1, ordering: .relaxed)
    }

    deinit {
      Self.count.subtract(1, ordering: .relaxed)
    }
  }

  @Test func `Concurrent writes, hits and evictions neither lose nor leak values`() async {
    let keys = (0..<6).map { "a key of some length \($0)" }
    await withTaskGroup(of: Int.self) { [operations = Stress.operations(3_000)] group in
      let cache = TimedCacheDataSource(InMemoryDataSource<Counted>(), capacity: 4)
      for seed in 0..<8 as Range<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: seed)
          var held: [Future<Counted>] = []
          var wrong = 0
          for _ in 0..<operations {
            let key = keys.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<40, using: &random) {
            case 0: cache.evictAll()
            case 1: wrong += cache.inspect().count > 4 ? 1 : 0
            case 2..<5: cache.evict(key)
            case 5..<12: cache.put(Counted(key), forId: key)
            default:
              let future = cache.get(key)
              if let value = try? await future.get(), value.key != key { wrong += 1 }
              held = held.suffix(3) + [future]
            }
          }
          return wrong
        }
      }
      #expect(await group.reduce(0, +) == 0)
    }
    #expect(Counted.count.load(ordering: .relaxed) == 0)
  }
}
