import Foundation
import Harmony
import HarmonyRedis
import RedisBench
import TestPrograms
import Testing

/// A server with encryption, and with users who have different permissions.
private let secure = Shared {
  try RedisServer([
    "--port", "0", "--tls-port", "PORT", "--tls-cert-file", "FOLDER/server.pem",
    "--tls-key-file", "FOLDER/server.key", "--tls-ca-cert-file", "FOLDER/ca.pem",
    "--tls-auth-clients", "optional",
    "--user", "default", "off",
    "--user", "ada", "on", ">correct", "~*", "&*", "+@all",
    "--user", "reader", "on", ">correct", "~*", "&*", "-@all", "+@read", "+@connection",
    "+cluster|slots",
    "--user", "plain", "on", ">correct", "~*", "&*", "+@all", "-@scripting", "-cluster",
  ]) { folder in
    let words = [
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=test authority",
      ]
        + ["-keyout", "ca.key", "-out", "ca.pem"],
      ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
        + ["-keyout", "server.key", "-out", "server.csr"],
      ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
        + ["-days", "2", "-extfile", "names", "-out", "server.pem"],
    ]
    try "subjectAltName=DNS:localhost,IP:127.0.0.1\n"
      .write(toFile: folder + "/names", atomically: false, encoding: .utf8)
    for words in words {
      let outcome = try ProgramOutcome(running: ["openssl"] + words, in: folder)
      guard outcome.status == 0 else { throw ProgramError("openssl failed: \(words[0])") }
    }
  }
}

struct TLSTests {
  private let get = RedisCommand.read("GET", key: "a")

  private func client(
    _ user: String = "ada", _ change: (inout RedisConfiguration) -> Void = { _ in }
  ) async throws -> RedisClient {
    let server = try await secure.ready()
    return server.client {
      ($0.user, $0.password) = (user, "correct")
      $0.tls = RedisTLS(authorityFile: server.folder + "/ca.pem")
      change(&$0)
    }
  }

  @Test func `An encrypted connection sends and receives`() async throws {
    let port = try await secure.ready().port
    for host in ["127.0.0.1", "localhost"] {
      let client = try await client { $0.addresses = [.tcp(host: host, port: port)] }
      let large = [UInt8](repeating: 7, count: 3_000_000)
      try await client.send(.write("SET", key: "tls", RedisArgument(large)))
      #expect(try await client.send(.read("GET", key: "tls")).bytes == large)
      try await withThrowingTaskGroup { group in
        for _ in 0..<200 { group.addTask { try await client.send(.write("INCR", key: "tls:n")) } }
        try await group.waitForAll()
      }
      #expect(try await client.send(.write("DEL", key: "tls", "tls:n")).integer == 2)
    }
  }

  @Test func `A certificate of an unknown authority or for another name is refused`() async throws {
    let strange = try await client { $0.tls = RedisTLS() }
    #expect(await redisError { try await strange.send(get) }?.reason == .insecure)
    for name in ["example.com", "127.0.0.2"] {
      let other = try await client { $0.tls?.serverName = name }
      #expect(await redisError { try await other.send(get) }?.reason == .insecure)
    }
    let missing = try await client { $0.tls?.authorityFile = "/no/such/file" }
    #expect(await redisError { try await missing.send(get) }?.reason == .insecure)
  }

  @Test func `A client certificate can be used`() async throws {
    let folder = try await secure.ready().folder
    let known = try await client {
      $0.tls?.certificateFile = folder + "/server.pem"
      $0.tls?.keyFile = folder + "/server.key"
    }
    #expect(try await known.send(get) == .null)
    let wrong = try await client {
      $0.tls?.certificateFile = folder + "/server.pem"
      $0.tls?.keyFile = folder + "/ca.key"
    }
    #expect(await redisError { try await wrong.send(get) }?.reason == .insecure)
  }

  @Test func `Encryption with a server that has none fails, and the other way round`() async throws
  {
    // A server without encryption waits for the end of the line.
    let plain = try await RedisServer.standalone.ready().client {
      ($0.tls, $0.timeLimit) = (RedisTLS(), .seconds(1))
    }
    let failure = await redisError { try await plain.send(get) }?.reason
    #expect(failure == .timedOut || failure == .insecure)
    let open = try await client { ($0.tls, $0.timeLimit) = (nil, .seconds(2)) }
    let reason = await redisError { try await open.send(get) }?.reason
    #expect(reason == .disconnected || reason == .malformed || reason == .timedOut)
  }

  @Test func `Wrong and missing passwords are refused`() async throws {
    for password in [RedisPassword("wrong"), nil] {
      let client = try await client { $0.password = password }
      #expect(await redisError { try await client.send(get) }?.reason == .unauthenticated)
    }
  }

  @Test func `A user without permission gets the reason, and the rest works`() async throws {
    let reader = try await client("reader")
    #expect(try await reader.send(.read("GET", key: "none")) == .null)
    let error = await redisError { try await reader.send(.write("SET", key: "none", "1")) }
    #expect(error?.reason == .notPermitted)
    #expect(error?.mayHaveExecuted == false)
    #expect(try await reader.masters().count == 1)
  }

  @Test func `Without permission for scripts, values are compared in transactions`() async throws {
    let plain = try await client("plain")
    let key = RedisArgument("cas:\(UUID())")
    #expect(try await plain.compareAndSwap(key, from: nil, to: [1]) == .swapped)
    #expect(try await plain.compareAndSwap(key, from: nil, to: [2]) == .conflict(current: [1]))
    #expect(try await plain.compareAndSwap(key, from: [3], to: [2]) == .conflict(current: [1]))
    #expect(
      try await plain.compareAndSwap(key, from: [1], to: [2], expiry: .after(.seconds(100)))
        == .swapped)
    #expect(try await plain.compareAndSwap(key, from: [2], to: [0]) == .swapped)
    #expect(try await plain.send(.read("PTTL", key: key)).integer ?? 0 > 50_000)
    try await raceIncrements(plain, key, tasks: 8, rounds: 20)
    #expect(try await plain.send(.read("GET", key: key)).bytes == [160])
    #expect(try await plain.compareAndSwap(key, from: [160], to: nil) == .swapped)
    #expect(try await plain.send(.read("EXISTS", key: key)).integer == 0)
  }
}

/// Increments the byte of a key from several tasks; each tries until it succeeds.
func raceIncrements(
  _ client: RedisClient, _ key: RedisArgument, tasks: Int, rounds: Int
) async throws {
  try await withThrowingTaskGroup { group in
    for _ in 0..<tasks {
      group.addTask {
        var current: [UInt8]? = [0]
        for _ in 0..<rounds {
          while true {
            let next = [(current?.first ?? 0) &+ 1]
            switch try await client.compareAndSwap(key, from: current, to: next) {
            case .swapped: current = next
            case .conflict(let other):
              current = other
              continue
            }
            break
          }
        }
      }
    }
    try await group.waitForAll()
  }
}
