import Foundation
import Harmony
import HarmonyRedis
package import LarderModel
package import LarderStoreBase

/// A Redis or Valkey server or cluster.
package enum RedisKind: OpenableKind {
  package static let kind = StoreKind(
    name: "redis",
    recognizedBy: "redis://HOST:PORT/DB, rediss:// (TLS), valkey:// or redis+unix:PATH as the "
      + "location: a Redis or Valkey server or cluster",
    collections: "databases", keys: "text", isAtomic: false,
    withoutValue: "values of modules", delimiter: ":",
    types: [.text, .data, .array, .dictionary],
    newForms: RedisType.newForms, restoredForms: Set(RedisType.allCases.compactMap(\.form)))

  package static let schemes = RedisLocation.schemes

  package static func recognize(_ probe: StoreProbe) -> String? {
    guard case .scheme(let scheme, _) = probe.target, schemes.contains(scheme) else {
      return nil
    }
    return OpeningMessages.scheme(scheme)
  }

  package static func resolved(
    _ location: StoreLocation
  ) throws(StoreError) -> StoreLocation? {
    let place = try RedisLocation(location.path)
    return StoreLocation(
      path: place.journalPath, collection: location.collection ?? place.database.map(String.init))
  }

  package static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let place = try RedisLocation(probe.location.path)
    var configuration = RedisConfiguration()
    configuration.addresses = place.addresses
    configuration.user = place.user
    let environment = ProcessInfo.processInfo.environment
    let entered = options.passwordPrompt?.entered.map { RedisPassword($0) }
    configuration.password =
      if let entered { entered } else { try password(for: place, environment) }
    configuration.tls = place.isEncrypted ? RedisTLS() : nil
    configuration.timeLimit = options.busyTimeout
    let server: RedisServerFacts
    do {
      server = try await facts(&configuration, place, options.passwordPrompt)
    } catch let error as RedisError where error.reason == .unauthenticated {
      throw configuration.password == nil
        ? .noPassword(for: place)
        : .wrongPassword(for: place, from: entered == nil ? origin(environment) : nil)
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

  /// Returns the facts about a server, after asking for its password if it requires one.
  private static func facts(
    _ configuration: inout RedisConfiguration, _ place: RedisLocation, _ prompt: PasswordPrompt?
  ) async throws -> RedisServerFacts {
    do {
      return try await RedisServerFacts(RedisClient(configuration))
    } catch let error as RedisError
      where error.reason == .unauthenticated && configuration.password == nil
    {
      guard let password = prompt?(place.server) else { throw error }
      configuration.password = RedisPassword(password)
      return try await RedisServerFacts(RedisClient(configuration))
    }
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

  /// Returns where the password in the environment comes from; nil if the user has entered it.
  private static func origin(_ environment: [String: String]) -> String? {
    if environment["LARDER_REDIS_PASSWORD"] != nil { return "LARDER_REDIS_PASSWORD" }
    return environment["LARDER_REDIS_PASSWORD_FILE"]
  }

  /// Returns the password in the environment, or in the file that it names; nil for none.
  ///
  /// The file contains the password alone, or a line for each server with its location and password.
  static func password(
    for place: RedisLocation, _ environment: [String: String]
  ) throws(StoreError) -> RedisPassword? {
    if let password = environment["LARDER_REDIS_PASSWORD"] { return RedisPassword(password) }
    guard let path = environment["LARDER_REDIS_PASSWORD_FILE"] else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .unreadablePasswordFile(path)
    }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return nil }
    guard schemes.contains(where: { first.hasPrefix($0 + ":") }) else {
      return RedisPassword(String(first))
    }
    let own = lines.lazy.map { $0.split(separator: " ", maxSplits: 1) }.first { words in
      words.count == 2
        && (try? RedisLocation(String(words[0])))?.journalPath == place.journalPath
    }
    return own.map { RedisPassword(String($0[1])) }
  }
}
