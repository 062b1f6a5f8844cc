import Foundation
import Harmony
import HarmonyRedis
import HarmonyTesting
import LarderModel
import LarderStores
import RedisBench
import Testing

@testable import LarderRedis

/// Random changes of a database, compared with a model, and changes while the server is killed.
struct RedisStressTests {
  /// The state of a key.
  private struct Held: Equatable {
    var type: RedisType
    var value: StoredValue
    var expiry: Int64?
  }

  /// Returns the value of an environment variable, for longer runs than those of each build.
  private static func count(_ variable: String, otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? otherwise
  }

  // MARK: A model

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `random changes leave what a model predicts`(_ place: RedisStoreBench.Place) async throws {
    let bench = try await RedisStoreBench(place)
    let seed = UInt64(Self.count("STRESS_SEED", otherwise: Int(UInt32.random(in: 0...(.max)))))
    print("random changes of a Redis database (\(place)): STRESS_SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let prefix = "\(UUID()):"
    var model: [String: Held] = [:]
    var (steps, operations) = (0, 0)
    while operations < Self.count("STRESS_OPERATIONS", otherwise: 2_500) {
      let before = model
      let isBulk = Bool.random(using: &random)
      let isChange =
        try await isBulk
        ? changeAll(&model, prefix, bench, &random) : change(&model, prefix, bench, &random)
      steps += 1
      operations += isBulk ? Self.names(prefix).count : 1
      if isChange, Int.random(in: 0..<4, using: &random) == 0 {
        try await bench.store.replay(ReplayRequest())
        model = before
      }
      if steps.isMultiple(of: 100) { try await compare(model, prefix, bench) }
    }
    try await compare(model, prefix, bench)
  }

  /// Returns the keys, which in a cluster have three slots.
  private static func names(_ prefix: String) -> [String] {
    (0..<20).map { "\(prefix){\($0 % 3)}\($0)" }
  }

  private static let types: [RedisType] = [.string, .hash, .list, .set, .zset]

  /// Replaces or deletes all keys together.
  ///
  /// - Returns: Whether that changed something.
  private func changeAll(
    _ model: inout [String: Held], _ prefix: String, _ bench: RedisStoreBench,
    _ random: inout SeededGenerator
  ) async throws -> Bool {
    let before = model
    let names = Self.names(prefix)
    let current = try await bench.store.source.getAll(EntriesQuery(names.map { .text($0) })).get()
    var changes: [EntryChange] = []
    for (name, entry) in zip(names, current) {
      #expect(entry.value == model[name]?.value)
      let type = Self.types[Int.random(in: 0..<5, using: &random)]
      let isDeleted = model[name] != nil && Int.random(in: 0..<4, using: &random) == 0
      let value = isDeleted ? nil : Self.value(type, &random)
      let form = isDeleted || type == .string ? nil : type.rawValue
      changes.append(
        EntryChange(.text(name), value: value, expecting: entry.fingerprint, form: form))
      model[name] = value.map {
        Held(type: type, value: type.stored($0), expiry: model[name]?.expiry)
      }
    }
    _ = try await bench.store.source.putAll([], in: ChangesQuery(changes)).get()
    return model != before
  }

  /// Makes a random change to the database and the model.
  ///
  /// - Returns: Whether it can be undone.
  private func change(
    _ model: inout [String: Held], _ prefix: String, _ bench: RedisStoreBench,
    _ random: inout SeededGenerator
  ) async throws -> Bool {
    let names = Self.names(prefix)
    let key = names[Int.random(in: 0..<20, using: &random)]
    let other = names[Int.random(in: 0..<20, using: &random)]
    let source = bench.store.source
    let current = try await bench.entry(key)
    #expect(current?.value == model[key]?.value)
    #expect(current?.expires == model[key]?.expiry.map { Date(redisMilliseconds: $0) })
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      // Another type, or other members of the same one.
      let isSame = Bool.random(using: &random)
      let type =
        (isSame ? model[key]?.type : nil) ?? Self.types[Int.random(in: 0..<5, using: &random)]
      let value = Self.value(type, &random)
      let entry = try await source.put(
        Entry(key: .null, value: value, form: type == .string ? nil : type.rawValue),
        in: ReplaceQuery(.text(key), expecting: current?.fingerprint)
      ).get()
      let held = Held(type: type, value: type.stored(value), expiry: model[key]?.expiry)
      defer { model[key] = held }
      #expect(entry.value == held.value)
      return held != model[key]
    case 4:
      try await source.delete(EntryQuery(.text(key), expecting: current?.fingerprint)).get()
      model[key] = nil
      return current != nil
    case 5, 6:
      guard current != nil else { return false }
      let expiry: Int64? =
        Bool.random(using: &random)
        ? nil : 4_102_444_800_000 + .random(in: 0..<1_000, using: &random)
      let change = ExpiryChange(
        .text(key), expires: expiry.map { Date(redisMilliseconds: $0) },
        expecting: current?.fingerprint)
      _ = try await bench.store.setExpiry(change)
      defer { model[key]?.expiry = expiry }
      return expiry != model[key]?.expiry
    case 7:
      guard let fingerprint = current?.fingerprint, key != other else { return false }
      let rename = RenameQuery(.text(key), to: .text(other), expecting: fingerprint)
      guard model[other] == nil else {
        let error = await #expect(throws: StoreError.self) {
          try await source.put(nil, in: rename).get()
        }
        #expect(error?.code == "conflict")
        return false
      }
      _ = try await source.put(nil, in: rename).get()
      model[other] = model.removeValue(forKey: key)
    default:
      // Another program is first.
      let value = "\(UInt32.random(in: 0...(.max), using: &random))"
      try await bench.client.send(.write("SET", key: RedisArgument(key), RedisArgument(value)))
      model[key] = Held(type: .string, value: .text(value), expiry: nil)
      let error = await #expect(throws: StoreError.self) {
        try await source.put(
          Entry(key: .null, value: .text("mine")),
          in: ReplaceQuery(.text(key), expecting: current?.fingerprint)
        ).get()
      }
      #expect(error?.code == "conflict")
      return false
    }
    return true
  }

  /// Compares the whole database with the model.
  private func compare(
    _ model: [String: Held], _ prefix: String, _ bench: RedisStoreBench
  ) async throws {
    let entries = try await bench.store.source.getAll(
      EntryPageQuery(prefix: prefix, limit: 100, detail: .values)
    ).get()
    #expect(entries.map { $0.key.notation(.text) } == model.keys.sorted())
    for entry in entries {
      let held = model[entry.key.notation(.text)]
      #expect(entry.value == held?.value && entry.typeName == held?.type.rawValue)
      #expect(entry.expires == held?.expiry.map { Date(redisMilliseconds: $0) })
    }
  }

  /// Returns a random value of a type.
  private static func value(
    _ type: RedisType, _ random: inout SeededGenerator
  ) -> StoredValue {
    let names = ["a", "b", "c", "é", "", "x y"].shuffled(using: &random)
      .prefix(Int.random(in: 1...6, using: &random))
    let texts = names.map { StoredValue.text($0) }
    switch type {
    case .list: return .array(texts + texts.prefix(2))
    case .set: return .array(texts)
    case .hash:
      return .dictionary(
        names.map { .init($0, .text("\(UInt8.random(in: 0...(.max), using: &random))")) })
    case .zset:
      return .dictionary(
        names.map { .init($0, .integer(Int64.random(in: -3...3, using: &random))) })
    default: return .text(names.joined())
    }
  }

  // MARK: Kills

  @Test func `a server that is killed during writes loses and tears nothing`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aof-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let options = ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always"]
    var server = try await onThread { try RedisServer(options) }
    let port = server.port
    let store = try await RedisStoreBench.open("redis://127.0.0.1:\(port)/0", server)
    let query = EntriesQuery([.text("a"), .text("b")])
    var written = 0
    for _ in 0..<Self.count("STRESS_KILLS", otherwise: 5) {
      let wanted = written + Int.random(in: 1...40)
      var restart: Task<RedisServer, any Error>?
      while written < wanted + 5 {
        do {
          let current = try await store.source.getAll(query).get()
          let changes = current.map { entry in
            EntryChange(entry.key, value: .text("\(written + 1)"), expecting: entry.fingerprint)
          }
          if written >= wanted, restart == nil {
            restart = Task { [server] in
              server.stop()
              return try await onThread { try RedisServer(port: port, options) }
            }
          }
          _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
          written += 1
        } catch let error as StoreError {
          let found = try await store.source.getAll(query).get()
          #expect(found[0].value == found[1].value, "half of a transaction was written")
          let last = if case .text(let text)? = found[0].value { Int(text) } else { Int?.none }
          #expect(last == written || error.code == "unknownOutcome" && last == written + 1)
          written = last ?? written
        }
      }
      server = try await restart?.value ?? server
    }
    server.stop()
  }
}
