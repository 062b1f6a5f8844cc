package import Foundation
import Harmony

/// Puts something else, or nothing, in the place of what a timed cache holds of entries; the source
/// underneath is not touched.
///
/// `putAll`, whose values are not looked at, of stores with ``StoreCapabilities/cache`` answers with
/// the entries that are cached then. It fails with ``StoreError/conflict(current:)`` where something
/// else is cached than expected, and with ``StoreError/notSupported(_:)``, also for no entry at all,
/// where a program cannot do it.
package struct CacheExchangesQuery: Query, Hashable {
  /// What is exchanged, one after the other.
  package var exchanges: [CacheExchange]
  /// Told of each key in whose place something else is now; no part of equality.
  ///
  /// With it what is not as expected is left as it is, and the query fails where that is all.
  package var told: (@Sendable (EntryKey) -> Void)?

  package init(_ exchanges: [CacheExchange]) {
    self.exchanges = exchanges
  }

  package static func == (left: Self, right: Self) -> Bool { left.exchanges == right.exchanges }

  package func hash(into hasher: inout Hasher) { hasher.combine(exchanges) }
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
  /// Since when and until when it counts; nil for any time where it is expected, and as if it were
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

  /// Since when something cached counts, and until when.
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
