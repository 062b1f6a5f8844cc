import Foundation
import Harmony
import HarmonyRedis
package import LarderModel
package import LarderStoreBase

/// A Redis or Valkey server or cluster.
package enum RedisKind: OpenableKind {
  package static let kind = StoreKind(
    name: "redis",
    recognisedBy: "redis://HOST:PORT/DB, rediss:// (TLS), valkey:// or redis+unix:PATH as the "
      + "location: a Redis or Valkey server or cluster",
    collections: "databases", keys: "text", isAtomic: false,
    withoutValue: "values of modules", delimiter: ":",
    types: [.text, .data, .array, .dictionary],
    restoredForms: Set(RedisType.allCases.compactMap(\.form)))

  package static func recognise(_ probe: StoreProbe) -> String? {
    guard case .scheme(let scheme, _) = probe.target, RedisLocation.isKnown(scheme) else {
      return nil
    }
    return OpeningMessages.scheme(scheme)
  }

  package static func resolved(
    _ location: StoreLocation
  ) throws(StoreError) -> StoreLocation? {
    let place = try RedisLocation(location.path)
    return StoreLocation(
      path: place.path, collection: location.collection ?? place.database.map(String.init))
  }

  package static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let place = try RedisLocation(probe.location.path)
    var configuration = RedisConfiguration()
    configuration.addresses = place.addresses
    configuration.user = place.user
    configuration.password = try password(ProcessInfo.processInfo.environment)
    configuration.tls = place.isEncrypted ? RedisTLS() : nil
    configuration.timeLimit = options.busyTimeout
    let server: RedisServerFacts
    do {
      server = try await RedisServerFacts(RedisClient(configuration))
    } catch {
      throw StoreError(redis: error, at: StoreLocation(path: place.path))
    }
    let named = place.database.map(String.init) ?? probe.collection
    let names = server.databaseNames(including: named)
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : nil
    var open = OpenStore(
      kind: kind, location: StoreLocation(path: place.path), evidence: evidence,
      readOnlyReason: reason,
      collections: names.map {
        StoreCollection(name: $0, form: "database", isWritable: reason == nil, keys: "text")
      },
      facts: server.facts
    ) { [configuration] name in
      let name = name ?? named ?? (names.count == 1 ? names[0] : nil)
      guard let name else { throw StoreError.several("databases", in: place.path, names) }
      guard let number = Int(name), number >= 0, !server.isCluster || number == 0 else {
        throw StoreError.missing("database", name, in: place.path, of: names)
      }
      var own = configuration
      own.database = number
      return store(
        RedisClient(own), StoreLocation(path: place.path, collection: name), server, options)
    }
    open.location.collection = place.database.map(String.init)
    return open
  }

  private static func store(
    _ client: RedisClient, _ location: StoreLocation, _ server: RedisServerFacts,
    _ options: OpenOptions
  ) -> Store {
    let source = RedisEntrySource(
      client, at: location, isReadOnly: options.isReadOnly, features: server.features,
      version: server.version)
    var capabilities: StoreCapabilities = [.ordered, .searchable, .prefixes, .types]
    if !options.isReadOnly { capabilities.formUnion([.writable, .creates]) }
    return Store(
      kind: kind, location: location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: options.isReadOnly ? OpeningMessages.openedReadOnly : nil,
      source: AnyDataSource(source), expiry: source,
      changeFeed: { source.changeFeed() }, undoSupport: RedisUndo())
  }

  /// Returns the password in the environment, or in the file that it names; nil for none.
  static func password(_ environment: [String: String]) throws(StoreError) -> RedisPassword? {
    if let password = environment["LARDER_REDIS_PASSWORD"] { return RedisPassword(password) }
    guard let path = environment["LARDER_REDIS_PASSWORD_FILE"] else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .unreadablePasswordFile(path)
    }
    return RedisPassword(String(text.prefix { !$0.isNewline }))
  }
}

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
    ]
    let replies = try await client.send(commands)
    features.hasDates = !replies[1].isRefused
    features.hasSizes = !replies[2].isRefused
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
