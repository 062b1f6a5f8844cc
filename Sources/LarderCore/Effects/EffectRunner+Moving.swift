import Foundation
import Harmony

extension EffectRunner {
  /// Gives several entries other keys in one step, if they are what was marked.
  ///
  /// - Returns: The new keys.
  func rename(
    _ renames: [MarkedRenameModel.Rename], in opened: StoreRegistry.Opened
  ) async throws -> [EntryKey] {
    let arePaths = opened.store.kind.keysArePaths
    var queries: [RenameQuery] = []
    try await opened.store.source.forEachEntry(renames.map(\.key)) { place, entry in
      let rename = renames[place]
      guard let entry else { throw StoreError.conflict(current: nil) }
      guard let fingerprint = entry.fingerprint else {
        throw StoreError.notSupported("\(rename.key.spoken) cannot be read, and is not renamed")
      }
      guard fingerprint == rename.expecting ?? fingerprint else {
        throw StoreError.conflict(current: entry)
      }
      guard rename.newKey != rename.key else { return }
      queries.append(
        RenameQuery(
          entry.key, to: arePaths ? rename.newKey.exactPath : rename.newKey,
          expecting: fingerprint))
    }
    _ = try await opened.cache.putAll([], in: RenamesQuery(queries)).get()
    return queries.map(\.newKey)
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
