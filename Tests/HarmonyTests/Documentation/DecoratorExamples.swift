import Foundation
import Harmony
import HarmonyTesting
import Testing

@Suite struct DecoratorExamples {
  struct User: Codable, Equatable, Sendable {
    var name: String
  }

  @Test func `Mapping`() async throws {
    let users = DataSourceMapper(
      dataSource: InMemoryDataSource<Data>(),
      toInMapper: EncodableToDataMapper<User>(),
      toOutMapper: DataToDecodableMapper<User>())
    try await users.put(User(name: "Ada"), forId: 1).get()

    let names = users.withMapping(ClosureMapper { (user: User) in user.name })
    let name = try await names.get(1).get()
    #expect(name == "Ada")
  }

  struct Token: Sendable {
    var expiry: Date
  }

  struct Unexpired: ObjectValidation {
    let now: Date

    func isObjectValid<T>(_ object: T) -> Bool {
      (object as? Token).map { $0.expiry > now } ?? true
    }
  }

  private func newToken() -> Future<Token> {
    Future(Token(expiry: .distantFuture))
  }

  @Test func `Validating`() async throws {
    let store = InMemoryDataSource<Token>()
    try await store.put(Token(expiry: .distantPast), forId: "session").get()
    let tokens = DataSourceValidator(dataSource: store, validator: Unexpired(now: .now))
    let token = tokens.get("session").recover(if: CoreError.NotValid.self) { _ in newToken() }
    #expect(try await token.get().expiry == .distantFuture)
  }

  @Test func `Caching`() async throws {
    let slowSource = InMemoryDataSource<Double>()
    slowSource.put(1.1, forId: "rate.EUR")
    let cache = TimedCacheDataSource(
      slowSource, expiryInterval: 60, capacity: 1_000,
      timeToLive: { key in key.hasPrefix("rate.") ? 5 : nil })
    let rate = try await cache.get("rate.EUR").get()
    #expect(rate == 1.1)

    for entry in cache.inspect() {
      print(entry.key, entry.isExpired ? "expired" : "fresh")
    }
    cache.evict("rate.EUR")
    print(cache.statistics.hits, cache.statistics.misses)

    cache.setRemaining(.seconds(10), of: "rate.USD")

    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let files = FileSystemStorageDataSource(fileManager: .default, directory: directory)
    let rates = TimedCacheDataSource(files, expiryInterval: 3_600, times: files.cacheTimes())
    try await rates.put(Data("1.1".utf8), forId: "EUR").get()
    #expect(try files.cacheTimes().times(of: "EUR")?.expires != nil)
    #expect(cache.inspect().isEmpty)
  }

  @Test func `Retrying`() async throws {
    let store = InMemoryDataSource<Int>()
    store.put(42, forId: "answer")
    let shaky = FailingDataSource(store, failing: 2)
    let patient = RetryDataSource(
      shaky, retryCount: 3,
      backOff: RetryBackOff(initialDelay: .milliseconds(1), jitter: 0.5),
      retryIf: { !($0 is CoreError.NotFound) })
    let answer = try await patient.get("answer").get()
    #expect(answer == 42)
  }

  final class WeatherDataSource: GetDataSource {
    func get(_ query: any Query) -> Future<Double> { Future(21) }

    func getAll(_ query: any Query) -> Future<[Double]> { Future([21]) }
  }

  @Test func `Assembling and erasing`() async throws {
    let store = InMemoryDataSource<Int>()
    store.put(42, forId: "answer")
    let readOnly = DataSourceAssembler(get: store)
    let answer = try await readOnly.get("answer").get()
    #expect(answer == 42)
    await #expect(throws: CoreError.NotImplemented.self) {
      try await readOnly.delete("answer").get()
    }

    let weather = DataSourceAssembler(get: WeatherDataSource())
    let cached = TimedCacheDataSource(RetryDataSource(weather), expiryInterval: 600)
    let degrees = try await cached.get("Barcelona").get()
    #expect(degrees == 21)

    let inbox = DataSourceAssembler(put: store)
    try await inbox.put(1, forId: "mail").get()
    let bin = DataSourceAssembler(delete: store)
    try await bin.delete("mail").get()
    #expect(store.keys == ["answer"])

    struct Settings {
      let store: AnyDataSource<Int>
    }

    let settings = Settings(store: TimedCacheDataSource(store).asAnyDataSource())
    #expect(try await settings.store.get("answer").get() == 42)
  }

  @Test func `Debugging`() async throws {
    let store = InMemoryDataSource<Int>()
    store.put(42, forId: "answer")
    let source = DebugDataSource(
      store, delay: .async(0.01, .global()),
      error: .error(CoreError.Failed("No network"), probability: 0.2),
      logger: { line in print(line) })
    let answer = source.get("answer")
    #expect([42, nil].contains(try? await answer.get()))
  }
}
