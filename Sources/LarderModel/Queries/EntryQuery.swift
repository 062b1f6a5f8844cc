public import Harmony

/// A single entry by its typed key.
///
/// `get` returns the complete entry. `delete` deletes it; with `expecting`, only if it is
/// unchanged, and otherwise the future fails with ``StoreError/conflict(current:)`` and nothing is
/// deleted.
public struct EntryQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey
  /// The expected fingerprint for a delete, or nil to delete unconditionally.
  public var expecting: Fingerprint?
  /// The maximum size of a value for `get`, in bytes; nil for no limit.
  ///
  /// A larger value fails before it is read, if the store can tell.
  public var maximumSize: Int?
  /// Whether `get` also reads the file with a row's value, in stores that have large values in
  /// files.
  ///
  /// Otherwise, and if the file is missing or larger than ``maximumSize``, the entry is the row
  /// alone and not whole. The fingerprint is always that of the row.
  public var readsFiles: Bool

  /// Creates a query for one entry.
  public init(
    _ key: EntryKey, expecting: Fingerprint? = nil, maximumSize: Int? = nil,
    readsFiles: Bool = false
  ) {
    entryKey = key
    self.expecting = expecting
    self.maximumSize = maximumSize
    self.readsFiles = readsFiles
  }

  /// The maximum size of a value to show, or to change with undo, in bytes.
  package static let usualMaximumSize = 64 << 20

  /// A string that is unique to the key, for sources with string keys.
  public var key: String { entryKey.cacheKey }
}

/// A check for the existence of an entry, regardless of its value.
///
/// It is answered by `get` with the entry as it appears in a list, and fails like an ``EntryQuery``
/// if there is none. Sources that would have to read the value answer with `QueryNotSupported`.
public struct PresenceQuery: Query, Hashable {
  /// The key.
  public var entryKey: EntryKey

  /// Creates a query for a key.
  public init(_ key: EntryKey) {
    entryKey = key
  }
}

/// A conditional write of a single entry.
///
/// `put` writes the entry's value under the key and returns the entry as stored. If the store's
/// entry does not match `expecting`, nothing is written and the future fails with
/// ``StoreError/conflict(current:)``.
public struct ReplaceQuery: KeyQuery, Hashable {
  /// The key to write.
  public var entryKey: EntryKey
  /// The expected fingerprint, or nil if the key must not exist.
  public var expecting: Fingerprint?

  /// Creates a query for a compare-and-swap.
  public init(_ key: EntryKey, expecting: Fingerprint?) {
    entryKey = key
    self.expecting = expecting
  }

  /// A string that is unique to the key, for sources with string keys.
  public var key: String { entryKey.cacheKey }
}

/// All entries whose keys have a prefix, to be deleted atomically if the store has transactions.
public struct PrefixQuery: Query, Hashable {
  /// The prefix of the keys, compared by bytes.
  public var prefix: String
  /// The scan in which a delete reports the number of deleted entries as `examined`; ignored by
  /// equality.
  public var scan: Scan?

  /// Creates a query for a prefix.
  public init(_ prefix: String, scan: Scan? = nil) {
    self.prefix = prefix
    self.scan = scan
  }

  /// Whether both queries have the same prefix.
  public static func == (left: Self, right: Self) -> Bool {
    left.prefix.hasBytes(of: right.prefix)
  }

  /// Feeds the bytes of the prefix to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(prefix.utf8))
  }
}

/// The number of entries, answered by `get` with an entry whose value is an integer.
///
/// Counting can be slow in a large store; cancel the future to stop it. A scan with a budget ends
/// it early: if the scan is not complete, the result is the number counted so far.
public struct CountQuery: Query {
  /// The required precision.
  public enum Precision: Sendable, Hashable {
    /// A number that is available immediately, or `QueryNotSupported` if there is none.
    ///
    /// The answer is whole if the number is exact.
    case estimate
    /// The exact number.
    case exact
  }

  /// The prefix of the keys to include, compared by bytes.
  public var prefix: String
  /// The filter that the entries must match.
  public var filter: EntryFilter?
  /// The required precision.
  public var precision: Precision
  /// Whether to add up the sizes of the values in the answer's `size`, which is nil if they are
  /// unknown.
  public var measures: Bool
  /// The scan that receives progress.
  public var scan: Scan?

  /// Creates a query for a number of entries.
  public init(
    prefix: String = "", filter: EntryFilter? = nil, precision: Precision = .exact,
    measures: Bool = false, scan: Scan? = nil
  ) {
    self.prefix = prefix
    self.filter = filter
    self.precision = precision
    self.measures = measures
    self.scan = scan
  }

  /// Returns the entry for an answer, with the number and, if known, the total size of the values.
  public static func answer(_ count: Int, bytes: Int? = nil, isExact: Bool = true) -> Entry {
    var entry = Entry(
      key: .text("count"), preview: .integer(Int64(count)), type: .integer, size: bytes)
    entry.isWhole = isExact
    return entry
  }
}
