import Foundation
import Harmony
import HarmonyRedis
import LarderJournal
import LarderModel
import LarderStores
import RedisBench

/// A server with an opened store, and a client of another program.
struct RedisStoreBench: Sendable {
  let server: RedisServer
  let store: Store
  let client: RedisClient

  /// The server of a store.
  enum Place: CaseIterable {
    case alone, cluster
  }

  private static let databases = RedisDatabases()

  /// Opens an empty database, or a part of a cluster with a journal of its own.
  init(_ place: Place = .alone, isReadOnly: Bool = false) async throws {
    switch place {
    case .alone:
      let (server, number) = try await Self.databases.next()
      self.server = server
      client = server.client { $0.database = number }
      store = try await Self.open(
        "redis://127.0.0.1:\(server.port)/\(number)", server, isReadOnly: isReadOnly)
    case .cluster:
      server = try await RedisCluster.shared.ready().nodes[0]
      client = server.client()
      store = try await Self.open(
        "redis://127.0.0.1:\(server.port)", server, isReadOnly: isReadOnly)
    }
  }

  /// Opens a location with a journal of its own.
  static func open(
    _ location: String, _ server: RedisServer, isReadOnly: Bool = false,
    timeLimit: Duration = .seconds(120)
  ) async throws -> Store {
    let journal = Journal(path: "\(server.folder)/\(UUID()).db")
    let open = try await Stores.open(
      location, options: OpenOptions(isReadOnly: isReadOnly, busyTimeout: timeLimit),
      journal: journal)
    return try await open.store(open.location.collection)
  }

  /// Performs a command of words separated by spaces.
  @discardableResult
  func run(_ line: String) async throws -> RedisValue {
    let words = line.split(separator: " ").map { RedisArgument(String($0)) }
    return try await client.send(
      RedisCommand(words, key: words.dropFirst().first, isWrite: true))
  }

  func entry(_ key: String) async throws -> Entry? { try await store.source.entry(.text(key)) }

  func value(_ key: String) async throws -> StoredValue? { try await entry(key)?.value }

  /// Replaces a value that was read just before.
  @discardableResult
  func edit(_ key: String, _ value: StoredValue) async throws -> Entry {
    let current = try await entry(key)
    return try await store.source.put(
      Entry(key: .null, value: value),
      in: ReplaceQuery(.text(key), expecting: current?.fingerprint)
    ).get()
  }

  func keys(_ query: EntryPageQuery) async throws -> [String] {
    try await store.source.getAll(query).get().map { $0.key.notation(.text) }
  }
}

/// A server with a database for each test.
final class RedisDatabases: Sendable {
  private let server = Shared { try RedisServer(["--databases", "2000"]) }
  private let last = Locked(0)

  func next() async throws -> (RedisServer, Int) {
    let number = last.withLock { last in
      last += 1
      return last
    }
    return (try await server.ready(), number)
  }
}
