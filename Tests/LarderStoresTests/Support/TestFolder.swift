import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Synchronization
import Testing

/// A temporary folder that is deleted with this object.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/larder-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Creates a file and returns its path.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Creates or changes a database with a script and returns its path.
  func database(_ script: String, name: String = "test.db") async throws -> String {
    let connection = SQLiteConnection(path: file(name), access: .creating)
    try await connection.perform { try $0.execute(script) }
    connection.close()
    return file(name)
  }

  /// Returns the sorted names in the folder, including hidden files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
}

extension Stores {
  /// Opens the store of a collection.
  static func store(
    _ path: String, _ collection: String? = nil, options: OpenOptions = OpenOptions()
  ) async throws -> Store {
    try await open(StoreLocation(path: path), options: options).store(collection)
  }
}

extension Store {
  /// Returns all keys, read in pages of a given size.
  func keys(
    pages: Int = 3, direction: EntryPageQuery.Direction = .forward, prefix: String = "",
    filter: EntryFilter? = nil
  ) async throws -> [EntryKey] {
    var keys: [EntryKey] = []
    var after: EntryKey?
    while true {
      let query = EntryPageQuery(
        prefix: prefix, filter: filter, after: after, limit: pages, direction: direction)
      let page = try await source.getAll(query).get()
      keys += page.map(\.key)
      guard page.count >= pages, let last = page.last else { return keys }
      after = last.key
    }
  }

  /// Returns the value of a key.
  func value(_ key: EntryKey) async throws -> StoredValue? {
    try await source.get(EntryQuery(key)).get().value
  }

  /// Returns and clears the store's warnings about its writes.
  func said() throws -> String {
    try #require(warnings).take().joined(separator: "\n")
  }

  /// Writes a value unconditionally.
  @discardableResult
  func set(_ value: StoredValue, _ key: EntryKey) async throws -> Entry {
    try await source.put(Entry(key: key, value: value), in: EntryQuery(key)).get()
  }
}

/// Returns the rows of a query.
func rows(_ path: String, _ sql: String) async throws -> [[SQLiteValue]] {
  try await SQLiteConnection(path: path).perform { try $0.rows(sql) }
}

/// Returns the error message of some work, or nil if it succeeds.
func refusal(_ work: () async throws -> Void) async -> String? {
  do {
    try await work()
    return nil
  } catch {
    return StoreError(error).message
  }
}

/// A thread-safe counter that starts at 0.
final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension Sequence {
  /// Maps the elements sequentially.
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
