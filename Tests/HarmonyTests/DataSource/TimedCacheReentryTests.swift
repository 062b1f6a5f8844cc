import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Callbacks from the cache that use the cache in turn.
@Suite struct TimedCacheReentryTests {
  private typealias Cache = TimedCacheDataSource<Int, InMemoryDataSource<Int>>

  /// A clock and callbacks that use the cache.
  private final class Caller: TickingClock, Sendable {
    private let target = Locked<Cache?>(nil)
    let calls = Log<String>()

    func call(_ cache: Cache?) {
      target.withLock { $0 = cache }
    }

    func visit(_ name: String) {
      guard let cache = target.withLock({ $0 }) else { return }
      calls.add(name)
      _ = cache.statistics
      cache.evict("missing")
    }

    var tick: Int64? {
      visit("tick")
      return 1
    }

    var now: Duration {
      visit("now")
      return .zero
    }
  }

  private struct CallingQuery: KeyQuery {
    let caller: Caller

    var key: String {
      caller.visit("key")
      return "a"
    }
  }

  @Test func `Callbacks of the cache may use the cache`() async throws {
    let caller = Caller()
    let cache = Cache(
      InMemoryDataSource<Int>(), capacity: 2,
      cost: { _ in
        caller.visit("cost")
        return 1
      },
      timeToLive: { _ in
        caller.visit("time")
        return nil
      },
      isCacheable: { _ in
        caller.visit("condition")
        return true
      }, clock: caller)
    caller.call(cache)
    defer { caller.call(nil) }
    let query = CallingQuery(caller: caller)
    try await cache.put(1, in: query).get()
    #expect(try await cache.get(query).get() == 1)
    #expect(try await cache.get(query).get() == 1)
    #expect(try await cache.refresh(query).get() == 1)
    #expect(cache.inspect("a")?.content == .value(1))
    #expect(
      Set(caller.calls.all) == ["tick", "now", "key", "cost", "time", "condition"])
  }

  /// The ways in which an entry is removed from a cache.
  enum Removal: CaseIterable {
    case replaced, deleted, allDeleted, evicted, allEvicted, forced, failed, cacheEnded
  }

  private final class Visitor: Sendable {
    let visit: @Sendable () -> Void
    init(_ visit: @escaping @Sendable () -> Void) { self.visit = visit }
    deinit { visit() }
  }

  private typealias VisitedCache =
    TimedCacheDataSource<Visitor, FailingDataSource<InMemoryDataSource<Visitor>, Visitor>>

  private static func visitor(of cache: VisitedCache?, _ log: Log<Int>) -> Visitor {
    Visitor { [weak cache] in
      _ = cache?.evict("b")
      log.add(cache?.inspect().count ?? 0)
    }
  }

  @Test(arguments: Removal.allCases)
  func `A removed value may use the cache in its deinitializer`(removal: Removal) async throws {
    let memory = InMemoryDataSource<Visitor>()
    let source = FailingDataSource(memory, failing: 0)
    let log = Log<Int>()
    var cache: VisitedCache? = VisitedCache(source, capacity: 1)
    cache?.put(Self.visitor(of: cache, log), forId: "a")
    memory.delete("a")
    _ = cache?.get("a")
    #expect(log.all.isEmpty)
    let other = Visitor {}
    switch removal {
    case .replaced: cache?.put(other, forId: "a")
    case .deleted: cache?.delete("a")
    case .allDeleted: cache?.delete(AllObjectsQuery())
    case .evicted: cache?.evict("a")
    case .allEvicted: cache?.evictAll()
    case .forced: cache?.put(other, forId: "b")
    case .failed:
      source.fail(1)
      _ = cache?.refresh(IdQuery("a"))
    case .cacheEnded: cache = nil
    }
    #expect(log.all.count == 1)
    #expect(log.all.allSatisfy { $0 <= 1 })
  }
}
