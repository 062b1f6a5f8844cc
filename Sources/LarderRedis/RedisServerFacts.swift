import HarmonyRedis
import LarderModel

/// The facts about a server that are read when it is opened.
struct RedisServerFacts: Sendable {
  private(set) var version: RedisVersion?
  let isCluster: Bool
  private(set) var features = RedisFeatures()
  private(set) var facts: [OpenStore.Fact] = []
  /// The numbers of keys by database; empty if they are not known.
  private var databases: [(name: String, count: Int)] = []

  /// Asks a server.
  ///
  /// - Throws: ``RedisError`` if it cannot be reached, or does not let the user in.
  init(_ client: RedisClient) async throws {
    // A command that every user may send, so that other errors are those of permissions.
    _ = try await client.send(.read("PING"))
    isCluster = try await client.isCluster()
    let probe: RedisArgument = ""
    let commands = [
      .read("INFO"), features.expiry(probe),
      RedisCommand(["MEMORY", "USAGE", probe], key: probe, isWrite: false),
      .read("HPEXPIRETIME", key: probe, "FIELDS", 1, probe),
    ]
    let replies = try await client.send(commands)
    features.hasDates = !replies[1].isRefused
    features.hasSizes = !replies[2].isRefused
    features.hasFieldExpiries = !replies[3].isRefused
    let info = Self.values(replies[0].text ?? "")
    let name = info["valkey_version"] == nil ? "Redis" : "Valkey"
    let number = info["valkey_version"] ?? info["redis_version"]
    version = number.flatMap { RedisVersion($0) }
    for (name, text) in info where name.hasPrefix("db") {
      guard let database = Int(name.dropFirst(2)),
        let count = text.split(separator: ",").first.flatMap({ Int($0.dropFirst("keys=".count)) })
      else { continue }
      databases.append((String(database), count))
    }
    databases.sort { (Int($0.name) ?? 0) < (Int($1.name) ?? 0) }
    if let number {
      let mode = isCluster ? Messages.cluster : info["redis_mode"] ?? ""
      facts.append(.init("server", "\(name) \(number) \(mode)"))
    }
    if isCluster {
      facts.append(.init("masters", String(try await client.masters().count)))
    } else if !databases.isEmpty {
      facts.append(.init("keys", String(databases.reduce(0) { $0 + $1.count })))
    }
    if let memory = info["used_memory_human"] { facts.append(.init("memory", memory)) }
    if let hits = info["keyspace_hits"].flatMap({ Int($0) }),
      let misses = info["keyspace_misses"].flatMap({ Int($0) }), hits > 0 || misses > 0
    {
      facts.append(.init("hits", Messages.hits(hits, misses: misses)))
    }
    if let evicted = info["evicted_keys"] { facts.append(.init("evicted", evicted)) }
    if let policy = info["maxmemory_policy"] { facts.append(.init("eviction", policy)) }
  }

  /// Returns the names of the databases with keys, and of another one.
  func databaseNames(including name: String?) -> [String] {
    if isCluster { return ["0"] }
    var names = databases.map(\.name)
    if let name, let number = Int(name), number >= 0, !names.contains(name) {
      names.append(String(number))
      names.sort { (Int($0) ?? 0) < (Int($1) ?? 0) }
    }
    return names.isEmpty ? ["0"] : names
  }

  /// Parses the reply to `INFO`.
  static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[String(line[..<colon])] = String(line[line.index(after: colon)...])
    }
    return values
  }
}

extension RedisValue {
  /// Whether the server does not have the command, or does not let the user send it.
  fileprivate var isRefused: Bool {
    guard case .failure(let error) = self else { return false }
    return error.message.contains("unknown command") || error.message.contains("to run")
  }
}

/// The version of a server, which decides whether it understands entries of another one.
struct RedisVersion: Comparable {
  let numbers: [Int]

  /// Parses a version such as 7.0.15.
  init?(_ text: String) {
    let parts = text.split(separator: ".").map { Int($0) }
    numbers = parts.compactMap(\.self)
    guard !parts.isEmpty, numbers.count == parts.count else { return nil }
  }

  var text: String { numbers.map(String.init).joined(separator: ".") }

  static func < (left: Self, right: Self) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
