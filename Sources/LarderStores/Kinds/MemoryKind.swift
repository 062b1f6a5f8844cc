import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// Entries in memory, empty or loaded from a JSON file, for experiments.
enum MemoryKind: OpenableKind {
  static let kind = StoreKind(
    name: "memory",
    recognizedBy: "memory: as the location (empty), or memory:FILE.json (filled from a file)",
    collections: "–", keys: "names", isPersistent: false,
    types: [.text, .integer, .real, .bool, .date, .data, .null, .array, .dictionary])

  static let schemes = ["memory"]

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .scheme("memory", _) = probe.target else { return nil }
    return OpeningMessages.scheme("memory")
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    guard case .scheme(_, let seed) = probe.target else { throw probe.refusal }
    let entries = seed.isEmpty ? [] : try entries(seed)
    var capabilities: StoreCapabilities = [.ordered, .searchable, .prefixes, .types]
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : nil
    if reason == nil { capabilities.formUnion([.writable, .creates]) }
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: reason,
      source: AnyDataSource(MemoryEntrySource(entries, isReadOnly: options.isReadOnly)),
      undoSupport: MemoryUndo())
    let facts = seed.isEmpty ? [] : [OpenStore.Fact("seed", seed)]
    return OpenStore(store, evidence: evidence, facts: facts)
  }

  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let seed = Sample("seed.json", PackageResources.seed_json)
    return "memory:" + (try await seed.make(in: folder))
  }

  /// Returns the entries of a seed file: the members of a JSON object.
  static func entries(_ path: String) throws(StoreError) -> [Entry] {
    let bytes: [UInt8]
    do {
      bytes = try Self.bytes(path)
    } catch {
      guard FileManager.default.fileExists(atPath: path) else {
        throw .noSeed(path)
      }
      throw .unreadableSeed(path)
    }
    let value: StoredValue
    do {
      value = try JSONParser.parse(bytes)
    } catch {
      throw .seedNotJSON(path, error)
    }
    guard case .dictionary(let fields) = value else {
      throw .seedNotObject(path)
    }
    return fields.map { Entry(key: .text($0.name), value: $0.value) }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      // The path could be that of a database that this process holds locks on.
      return try SQLiteFile.at(path).contents()
    }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
