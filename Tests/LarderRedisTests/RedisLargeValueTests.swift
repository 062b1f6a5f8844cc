import Foundation
import Harmony
import HarmonyRedis
import LarderModel
import LarderStores
import RedisBench
import Testing

@testable import LarderRedis

/// Values that do not fit into one reply, or cannot be read.
struct RedisLargeValueTests {
  private static let count = 30_000

  /// Fills the key `k` with members whose names are numbers.
  private static let scripts: [RedisType: String] = [
    .hash: "redis.call('HSET', 'k', i, i)", .set: "redis.call('SADD', 'k', 'm' .. i)",
    .list: "redis.call('RPUSH', 'k', i)", .zset: "redis.call('ZADD', 'k', i % 7, i)",
    .stream: "redis.call('XADD', 'k', i .. '-1', 'f', i)",
  ]

  @Test(arguments: RedisType.allCases.filter { $0 != .string })
  func `a value larger than a reply may be is read in parts`(_ type: RedisType) async throws {
    let bench = try await RedisStoreBench()
    let script = try #require(Self.scripts[type])
    try await bench.client.send(
      RedisCommand(
        ["EVAL", "for i = 1, \(Self.count) do \(script) end", 0], key: "k", isWrite: true))
    var configuration = bench.client.configuration
    configuration.limits.replyElements = 25_000
    let client = RedisClient(configuration)
    for hasSizes in [true, false] {
      var features = RedisFeatures()
      features.hasSizes = hasSizes
      let entry = try #require(try await RedisReader(client, features).all(["k"]).first ?? nil)
      #expect(entry.problem == nil)
      #expect(entry.entry.value == (try await bench.value("k")))
      let count: Int? =
        switch entry.entry.value {
        case .array(let values): values.count
        case .dictionary(let fields): fields.count
        default: nil
        }
      #expect(count == Self.count)
    }
    let features = RedisFeatures()
    let limited = try await RedisReader(client, features).all(["k"], maximumSize: 100_000).first
    #expect(limited??.problem as? StoreError != nil)
    #expect(limited??.entry.value == nil)
    // Neither does writing one need it in one reply.
    let writer = RedisWriter(client: client, features: features)
    let fingerprint = try #require(try await bench.entry("k")?.fingerprint)
    let written = try await writer.perform([
      (
        WriteRequest(.text("k"), .unchanged(fingerprint)),
        .expiry(.at(milliseconds: 4_102_444_800_123))
      )
    ])
    #expect(written.first??.fingerprint == fingerprint)
  }

  @Test func `a value that cannot be read does not prevent reading the others`() async throws {
    let server = try await onThread { try RedisServer() }
    let admin = server.client()
    for key in ["a", "forbidden", "z"] { try await admin.send(.write("SET", key: "\(key)", "v")) }
    try await admin.send(
      .write("ACL", "SETUSER", "default", "resetkeys", "~a", "~z", "~k"))
    let store = try await RedisStoreBench.open("redis://127.0.0.1:\(server.port)/0", server)
    let page = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
    #expect(page.map(\.value) == [.text("v"), nil, .text("v")])
    let scan = Scan()
    let found = try await store.source.getAll(
      EntryPageQuery(filter: EntryFilter(.text("v"), in: .values), scan: scan)
    ).get()
    #expect(found.map(\.key) == [.text("a"), .text("z")])
    #expect(scan.unreadable.map(\.key) == [.text("forbidden")])
    let keys: [EntryKey] = [.text("a"), .text("forbidden"), .text("z")]
    let some = try await store.source.getAll(EntriesQuery(keys)).get()
    #expect(some.map(\.key) == [.text("a")])
    let query = EntriesQuery(keys, leavesOutLarge: true)
    let parts = try await store.source.getAll(query).get()
    #expect(parts.map(\.key) == keys)
    #expect(parts.map(\.isWhole) == [true, false, true])
    let error = await #expect(throws: StoreError.self) {
      try await store.source.get(EntryQuery(.text("forbidden"))).get()
    }
    #expect(error?.code == "failed")
  }

  @Test func `large values are written and renamed in transactions of bounded size`() async throws {
    let bench = try await RedisStoreBench()
    let names = (0..<6).map { "large\($0)" }
    for name in names {
      try await bench.client.send(
        .write(
          "SET", key: RedisArgument(name), RedisArgument([UInt8](repeating: 97, count: 3 << 20))))
    }
    let entries = try await bench.store.source.getAll(
      EntryPageQuery(prefix: "large", detail: .values)
    ).get()
    let renames = entries.map {
      RenameQuery(
        $0.key, to: .text("new" + $0.key.notation(.text)),
        expecting: $0.fingerprint ?? .init(of: .null))
    }
    let writer = RedisWriter(client: bench.client, features: RedisFeatures())
    let renamed = try await writer.rename(renames, nil)
    #expect(renamed.map(\.fingerprint) == entries.map(\.fingerprint))
    // The caller need not keep all of them in memory.
    #expect(renamed.compactMap(\.value).count < names.count)
    #expect(try await bench.keys(EntryPageQuery(prefix: "newlarge")).count == names.count)
  }
}
