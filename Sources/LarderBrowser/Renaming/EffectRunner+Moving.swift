import LarderDocuments
import LarderModel
import LarderOperations
import Foundation
import Harmony

extension EffectRunner {
  /// Gives several entries other keys in one step, if they are what was marked.
  ///
  /// - Returns: The new keys.
  func rename(
    _ items: [Rename.Item], in opened: StoreRegistry.Opened, _ scan: Scan
  ) async throws -> [EntryKey] {
    let rename = Rename(in: opened.store)
    let renames = try await rename.renames(of: items, scan)
    defer { opened.cache.evictAll() }
    return try await rename.run(renames, scan).map(\.key)
  }

  /// Adds an entry that is like another one under a free key.
  func duplicate(_ query: RenameQuery, in opened: StoreRegistry.Opened) async throws -> Entry {
    let source = opened.store.source
    guard let entry = try await source.entry(query.entryKey), let value = entry.value,
      entry.fingerprint == query.expecting
    else { throw StoreError.conflict(current: try await source.entry(query.entryKey)) }
    if let obstacle = entry.copyObstacle {
      throw StoreError.notSupported(
        "\(entry.key.spoken) cannot be duplicated: \(obstacle); nothing was written")
    }
    if let taken = try await source.entry(query.newKey) {
      throw StoreError.conflict(current: taken)
    }
    let copy = Entry(key: query.newKey, value: value, form: entry.form)
    return try await opened.cache.put(copy, in: ReplaceQuery(query.newKey, expecting: nil)).get()
  }
}
