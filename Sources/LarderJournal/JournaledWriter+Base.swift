import Harmony
import LarderCore

/// What a step takes the place of, which is what it is undone with: of a cache that writes through
/// not what is cached, which may be older.
extension JournaledWriter {
  /// What a write under a key takes the place of; nil where there is nothing.
  ///
  /// Where the journal keeps its value, one that is too large is refused before it is read; of a
  /// rename it keeps digests alone.
  func base(_ key: EntryKey, isKept: Bool = true) async throws -> Entry? {
    if let cache { return try await cache.base(key) }
    return try await source.entry(key, maximumSize: isKept ? journal.limit : nil)
  }

  /// Reads what writes under some keys take the place of, in order.
  func forEachBase(
    _ keys: [EntryKey], areKept: Bool = true, _ take: (Int, Entry?) throws -> Void
  ) async throws {
    guard let cache else {
      let maximumSize = areKept ? journal.limit : nil
      return try await source.forEachEntry(keys, maximumSize: maximumSize, take)
    }
    for (place, key) in keys.enumerated() { try take(place, try await cache.base(key)) }
  }

  /// What writes take the place of under the keys of entries that are shown whole, which is to be just
  /// that.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` where something newer is underneath.
  func bases(of shown: [Entry]) async throws -> [Entry] {
    guard cache != nil else { return shown }
    var bases: [Entry] = []
    for entry in shown {
      guard let base = try await base(entry.key) else { continue }
      guard base.fingerprint == entry.fingerprint else {
        throw StoreError.conflict(current: base)
      }
      bases.append(base)
    }
    return bases
  }

  /// Whether a value is there already, so that to write it would change nothing: also where a cache
  /// does not hold it now.
  func isThere(_ value: StoredValue, _ base: Entry?) async throws -> Bool {
    guard let base, base.value == value else { return false }
    guard cache != nil, let shown = try await source.entry(base.key) else { return true }
    return shown.value == value
  }
}
