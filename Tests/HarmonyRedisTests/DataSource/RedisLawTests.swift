import Foundation
import Harmony
import HarmonyRedis
import HarmonyTesting
import RedisBench
import Testing

struct RedisLawTests {
  private static func source<T>(_ client: () throws -> RedisClient) throws -> RedisDataSource<T> {
    RedisDataSource(try client(), prefix: "law*[\(UUID())]:")
  }

  /// Starts the servers, so that making a source does not block.
  private static func start() async throws {
    _ = try await (RedisServer.standalone.ready(), RedisCluster.shared.ready())
  }

  private static func alone() throws -> RedisClient { try RedisServer.standalone.get().client() }
  private static func cluster() throws -> RedisClient { try RedisCluster.shared.get().client() }

  private static let numbers: [DataSourceFixture<Int>] = [
    .numbers("Redis") { AnyDataSource(try source(alone)) },
    .numbers("Redis cluster") { AnyDataSource(try source(cluster)) },
    .numbers("Redis behind a cache") {
      AnyDataSource(TimedCacheDataSource(try source(alone) as RedisDataSource<Int>))
    },
    .numbers("Redis cluster behind a mapper") {
      AnyDataSource(
        DataSourceMapper(
          dataSource: try source(cluster) as RedisDataSource<Data>,
          toInMapper: EncodableToDataMapper<Int>(), toOutMapper: DataToDecodableMapper<Int>()))
    },
    .numbers("Redis with a TTL") {
      AnyDataSource(
        RedisDataSource<Int>(try alone(), prefix: "\(UUID()):", timeToLive: .seconds(600)))
    },
  ]

  @Test(arguments: numbers)
  func `A server obeys the laws`(fixture: DataSourceFixture<Int>) async throws {
    try await Self.start()
    let violations = await DataSourceLaws.check(fixture, sequences: 8)
    #expect(violations == [])
  }

  @Test func `Strings of any kind obey the laws`() async throws {
    try await Self.start()
    let samples = ["", "é", "e\u{301}", "a\0b", "harmony-list:[1]", "harmony-value:x", "1\r\n2"]
    let fixture = DataSourceFixture("Redis of texts", samples: samples) {
      AnyDataSource(try Self.source(Self.cluster))
    }
    #expect(await DataSourceLaws.check(fixture, sequences: 4, writers: 100) == [])
  }

  @Test(arguments: numbers.prefix(3))
  func `A server holds the values written by each of many tasks`(
    fixture: DataSourceFixture<Int>
  ) async throws {
    try await Self.start()
    let wanted = ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init)
    let violations = await DataSourceLaws.stress(fixture, operations: wanted ?? 10_000)
    #expect(violations == [])
  }
}
