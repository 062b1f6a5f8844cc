package import Foundation

/// What a timed cache over another source can do beside reading and writing.
///
/// Safe from any thread. The backing store stays as it is.
package protocol CacheService: Sendable {
  /// What the backing store holds under a key now, of which nothing is cached.
  ///
  /// - Returns: nil where there is nothing.
  func backing(_ key: EntryKey) async throws -> Entry?

  /// What a write under a key replaces: the backing store, which may be newer than what is cached, and
  /// where there is nothing, what is cached.
  ///
  /// - Returns: nil where there is neither.
  func base(_ key: EntryKey) async throws -> Entry?

  /// Reads entries from the backing store into the cache, one after the other.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - scan: Where progress is reported, and where it is stopped.
  ///   - told: Called with each key and what is cached then; nil where there is nothing in the backing store.
  /// - Returns: The entries that there are, as cached.
  /// - Throws: ``StoreError`` that says how many were refreshed before, and `CancellationError` where
  ///   it was stopped.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry]

  /// Evicts entries from the cache, one after the other; what is not cached is no error.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - scan: Where progress is reported, and where it is stopped.
  ///   - told: Called with each key that is not cached any more.
  /// - Throws: ``StoreError`` that says how many were evicted before, and `CancellationError` where it
  ///   was stopped.
  func evict(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey) -> Void
  ) async throws

  /// The hits, misses and evictions of the cache so far.
  func tally() async throws -> CacheTally

  /// Why what was cached cannot be put back; nil where it can.
  func exchangeObstacle() async throws -> String?

  /// Replaces what is cached, one entry after the other.
  ///
  /// - Parameters:
  ///   - exchanges: What is replaced by what.
  ///   - told: Called with each key of which something else is cached then. Entries that are not as
  ///     expected stay as they are, which is an error where that is all.
  /// - Returns: The entries that are cached then.
  /// - Throws: ``StoreError/conflict(current:)`` where something else is cached than expected.
  func exchange(
    _ exchanges: [CacheExchange], told: @escaping @Sendable (EntryKey) -> Void
  ) async throws -> [Entry]
}

extension CacheService {
  package func refresh(_ keys: [EntryKey], _ scan: Scan? = nil) async throws -> [Entry] {
    try await refresh(keys, scan) { _, _ in }
  }

  package func evict(_ keys: [EntryKey], _ scan: Scan? = nil) async throws {
    try await evict(keys, scan) { _ in }
  }
}

/// What takes the place of what a timed cache holds of one entry.
package struct CacheExchange: Sendable, Hashable {
  package var entryKey: EntryKey
  /// What has to be cached; nil if nothing may be.
  package var expected: CachedValue?
  /// What is cached then; nil for nothing.
  package var new: CachedValue?

  package init(_ key: EntryKey, expecting expected: CachedValue?, new: CachedValue?) {
    entryKey = key
    self.expected = expected
    self.new = new
  }
}

/// What a timed cache holds of an entry.
package struct CachedValue: Sendable, Hashable {
  package var value: StoredValue
  /// How it is kept, as ``Entry/form`` says it.
  package var form: String?
  /// Since when and when it expires; nil for any time where it is expected, and as if it were
  /// read now where it is new.
  package var times: Times?

  package init(_ value: StoredValue, form: String? = nil, times: Times? = nil) {
    self.value = value
    self.form = form
    self.times = times
  }

  /// What is cached of an entry that was read; nil where it has no value.
  package init?(_ entry: Entry) {
    guard let value = entry.value else { return nil }
    self.init(value, form: entry.form, times: Times(stored: entry.modified, expires: entry.expires))
  }

  /// Since when something cached counts, and when.
  package struct Times: Sendable, Hashable {
    /// When it was fetched or written, where that is known.
    package var stored: Date?
    /// When it ends; nil for never.
    package var expires: Date?

    package init(stored: Date?, expires: Date?) {
      self.stored = stored
      self.expires = expires
    }
  }

  /// How far two answers about one end may be apart, in seconds.
  private static let precision = 0.001

  /// Whether something that is cached is this, whose times may be any.
  package func isMet(by found: CachedValue?) -> Bool {
    guard let found, found.value == value, found.form == form else { return false }
    guard let times else { return true }
    guard let expires = times.expires, let end = found.times?.expires else {
      return found.times.map { $0.expires == times.expires } ?? false
    }
    return abs(expires.timeIntervalSince(end)) <= Self.precision
  }
}

/// What a timed cache has done so far.
public struct CacheTally: Sendable, Hashable {
  /// How many queries it has answered itself.
  public var hits: Int
  /// How many reads needed the backing store.
  public var misses: Int
  /// How many entries have made room for others.
  public var evictions: Int

  /// Creates a tally.
  public init(hits: Int, misses: Int, evictions: Int) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }

  /// The share of reads that it has answered itself, from 0 to 1; nil where there were none.
  public var hitRate: Double? {
    guard hits >= 0, misses >= 0, hits > 0 || misses > 0 else { return nil }
    return Double(hits) / (Double(hits) + Double(misses))
  }
}
