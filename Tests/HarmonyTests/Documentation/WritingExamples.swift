import Foundation
import Harmony
import HarmonyTesting
import Testing

private func temperature(in city: String) async throws -> Double {
  city == "Barcelona" ? 21 : 8
}

private struct Request: Sendable {
  let log: Log<String>

  func stop() {
    log.add("stopped")
  }
}

@Suite struct WritingExamples {
  struct WeatherQuery: Query {
    let city: String
  }

  final class WeatherDataSource: GetDataSource {
    func get(_ query: any Query) -> Future<Double> {
      guard let query = query as? WeatherQuery else {
        return Future(CoreError.QueryNotSupported())
      }
      return Future.async { try await temperature(in: query.city) }
    }

    func getAll(_ query: any Query) -> Future<[Double]> {
      get(query).map { [$0] }
    }
  }

  @Test func `Writing a data source`() async throws {
    let source = WeatherDataSource()
    #expect(try await source.getAll(WeatherQuery(city: "Barcelona")).get() == [21])
    await #expect(throws: CoreError.QueryNotSupported.self) { try await source.get("a").get() }
  }

  @Test func `A future that is completed by callbacks`() {
    let log = Log<String>()
    let callbacks = Log<@Sendable (Data) -> Void>()
    func download(_ callback: @escaping @Sendable (Data) -> Void) -> Request {
      callbacks.add(callback)
      return Request(log: log)
    }
    let answer = Future<Data> { resolver in
      let request = download { resolver.set($0) }
      resolver.onCancel { request.stop() }
    }
    answer.cancel()
    #expect(log.all == ["stopped"])
  }

  @Test func `Checking the laws`() async {
    // swift-format-ignore
    let violations = await DataSourceLaws.check(.numbers("memory") {
      AnyDataSource(InMemoryDataSource<Int>())
    })
    #expect(violations.isEmpty)

    let fixture = DataSourceFixture("texts", samples: ["a", "b", "c"], listsKeys: false) {
      AnyDataSource(InMemoryDataSource<String>())
    }
    let broken = await DataSourceLaws.check(fixture)
    #expect(broken.isEmpty)
  }

  @Test func `Testing with spies and clocks`() async throws {
    let spy = DataSourceSpy(FailingDataSource(InMemoryDataSource<Int>(), failing: 2))
    try await RetryDataSource(spy, retryCount: 2).put(1, forId: "a").get()
    #expect(spy.count(.put) == 3)

    let store = InMemoryDataSource<Int>()
    let clock = ManualClock()
    let cache = TimedCacheDataSource(store, expiryInterval: 60, clock: clock)
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(60))
    #expect(cache.inspect("a")?.isExpired == true)

    let slow = DelayingDataSource(store)
    let future = slow.get("a")
    #expect(!future.isResolved)
    slow.releaseAll()
    #expect(try await future.get() == 1)
  }
}
