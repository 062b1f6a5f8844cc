import Foundation
import Harmony
import HarmonyTesting
import RedisBench
import TestPrograms
import Testing

@testable import HarmonyRedis

struct ClusterTests {
  private let get = RedisCommand.read("GET", key: "a")

  // MARK: Scripted

  private static func slots(_ port: Int) -> String {
    "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:\(port)\r\n"
  }

  @Test(arguments: ["MOVED", "ASK"])
  func `Redirections in a circle end`(code: String) async throws {
    let port = Locked(0)
    let server = try ScriptedServer { words in
      switch words[0] {
      case "CLUSTER": .text(Self.slots(port.withLock { $0 }))
      case "GET", "SET": "-\(code) 15495 127.0.0.1:\(port.withLock { $0 })\r\n"
      default: nil
      }
    }
    port.withLock { $0 = server.port }
    let client = server.client { $0.timeLimit = .seconds(120) }
    #expect(await redisError { try await client.send(get) }?.reason == .redirected)
    #expect(server.count("GET") == 6)
    let error = await redisError { try await client.send(.write("SET", key: "a", "1")) }
    #expect(error?.reason == .redirected)
    #expect(error?.mayHaveExecuted == false)
    #expect(server.count("ASKING") == (code == "ASK" ? 10 : 0))
  }

  @Test func `A node that a redirection names is asked from then on`() async throws {
    let second = try ScriptedServer { $0[0] == "GET" ? "$1\r\nx\r\n" : nil }
    let port = Locked(0)
    let first = try ScriptedServer { words in
      switch words[0] {
      case "CLUSTER": .text(Self.slots(port.withLock { $0 }))
      case "GET": "-MOVED 15495 127.0.0.1:\(second.port)\r\n"
      default: nil
      }
    }
    port.withLock { $0 = first.port }
    let client = first.client { $0.timeLimit = .seconds(120) }
    for _ in 0..<3 { #expect(try await client.send(get) == .bytes([120])) }
    #expect(first.count("GET") == 1)
    #expect(second.count("GET") == 3)
  }

  @Test func `Commands wait while slots are incomplete`() async throws {
    let failures = Counter()
    let server = try ScriptedServer { words in
      switch words[0] {
      case "GET": failures.next() < 2 ? "-CLUSTERDOWN soon\r\n" : nil
      case "SET": failures.next() < 5 ? "-TRYAGAIN soon\r\n" : nil
      default: nil
      }
    }
    let client = server.client { $0.timeLimit = .seconds(120) }
    #expect(try await client.send(get) == .null)
    #expect(try await client.send(.write("SET", key: "a", "1")) == .status("OK"))
  }

  @Test func `Keys are only listed if all masters are known`() async throws {
    let server = try ScriptedServer { words in
      switch words[0] {
      case "HELLO": "%1\r\n+mode\r\n+cluster\r\n"
      case "CLUSTER": "-NOPERM no\r\n"
      default: nil
      }
    }
    let client = server.client()
    #expect(try await client.send(get) == .null)
    #expect(await redisError { try await client.masters() }?.reason == .notPermitted)
    var scan = client.scan()
    #expect(await redisError { try await scan.next() as Any }?.reason == .notPermitted)
  }

  @Test(arguments: ["*1\r\n+0\r\n", "+OK\r\n", "*2\r\n$1\r\n0\r\n:1\r\n"])
  func `An invalid reply to a scan is an error`(reply: String) async throws {
    let server = try ScriptedServer { $0[0] == "SCAN" ? .text(reply) : nil }
    var scan = server.client().scan()
    #expect(await redisError { try await scan.next() as Any }?.reason == .malformed)
  }

  @Test func `A scan escapes the prefix and limits each part`() async throws {
    let server = try ScriptedServer { $0[0] == "SCAN" ? "*2\r\n$1\r\n0\r\n*0\r\n" : nil }
    var scan = server.client().scan(prefix: Array(#"a*?[x]\^-"#.utf8), count: 50_000)
    while try await scan.next() != nil {}
    #expect(
      server.commands.last
        == ["SCAN", "0", "MATCH", #"a\*\?\[x\]\\\^\-*"#, "COUNT", "1000"])
  }

  // MARK: Three masters

  @Test func `Commands go to the node of their key, and all masters are scanned`() async throws {
    let client = try await RedisCluster.shared.ready().client()
    let prefix = "cluster[*]:\(UUID()):"
    let keys = (0..<2_500).map { "\(prefix)\($0)" }
    let writes = keys.map { RedisCommand.write("SET", key: RedisArgument($0), RedisArgument($0)) }
    #expect(try await client.send(writes) == keys.map { _ in .status("OK") })
    let reads = keys.map { RedisCommand.read("GET", key: RedisArgument($0)) }
    #expect(try await client.send(reads).map(\.text) == keys)
    #expect(try await client.masters().count == 3)
    var found: Set<String> = []
    for try await part in client.scan(prefix: Array(prefix.utf8)) {
      #expect(part.count <= 2_000)
      found.formUnion(part.map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(found == Set(keys))
    _ = try await client.send(keys.map { .write("UNLINK", key: RedisArgument($0)) })
  }

  @Test func `A slot is used while it is moved, and afterwards`() async throws {
    let cluster = try await onThread { try RedisCluster() }
    let client = cluster.client()
    let names = ["old", "new"].map { "{moving}\($0)" }
    let key = RedisArgument(names[0])
    let slot = RedisArgument(HashSlot.of(key.bytes))
    try await client.send(.write("SET", key: key, "1"))
    // Finds the node that has the key, and another one.
    var (source, target): (RedisServer?, RedisServer?)
    for node in cluster.nodes {
      let own = node.client()
      let owner = try await own.send(.read("CLUSTER", "COUNTKEYSINSLOT", slot), to: node.address)
      if owner.integer == 1 { source = node } else { target = node }
    }
    let (from, to) = (try #require(source), try #require(target))
    let fromID = try #require(
      try await client.send(.read("CLUSTER", "MYID"), to: from.address).text)
    let toID = try #require(try await client.send(.read("CLUSTER", "MYID"), to: to.address).text)
    try await client.send(
      .write("CLUSTER", "SETSLOT", slot, "IMPORTING", RedisArgument(fromID)), to: to.address)
    try await client.send(
      .write("CLUSTER", "SETSLOT", slot, "MIGRATING", RedisArgument(toID)), to: from.address)
    // The new key is asked for at the new node, and the old one is still at the old node.
    try await client.send(.write("SET", key: RedisArgument(names[1]), "2"))
    #expect(try await client.send(.read("GET", key: key)).text == "1")
    #expect(try await client.send(.read("GET", key: RedisArgument(names[1]))).text == "2")
    let both = try await client.send(names.map { .read("GET", key: RedisArgument($0)) })
    #expect(both.map(\.text) == ["1", "2"])
    try await client.send(
      .write("MIGRATE", "127.0.0.1", RedisArgument(to.port), key, 0, 5_000), to: from.address)
    for node in [to, from] {
      try await client.send(
        .write("CLUSTER", "SETSLOT", slot, "NODE", RedisArgument(toID)), to: node.address)
    }
    var found: Set<String> = []
    for try await part in client.scan(prefix: Array("{moving}".utf8)) {
      found.formUnion(part.map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(found == Set(names))
    #expect(try await client.compareAndSwap(key, from: [49], to: [50]) == .swapped)
    #expect(try await client.send(.read("GET", key: key)).text == "2")
  }
}
