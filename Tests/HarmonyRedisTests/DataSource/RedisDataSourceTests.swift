import Foundation
import Harmony
import HarmonyTesting
import RedisBench
import Testing

@testable import HarmonyRedis

struct RedisDataSourceTests {
  private struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
  }

  private static let clients = ["standalone", "cluster"]

  private func client(_ kind: String) async throws -> RedisClient {
    try await kind == "cluster"
      ? RedisCluster.shared.ready().client() : RedisServer.standalone.ready().client()
  }

  private func source<T>(_ kind: String, timeToLive: Duration? = nil) async throws
    -> RedisDataSource<T>
  {
    RedisDataSource(try await client(kind), prefix: "source:\(UUID()):", timeToLive: timeToLive)
  }

  private func raw(_ source: RedisDataSource<some Any>, _ key: String) async throws -> String? {
    try await source.client.send(.read("GET", key: RedisArgument(source.prefix + key))).text
  }

  @Test func `Values are strings that other programs can read`() async throws {
    let users: RedisDataSource<User> = try await source("standalone")
    try await users.put(User(name: "Ada", age: 36), forId: 1).get()
    #expect(try await raw(users, "1") == #"{"age":36,"name":"Ada"}"#)
    let texts: RedisDataSource<String> = try await source("standalone")
    try await texts.put("hello", forId: "a").get()
    #expect(try await raw(texts, "a") == "hello")
    try await texts.putAll(["x", "y"], forId: "b").get()
    #expect(try await raw(texts, "b") == #"harmony-list:["x","y"]"#)
  }

  @Test func `A value of another type is an error without the value`() async throws {
    let numbers: RedisDataSource<Int> = try await source("standalone")
    let name = RedisArgument(numbers.prefix + "a")
    try await numbers.client.send(.write("SET", key: name, "secret"))
    await #expect(throws: CoreError.DataSerialization.self) { try await numbers.get("a").get() }
    await #expect { try await numbers.get("a").get() } throws: { !"\($0)".contains("secret") }
    try await numbers.client.send(.write("DEL", key: name))
    try await numbers.client.send(.write("LPUSH", key: name, "1"))
    #expect(await redisError { try await numbers.get("a").get() }?.reason == .wrongType)
    #expect(
      await redisError { try await numbers.getAll(AllObjectsQuery()).get() }?.reason == .wrongType)
    // A write replaces any type, and deleting removes it.
    try await numbers.put(1, forId: "a").get()
    #expect(try await numbers.get("a").get() == 1)
  }

  @Test(arguments: clients)
  func `Entries expire after the TTL of the source or of the query`(kind: String) async throws {
    let numbers: RedisDataSource<Int> = try await source(kind, timeToLive: .seconds(1_000))
    try await numbers.put(1, forId: "source").get()
    try await numbers.put(2, in: RedisKeyQuery("query", expiry: .after(.milliseconds(1_500_500))))
      .get()
    try await numbers.put(3, in: RedisKeyQuery("never", expiry: .never)).get()
    let date = Date(timeIntervalSince1970: 4_102_444_800.123)
    try await numbers.putAll([4], in: RedisKeyQuery("date", expiry: .at(date))).get()
    try await numbers.putAll([5, 6], in: IdsQuery(["many1", "many2"])).get()
    func left(_ key: String) async throws -> Double? {
      try await numbers.expiresAt(key).get()?.timeIntervalSinceNow
    }
    for key in ["source", "many1", "many2"] {
      #expect((900...1_000).contains(try #require(try await left(key))), "\(key)")
    }
    #expect((1_400...1_500.5).contains(try #require(try await left("query"))))
    #expect(try await left("never") == nil)
    let name = RedisArgument(numbers.prefix + "date")
    #expect(
      try await numbers.client.send(.read("PEXPIRETIME", key: name)).integer == 4_102_444_800_123)
    try await numbers.put(7, in: RedisKeyQuery("source", expiry: .unchanged)).get()
    #expect((900...1_000).contains(try #require(try await left("source"))))
    #expect(try await numbers.get("source").get() == 7)
    await #expect(throws: CoreError.NotFound.self) { try await numbers.expiresAt("none").get() }
    try await numbers.put(8, in: RedisKeyQuery("soon", expiry: .after(.milliseconds(1)))).get()
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? await numbers.get("soon").get()) != nil { #expect(ContinuousClock.now < deadline) }
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max), .nanoseconds(1)])
  func `Any TTL is accepted`(time: Duration) async throws {
    let numbers: RedisDataSource<Int> = try await source("standalone", timeToLive: time)
    try await numbers.put(1, forId: "a").get()
    try await numbers.put(1, in: RedisKeyQuery("b", expiry: .at(.distantPast))).get()
    try await numbers.put(1, in: RedisKeyQuery("c", expiry: .at(.distantFuture))).get()
  }

  @Test(arguments: clients)
  func `A value is replaced only if it is the expected one, and its expiry is kept`(
    kind: String
  ) async throws {
    let numbers: RedisDataSource<Int> = try await source(kind, timeToLive: .seconds(1_000))
    try await numbers.replace("a", from: nil, to: 1).get()
    #expect(
      await redisError { try await numbers.replace("a", from: nil, to: 2).get() }?.reason
        == .conflict)
    #expect(
      await redisError { try await numbers.replace("a", from: 5, to: 2).get() }?.reason == .conflict
    )
    try await numbers.put(1, forId: "a").get()
    let end = try await numbers.expiresAt("a").get()
    try await numbers.replace("a", from: 1, to: 2).get()
    #expect(try await numbers.get("a").get() == 2)
    let later = try #require(try await numbers.expiresAt("a").get())
    #expect(abs(later.timeIntervalSince(try #require(end))) < 5)
    try await numbers.replace("a", from: 2, to: 3, expiry: .never).get()
    #expect(try await numbers.expiresAt("a").get() == nil)
    try await numbers.replace("a", from: 3, to: nil).get()
    await #expect(throws: CoreError.NotFound.self) { try await numbers.get("a").get() }
    #expect(
      await redisError { try await numbers.replace("a", from: 3, to: 4).get() }?.reason == .conflict
    )
  }

  @Test func `The same value in another form is the expected one`() async throws {
    let users: RedisDataSource<User> = try await source("standalone")
    let name = RedisArgument(users.prefix + "1")
    try await users.client.send(
      .write("SET", key: name, #"{ "name": "Ada", "age": 36 }"#))
    try await users.replace("1", from: User(name: "Ada", age: 36), to: User(name: "Ada", age: 37))
      .get()
    #expect(try await users.get("1").get().age == 37)
    try await users.client.send(.write("DEL", key: name))
    try await users.client.send(.write("LPUSH", key: name, "1"))
    let error = await redisError {
      try await users.replace("1", from: nil, to: User(name: "", age: 1)).get()
    }
    #expect(error?.reason == .wrongType)
  }

  @Test(arguments: clients)
  func `Many tasks that compare and swap lose no increment`(kind: String) async throws {
    let client = try await client(kind)
    let key = RedisArgument("race:\(UUID())")
    try await client.send(.write("SET", key: key, RedisArgument([0] as [UInt8])))
    try await raceIncrements(client, key, tasks: 8, rounds: 25)
    #expect(try await client.send(.read("GET", key: key)).bytes == [200])
  }

  @Test(arguments: clients)
  func `A source neither reads nor deletes keys beside its prefix`(kind: String) async throws {
    let client = try await client(kind)
    let base = "\(UUID())"
    let own = RedisDataSource<Int>(client, prefix: base + "[ab]*?\\:")
    let others = ["a:", "b:", "[ab]:", "[ab]*?:", "[ab]xy\\:", ""].map {
      RedisArgument(base + $0 + "key")
    }
    for other in others { try await client.send(.write("SET", key: other, "1")) }
    try await own.putAll([1, 2], in: IdsQuery(["x", "y*"])).get()
    #expect(try await own.getKeys(AllObjectsQuery()).get() == ["x", "y*"])
    #expect(try await own.getKeys(KeyPrefixQuery("y*")).get() == ["y*"])
    try await own.delete(AllObjectsQuery()).get()
    #expect(try await own.countKeys(AllObjectsQuery()).get() == 0)
    for other in others { #expect(try await client.send(.read("GET", key: other)).text == "1") }
  }

  @Test(arguments: clients)
  func `Pages of many keys are complete and in order`(kind: String) async throws {
    let numbers: RedisDataSource<Int> = try await source(kind)
    let keys = (0..<6_000).map { "k" + String($0 + 10_000) }
    try await numbers.putAll(Array(keys.indices), in: IdsQuery(keys.shuffled())).get()
    var (pages, page): ([String], [String]) = ([], [])
    repeat {
      page = try await numbers.getKeys(KeyPageQuery(after: pages.last, limit: 1_700)).get()
      pages += page
    } while !page.isEmpty
    #expect(pages == keys)
    let last = try await numbers.getKeys(KeyPageQuery(limit: 3, isDescending: true)).get()
    #expect(last == keys.suffix(3).reversed())
    let found = try await numbers.getAll(PaginationOffsetLimitQuery(5_998, 10)).get()
    #expect(found.count == 2)
    #expect(try await numbers.getAll(PaginationOffsetLimitQuery(-1, .max)).get().count == 6_000)
    try await numbers.delete(KeyRangeQuery(from: "k11000")).get()
    #expect(try await numbers.countKeys(AllObjectsQuery()).get() == 1_000)
  }

  @Test func `Values that are too large for one call are read in several`() async throws {
    let server = try await RedisServer.standalone.ready()
    let client = server.client { $0.limits = RedisLimits(replyBytes: 4_000) }
    let texts = RedisDataSource<String>(client, prefix: "large:\(UUID()):")
    let text = String(repeating: "x", count: 1_000)
    try await texts.putAll(Array(repeating: text, count: 30), in: IdsQuery(Array(0..<30))).get()
    #expect(try await texts.getAll(AllObjectsQuery()).get().count == 30)
  }

  @Test func `A cache in front of a server reads each value once`() async throws {
    let server = try ScriptedServer { $0[0] == "GET" ? "$2\r\n42\r\n" : nil }
    let numbers = RedisDataSource<Int>(server.client(), prefix: "")
    let cache = TimedCacheDataSource(numbers, expiryInterval: 600)
    for _ in 0..<5 { #expect(try await cache.get("a").get() == 42) }
    #expect(server.count("GET") == 1)
  }

  @Test func `Cancelling a future ends its call`() async throws {
    let server = try ScriptedServer { $0[0] == "GET" ? .silence : nil }
    let numbers = RedisDataSource<Int>(server.client { $0.timeLimit = .seconds(60) }, prefix: "")
    let future = numbers.get("a")
    while server.count("GET") == 0 { await Task.yield() }
    future.cancel()
    await #expect(throws: CancellationError.self) { try await future.get() }
  }

  @Test func `A put whose answer never came says so and is not repeated`() async throws {
    let server = try ScriptedServer { $0[0] == "SET" || $0[0] == "EVAL" ? .silence : nil }
    let numbers = RedisDataSource<Int>(server.client { $0.timeLimit = .seconds(3) }, prefix: "")
    #expect(
      await redisError { try await numbers.put(1, forId: "a").get() }?.mayHaveExecuted == true)
    #expect(
      await redisError { try await numbers.replace("a", from: 1, to: 2).get() }?.mayHaveExecuted
        == true)
    #expect(server.count("SET") == 1 && server.count("EVAL") == 1)
  }

  @Test func `The prefix of a range is that of all its keys`() {
    for (range, prefix) in [
      (KeyRange.all, ""), (KeyRange(prefix: "ab"), "ab"),
      (KeyRange(from: "abc", upTo: "abd"), "abc"),
      (KeyRange(from: "abc", upTo: "abx"), "ab"), (KeyRange(from: "b"), ""),
      (KeyRange(upTo: "b"), ""), (KeyRange(from: "é", upTo: "e\u{301}"), ""),
      (KeyRange(prefix: "a\u{10FFFF}"), "a\u{10FFFF}"),
      (KeyRange(prefix: "\u{10FFFF}"), "\u{10FFFF}"),
    ] {
      #expect(KeyWindow.prefix(of: range) == prefix, "\(range)")
    }
  }
}
