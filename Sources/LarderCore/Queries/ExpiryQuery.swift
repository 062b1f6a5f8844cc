public import Foundation
public import Harmony

/// Says until when an entry counts, and leaves the rest of it as it is.
///
/// `put`, whose value is not looked at, writes the moment as the store keeps such moments and
/// answers with the entry as stored. The future fails with ``StoreError/conflict(current:)``, and
/// nothing is written, where the entry is missing or is not what is expected; with
/// ``StoreError/notSupported(_:)`` where the store has no way to say it.
public struct ExpiryQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey
  /// When it expires; nil for never.
  public var expires: Date?
  /// What the store must hold; nil for what it holds when the expiry is written.
  public var expecting: Fingerprint?

  /// Creates a query for an expiry.
  public init(_ key: EntryKey, expires: Date?, expecting: Fingerprint? = nil) {
    entryKey = key
    self.expires = expires
    self.expecting = expecting
  }

  /// A text that is different for every key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}

/// Says until when several entries count, in one step.
///
/// `putAll`, whose values are not looked at, writes as ``ExpiryQuery`` does, all or none where the
/// store has transactions. `getAll` writes nothing: it answers with the entries as they would be
/// written, each with the fingerprint of what is there.
public struct ExpiriesQuery: Query, Hashable {
  /// What to write, in order; no two with one key.
  public var expiries: [ExpiryQuery]
  /// Where the source reports how far it is, and learns that it is to stop; no part of equality.
  public var scan: Scan?

  /// Creates a query for several expiries.
  public init(_ expiries: [ExpiryQuery], scan: Scan? = nil) {
    self.expiries = expiries
    self.scan = scan
  }

  /// Whether both mean the same.
  public static func == (left: Self, right: Self) -> Bool { left.expiries == right.expiries }

  /// Hashes what is to be written.
  public func hash(into hasher: inout Hasher) { hasher.combine(expiries) }
}

/// Asks what a value is with an expiry, where a store takes that with the value, as in a column.
///
/// `get` answers with an entry of the value and of the form that says it, if any does; nothing is read
/// or written. The future fails with ``StoreError/notSupported(_:)`` where the store has no way to say
/// it.
public struct TimedValueQuery: Query, Hashable {
  /// The value.
  public var value: StoredValue
  /// When it is to expire; nil for never.
  public var expires: Date?

  /// How it is kept apart from that, as ``Entry/form`` says it.
  public var form: String?
  /// Whether the value is that of an entry of another store, and is to stay as it is where it says
  /// that moment already: then the distant future is never, and nil that nothing says it.
  public var isFromElsewhere = false

  /// Creates a query for a value.
  public init(
    _ value: StoredValue, expires: Date?, form: String? = nil, isFromElsewhere: Bool = false
  ) {
    self.value = value
    self.expires = expires
    self.form = form
    self.isFromElsewhere = isFromElsewhere
  }
}
