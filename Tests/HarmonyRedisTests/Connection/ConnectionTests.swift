import Foundation
import Harmony
import HarmonyTesting
import RedisBench
import TestPrograms
import Testing

@testable import HarmonyRedis

struct ConnectionTests {
  private let get = RedisCommand.read("GET", key: "a")
  private let set = RedisCommand.write("SET", key: "a", "1")

  // MARK: Introduction

  @Test func `A server without RESP3 gets the user name and the password in the older form`()
    async throws
  {
    let server = try ScriptedServer { words in
      words[0] == "HELLO"
        ? "-ERR unknown command 'HELLO', with args '3' 'AUTH' 'ada' 'hunter2'\r\n" : nil
    }
    let client = server.client {
      ($0.user, $0.password, $0.database) = ("ada", "hunter2", 3)
    }
    #expect(try await client.send(get) == .null)
    #expect(
      server.commands.prefix(3) == [
        ["HELLO", "3", "AUTH", "ada", "hunter2"], ["AUTH", "ada", "hunter2"], ["SELECT", "3"],
      ])
  }

  @Test func `A user without a password does not become the default user`() async throws {
    let server = try ScriptedServer { _ in nil }
    let client = server.client { $0.user = "ada" }
    #expect(try await client.send(get) == .null)
    #expect(server.commands.first == ["HELLO", "3", "AUTH", "ada", ""])
  }

  @Test(arguments: [
    "-WRONGPASS hunter2 is wrong\r\n", "-NOAUTH hunter2\r\n", "-ERR hunter2\r\n", "-hunter2\r\n",
    "-DENIED protected mode, not hunter2\r\n",
  ])
  func `A password is in no error and no description`(reply: String) async throws {
    let server = try ScriptedServer { $0[0] == "HELLO" ? .text(reply) : nil }
    let client = server.client { $0.password = "hunter2" }
    let error = try #require(await redisError { try await client.send(get) })
    for text in ["\(error)", "\(error.userInfo())", String(reflecting: error), error.description] {
      #expect(!text.contains("hunter2"))
    }
    var dumped = ""
    dump(client.configuration, to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(!"\(client.configuration)".contains("hunter2"))
    #expect(!"\(RedisCommand(["AUTH", "hunter2"], key: nil, isWrite: false))".contains("hunter2"))
  }

  @Test(arguments: [
    ("NOAUTH", RedisError.Reason.unauthenticated), ("NOPERM", .notPermitted),
    ("READONLY", .readOnly), ("MISCONF", .readOnly), ("OOM", .outOfMemory),
    ("WRONGTYPE", .wrongType), ("LOADING", .notReady), ("CLUSTERDOWN", .notReady),
    ("ERR", .refused), ("NEW", .refused),
  ])
  func `Errors of the server have a reason`(code: String, reason: RedisError.Reason) async throws {
    let server = try ScriptedServer { $0[0] == "SET" ? "-\(code) because\r\n" : nil }
    let client = server.client()
    let error = try #require(await redisError { try await client.send(set) })
    #expect(error.reason == reason)
    #expect(error.serverError == RedisServerError(code: code, message: "because"))
    #expect(!error.mayHaveExecuted)
    #expect(server.count("SET") == 1)
  }

  // MARK: Time and cancellation

  @Test func `A write whose answer never came is not repeated, and may have been executed`()
    async throws
  {
    let server = try ScriptedServer { $0[0] == "SET" ? .silence : nil }
    let client = server.client { $0.timeLimit = .seconds(3) }
    let start = ContinuousClock.now
    let error = try #require(await redisError { try await client.send(set) })
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(error.reason == .timedOut)
    #expect(error.mayHaveExecuted)
    #expect(server.count("SET") == 1)
  }

  @Test func `A write whose connection was lost is not repeated`() async throws {
    let server = try ScriptedServer { $0[0] == "SET" ? .end : nil }
    let client = server.client()
    let error = try #require(await redisError { try await client.send(set) })
    #expect(error.reason == .disconnected)
    #expect(error.mayHaveExecuted)
    #expect(server.count("SET") == 1)
  }

  @Test func `A read is repeated on a new connection until there is an answer`() async throws {
    let failures = Counter()
    let server = try ScriptedServer { words in
      words[0] == "GET" && failures.next() < 3 ? .end : words[0] == "GET" ? "$1\r\nx\r\n" : nil
    }
    let client = server.client { $0.timeLimit = .seconds(120) }
    #expect(try await client.send(get) == .bytes([120]))
    #expect(server.count("GET") == 4)
    // The next connection is a new one for writes too.
    #expect(try await client.send(set) == .status("OK"))
  }

  // The nodes are asked for first, also on a new connection.
  @Test(arguments: ["GET", "CLUSTER"])
  func `A read is repeated while the server loads its data`(name: String) async throws {
    let failures = Counter()
    let server = try ScriptedServer { words in
      words[0] == name && failures.next() < 3 ? "-LOADING later\r\n" : nil
    }
    let client = server.client { $0.timeLimit = .seconds(120) }
    #expect(try await client.send(get) == .null)
    let busy = try ScriptedServer { $0[0] == "GET" ? "-LOADING later\r\n" : nil }
    let patient = busy.client { $0.timeLimit = .seconds(3) }
    let error = await redisError { try await patient.send(get) }
    #expect(error?.reason == .notReady)
  }

  @Test(arguments: ["HELLO", "CLUSTER", "GET"])
  func `A silent server fails within the time limit`(name: String) async throws {
    let server = try ScriptedServer { $0[0] == name ? .silence : nil }
    let client = server.client { $0.timeLimit = .seconds(1) }
    let start = ContinuousClock.now
    #expect(await redisError { try await client.send(get) }?.reason == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `A server that sends single bytes fails within the time limit`() async throws {
    let server = try ScriptedServer { words in
      words[0] == "GET" ? .slowly("$1000\r\n" + String(repeating: "a", count: 1_000)) : nil
    }
    let client = server.client { $0.timeLimit = .seconds(2) }
    let start = ContinuousClock.now
    #expect(await redisError { try await client.send(get) }?.reason == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(await redisError { try await client.send(get) }?.reason == .timedOut)
  }

  @Test func `A peer that accepts nothing more fails within the time limit`() async throws {
    let (number, port) = try listenOnLoopback(0)
    defer { close(number) }
    var configuration = RedisConfiguration(.tcp(host: "127.0.0.1", port: port))
    configuration.timeLimit = .milliseconds(500)
    let client = RedisClient(configuration)
    let start = ContinuousClock.now
    for _ in 0..<4 {
      #expect(await redisError { try await client.send(set) }?.reason == .timedOut)
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `A slow call does not end the others on the same connection`() async throws {
    let server = try ScriptedServer { $0[0] == "SLOW" ? .slowly("+OK\r\n") : nil }
    let client = server.client { $0.timeLimit = .seconds(120) }
    async let slow = client.send(.write("SLOW"))
    async let fast = client.send(get)
    #expect(try await slow == .status("OK"))
    #expect(try await fast == .null)
  }

  @Test func `Cancelling the task ends a call at once`() async throws {
    let server = try ScriptedServer { $0[0] == "GET" ? .silence : nil }
    let client = server.client { $0.timeLimit = .seconds(60) }
    let start = ContinuousClock.now
    let task = Task { try await client.send(get) }
    while server.count("GET") == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ContinuousClock.now - start < .seconds(50))
  }

  @Test func `The reply to a cancelled call is not that of the next one`() async throws {
    let server = try ScriptedServer { words in
      words[0] == "SLOW" ? .slowly("$4\r\nslow\r\n") : words[0] == "GET" ? "$1\r\nx\r\n" : nil
    }
    let client = server.client { $0.timeLimit = .seconds(120) }
    let task = Task { try await client.send(.read("SLOW")) }
    while server.count("SLOW") == 0 { await Task.yield() }
    task.cancel()
    #expect(try await client.send(get) == .bytes([120]))
    #expect(server.count("HELLO") == 1)
  }

  @Test func `Closing a client ends its calls`() async throws {
    let server = try ScriptedServer { $0[0] == "SET" ? .silence : nil }
    let client = server.client { $0.timeLimit = .seconds(60) }
    let task = Task { await redisError { try await client.send(set) } }
    while server.count("SET") == 0 { await Task.yield() }
    client.close()
    #expect(await task.value?.reason == .disconnected)
    #expect(await redisError { try await client.send(get) }?.reason == .disconnected)
  }

  // MARK: Hostile servers

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n\r\n", RedisError.Reason.malformed), (":1\r\n:x\r\n", .malformed),
    ("*1000000000\r\n", .tooLarge), ("$2000000000\r\n", .tooLarge),
    (String(repeating: "*1\r\n", count: 100), .malformed),
  ])
  func `A reply that breaks the rules ends the connection`(
    text: String, reason: RedisError.Reason
  ) async throws {
    let server = try ScriptedServer { $0[0] == "SET" ? .text(text) : nil }
    let client = server.client()
    let first = await redisError { try await client.send([set, set, set, set]) }
    #expect(first?.reason == reason)
    #expect(first?.mayHaveExecuted == true)
    #expect(try await client.send(get) == .null)
  }

  @Test func `A refused reply fails only its own call`() async throws {
    let large = "$600\r\n" + String(repeating: "a", count: 600) + "\r\n"
    let server = try ScriptedServer { words in
      words == ["GET", "large"] ? .text(large) : words[0] == "GET" ? "$1\r\nx\r\n" : nil
    }
    let client = server.client { $0.limits = RedisLimits(replyBytes: 300) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          if number % 10 == 5 {
            let error = await redisError { try await client.send(.read("GET", key: "large")) }
            #expect(error?.reason == .tooLarge)
          } else {
            let reply = try await client.send(get)
            #expect(reply == .bytes([120]))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A reply to no command ends the connection`() async throws {
    let server = try ScriptedServer { $0[0] == "SET" ? "+OK\r\n+MORE\r\n" : nil }
    let client = server.client { $0.timeLimit = .seconds(120) }
    #expect(try await client.send(set) == .status("OK"))
    while server.count("HELLO") < 2 { _ = try? await client.send(.read("PING")) }
    #expect(try await client.send(get) == .null)
  }

  @Test func `Replies to a pipeline share one limit`() async throws {
    let text = "$600\r\n" + String(repeating: "a", count: 600) + "\r\n"
    let server = try ScriptedServer { $0[0] == "GET" ? .text(text) : nil }
    let client = server.client { $0.limits = RedisLimits(replyBytes: 1_000) }
    #expect(try await client.send(get).bytes?.count == 600)
    #expect(await redisError { try await client.send([get, get]) }?.reason == .tooLarge)
    #expect(try await client.send(get).bytes?.count == 600)
  }

  @Test func `Push messages between replies are ignored`() async throws {
    let server = try ScriptedServer { words in
      words[0] == "GET" ? ">2\r\n+invalidate\r\n_\r\n$1\r\nx\r\n>1\r\n+more\r\n" : nil
    }
    let client = server.client()
    for _ in 0..<3 { #expect(try await client.send(get) == .bytes([120])) }
  }

  // MARK: Addresses

  @Test func `The time limit does not hide why the attempts before failed`() async throws {
    let hellos = Counter()
    let server = try ScriptedServer { words in
      words[0] == "GET" ? .end : words[0] == "HELLO" && hellos.next() > 0 ? .silence : nil
    }
    let client = server.client { $0.timeLimit = .seconds(1) }
    #expect(await redisError { try await client.send(get) }?.reason == .disconnected)
  }

  @Test func `A first connection that is refused is not tried again`() async throws {
    let port = try RedisServer.freePort()
    var configuration = RedisConfiguration(.tcp(host: "127.0.0.1", port: port))
    configuration.timeLimit = .seconds(120)
    let start = ContinuousClock.now
    let error = await redisError { try await RedisClient(configuration).send(get) }
    #expect(error?.reason == .unreachable)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `A server that is not there is unreachable`() async throws {
    let port = try RedisServer.freePort()
    let addresses: [RedisAddress] = [
      .tcp(host: "127.0.0.1", port: port), .tcp(host: "no-such-host.invalid", port: 1),
      .tcp(host: "", port: 1), .tcp(host: "localhost", port: 70_000), .unix(path: "/no/socket"),
      .unix(path: String(repeating: "a", count: 200)), .unix(path: ""),
    ]
    for address in addresses {
      var configuration = RedisConfiguration(address)
      configuration.timeLimit = .milliseconds(900)
      let error = await redisError { try await RedisClient(configuration).send(set) }
      let reason = try #require(error?.reason)
      // A name server that does not answer is as good as none.
      #expect(reason == .unreachable || reason == .timedOut, "\(address)")
      #expect(error?.mayHaveExecuted == false)
    }
    let error = await redisError { try await RedisClient(RedisConfiguration()).send(set) }
    #expect(error?.reason == .unreachable)
  }

  @Test func `A second address is used if there is no server at the first`() async throws {
    let server = try ScriptedServer { _ in nil }
    let port = try RedisServer.freePort()
    let client = server.client { $0.addresses.insert(.tcp(host: "127.0.0.1", port: port), at: 0) }
    #expect(try await client.send(set) == .status("OK"))
  }

  @Test func `Unix sockets and host names work, and many calls share a connection`() async throws {
    let server = try await RedisServer.standalone.ready()
    for address in [
      RedisAddress.unix(path: server.folder + "/socket"),
      .tcp(host: "localhost", port: server.port),
    ] {
      let client = server.client { $0.addresses = [address] }
      let key = RedisArgument("connection:\(UUID())")
      try await withThrowingTaskGroup { group in
        for _ in 0..<500 { group.addTask { try await client.send(.write("INCR", key: key)) } }
        try await group.waitForAll()
      }
      #expect(try await client.send(.read("GET", key: key)).integer == 500)
      let large = [UInt8](repeating: 7, count: 5_000_000)
      try await client.send(.write("SET", key: key, RedisArgument(large)))
      #expect(try await client.send(.read("GET", key: key)).bytes == large)
      try await client.send(.write("DEL", key: key))
    }
  }

  @Test func `A server that is killed and restarted is found again`() async throws {
    var server = try await onThread { try RedisServer() }
    let port = server.port
    let client = server.client { $0.timeLimit = .seconds(120) }
    try await client.send(set)
    server.stop()
    // A write fails at once.
    #expect(await redisError { try await client.send(set) } != nil)
    // A read waits for the server.
    let task = Task { try await client.send(get) }
    server = try await onThread { try RedisServer(port: port) }
    #expect(try await task.value == .null)
    try await client.send(set)
    #expect(try await client.send(get).text == "1")
    server.stop()
  }

  @Test func `A stopped process fails within the time limit, and is found again`() async throws {
    let server = try await onThread { try RedisServer() }
    let client = server.client { $0.timeLimit = .seconds(8) }
    try await client.send(set)
    server.signal(SIGSTOP)
    let start = ContinuousClock.now
    let error = await redisError { try await client.send(set) }
    #expect(error?.reason == .timedOut && error?.mayHaveExecuted == true)
    #expect(await redisError { try await client.send(get) }?.reason == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(60))
    server.signal(SIGCONT)
    let patient = server.client()
    #expect(try await patient.send(get).text == "1")
    server.stop()
  }

  @Test func `A transaction whose reply is lost may have been executed`() async throws {
    let server = try await onThread { try RedisServer() }
    let client = server.client { $0.timeLimit = .seconds(2) }
    let error = await redisError {
      try await client.transaction(watching: ["a"]) { read in
        let replies = try await read([get])
        #expect(replies == [.null])
        server.signal(SIGSTOP)
        return [set]
      }
    }
    #expect(error?.mayHaveExecuted == true)
    server.signal(SIGCONT)
    // What the process had received is executed after all.
    let other = server.client()
    #expect(try await other.send(get).text == "1")
    server.stop()
  }

  @Test func `The version of the server is reported`() async throws {
    let info = try await RedisServer.standalone.ready().client().send(.read("INFO", "server")).text
    let line = info?.split(whereSeparator: \.isNewline).first { $0.hasPrefix("redis_version") }
    print("HarmonyRedisTests ran on \(line ?? "an unknown version")")
    #expect(line != nil)
  }
}

/// Counts calls from any thread.
final class Counter: Sendable {
  private let number = Locked(0)

  func next() -> Int {
    number.withLock { number in
      defer { number += 1 }
      return number
    }
  }
}
