package import Foundation

/// The operations of a cache other than reading and writing.
///
/// They are safe to call from any thread and leave the backing store unchanged.
package protocol CacheService: Sendable {
  /// Returns the current entry of the backing store, without caching it.
  ///
  /// - Returns: The entry, or nil if there is none.
  func backing(_ key: EntryKey) async throws -> Entry?

  /// Returns the entry that a write replaces: that of the backing store, which may be newer than
  /// the cached one, or the cached entry if the backing store has none.
  ///
  /// - Returns: The entry, or nil if there is none in either.
  func base(_ key: EntryKey) async throws -> Entry?

  /// Refreshes entries one by one from the backing store.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - scan: The scan that reports progress and can stop the operation.
  ///   - told: Called with each key and its cached entry, or nil if the backing store has none.
  /// - Returns: The refreshed entries that exist.
  /// - Throws: ``StoreError`` with the number of entries already refreshed, or `CancellationError`
  ///   if it was stopped.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry]

  /// Evicts entries one by one, ignoring keys that are not cached.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - scan: The scan that reports progress and can stop the operation.
  ///   - told: Called with each key that is no longer cached.
  /// - Throws: ``StoreError`` with the number of entries already evicted, or `CancellationError` if
  ///   it was stopped.
  func evict(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey) -> Void
  ) async throws

  /// Returns the hits, misses and evictions of the cache so far.
  func tally() async throws -> CacheTally

  /// Returns the reason why cached entries cannot be restored, or nil if they can.
  func exchangeObstacle() async throws -> String?

  /// Replaces cached entries one by one.
  ///
  /// - Parameters:
  ///   - exchanges: The replacements.
  ///   - told: Called with each key whose cached entry was replaced. An entry that does not match
  ///     the
  ///     expected one is left unchanged, which is an error only if none were replaced.
  /// - Returns: The entries that are now cached.
  /// - Throws: ``StoreError/conflict(current:)`` if a cached entry does not match the expected one.
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

/// A conditional replacement of a cached entry.
package struct CacheExchange: Sendable, Hashable {
  package var entryKey: EntryKey
  /// The expected cached entry; nil if there must be none.
  package var expected: CachedValue?
  /// The new cached entry; nil to remove it.
  package var new: CachedValue?

  package init(_ key: EntryKey, expecting expected: CachedValue?, new: CachedValue?) {
    entryKey = key
    self.expected = expected
    self.new = new
  }
}

/// A cached value with its storage form and times.
package struct CachedValue: Sendable, Hashable {
  package var value: StoredValue
  /// The storage form of the value, as in ``Entry/form``.
  package var form: String?
  /// The times of the cached value.
  ///
  /// If they are nil, an expected value may have any times, and a new value is treated as if it had
  /// just been read.
  package var times: Times?

  package init(_ value: StoredValue, form: String? = nil, times: Times? = nil) {
    self.value = value
    self.form = form
    self.times = times
  }

  /// Creates the cached value of an entry, or returns nil if the entry has no value.
  package init?(_ entry: Entry) {
    guard let value = entry.value else { return nil }
    self.init(value, form: entry.form, times: Times(stored: entry.modified, expires: entry.expires))
  }

  /// The time at which a value was cached, and its expiry.
  package struct Times: Sendable, Hashable {
    /// The time at which it was fetched or written, if known.
    package var stored: Date?
    /// The expiry; nil if it never expires.
    package var expires: Date?

    package init(stored: Date?, expires: Date?) {
      self.stored = stored
      self.expires = expires
    }
  }

  /// The tolerance for comparing expiries, in seconds.
  private static let precision = 0.001

  /// Whether a cached value matches this expectation.
  package func isMet(by found: CachedValue?) -> Bool {
    guard let found, found.value == value, found.form == form else { return false }
    guard let times else { return true }
    guard let expires = times.expires, let end = found.times?.expires else {
      return found.times.map { $0.expires == times.expires } ?? false
    }
    return abs(expires.timeIntervalSince(end)) <= Self.precision
  }
}

/// The statistics of a cache.
public struct CacheTally: Sendable, Hashable {
  /// The number of queries answered from the cache.
  public var hits: Int
  /// The number of reads that needed the backing store.
  public var misses: Int
  /// The number of entries evicted to make room for others.
  public var evictions: Int

  /// Creates statistics.
  public init(hits: Int, misses: Int, evictions: Int) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }

  /// The share of reads answered from the cache, from 0 to 1; nil if there were none.
  public var hitRate: Double? {
    guard hits >= 0, misses >= 0, hits > 0 || misses > 0 else { return nil }
    return Double(hits) / (Double(hits) + Double(misses))
  }
}
