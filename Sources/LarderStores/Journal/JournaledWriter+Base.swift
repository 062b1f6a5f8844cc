import Harmony
import LarderCore

/// What a step takes the place of, which is what it is undone with: of a cache that writes through
/// not what is cached, which may be older.
extension JournaledWriter {
  /// Whether what is shown may be another than what a write takes the place of.
  private var hasBases: Bool { kind == LiveKind.kind }

  /// What a write under a key takes the place of; nil where there is nothing.
  func base(_ key: EntryKey) async throws -> Entry? {
    guard hasBases else { return try await source.entry(key) }
    do {
      return try await source.get(WriteBaseQuery(key)).getCancelling()
    } catch is CoreError.NotFound {
      return nil
    } catch is CoreError.QueryNotSupported {
      return try await source.entry(key)
    }
  }

  /// Reads what writes under some keys take the place of, in order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - take: Called with the place of each key and its entry, nil where there is none. What it
  ///     throws ends the reading.
  /// - Throws: What the source throws for the key behind the last that was taken.
  func forEachBase(
    _ keys: [EntryKey], _ take: (Int, Entry?) throws -> Void
  ) async throws {
    guard hasBases else { return try await source.forEachEntry(keys, take) }
    for (place, key) in keys.enumerated() { try take(place, try await base(key)) }
  }

  /// What writes take the place of under the keys of entries that are shown.
  func bases(of shown: [Entry]) async throws -> [Entry] {
    guard hasBases else { return shown }
    var bases: [Entry] = []
    for entry in shown {
      if let base = try await base(entry.key) { bases.append(base) }
    }
    return bases
  }
}
