import Foundation
import Harmony
import HarmonyRedis
import RedisBench
import Testing

@Suite struct RedisExamples {
  @Test func `Storing in Redis`() async throws {
    let (host, port) = ("127.0.0.1", try await RedisServer.standalone.ready().port)
    do {
      let source = InMemoryDataSource<Int>()
      try await source.put(42, forId: "answer").get()
    }
    do {
      let client = RedisClient(host: host, port: port)
      let source = RedisDataSource<Int>(client, prefix: "numbers:")
      try await source.put(42, forId: "answer").get()
    }
    let client = RedisClient(host: host, port: port)
    let source = RedisDataSource<Int>(client, prefix: "numbers:")
    #expect(try await source.get("answer").get() == 42)

    let sessions = RedisDataSource<String>(client, prefix: "sessions:", timeToLive: .seconds(600))
    try await sessions.put("token", forId: "41").get()
    try await sessions.put("token", in: RedisKeyQuery("42", expiry: .after(.seconds(60)))).get()
    let date = try await sessions.expiresAt("42").get()
    #expect(try #require(date).timeIntervalSinceNow <= 60)

    let cache = TimedCacheDataSource(sessions, expiryInterval: 5)
    let token = try await cache.get("42").get()
    #expect(token == "token")

    let numbers = source
    let old = try await numbers.get("answer").get()
    try await numbers.replace("answer", from: old, to: old + 1).get()
    #expect(try await numbers.get("answer").get() == 43)
    try await sessions.delete(AllObjectsQuery()).get()
    try await numbers.delete(AllObjectsQuery()).get()
  }

  @Test func `Writes whose outcome is unknown`() async throws {
    let server = try ScriptedServer {
      $0[0] == "SET" ? .end : $0[0] == "GET" ? "$2\r\n42\r\n" : nil
    }
    let source = RedisDataSource<Int>(server.client(), prefix: "numbers:")
    var isStored = true
    do {
      try await source.put(42, forId: "answer").get()
    } catch let error as RedisError where error.mayHaveExecuted {
      isStored = try await source.get("answer").get() == 42
    }
    #expect(isStored)
  }

  @Test func `Connecting safely`() {
    var configuration = RedisConfiguration(.tcp(host: "cache.example.com", port: 6_380))
    configuration.user = "app"
    configuration.password = RedisPassword(ProcessInfo.processInfo.environment["PASSWORD"] ?? "")
    configuration.tls = RedisTLS()
    let client = RedisClient(configuration)
    #expect(client.configuration.tls != nil)
  }

  @Test func `Sending commands`() async throws {
    let (host, port) = ("127.0.0.1", try await RedisServer.standalone.ready().port)
    do {
      let client = RedisClient(host: host, port: port)
      _ = try await client.send(.write("INCR", key: "visits"))
      let visits = try await client.send(.read("GET", key: "visits")).integer
      #expect(visits == 1)
      try await client.send(.write("UNLINK", key: "visits"))
    }
    let client = RedisClient(host: host, port: port)
    let length = try await client.send(.read("STRLEN", key: "greeting"))
    #expect(length == .integer(0))
    var count = 0
    for try await keys in client.scan(matching: "session:*") {
      count += keys.count
    }
    #expect(count == 0)
  }
}
