public import Harmony

/// One entry by its typed key.
///
/// `get` reads it whole. `delete` removes it; with `expecting`, only if the store still holds what
/// was read, else the future fails with ``StoreError/conflict(current:)`` and nothing is deleted.
public struct EntryQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey
  /// What the store must hold for a delete to happen, or nil for anything.
  public var expecting: Fingerprint?
  /// The largest value that `get` reads, in bytes; nil for any.
  ///
  /// What is larger fails before it is read, in stores that can tell.
  public var maximumSize: Int?
  /// Whether `get` also reads the file that holds the value of a row, where the store keeps large
  /// values so.
  ///
  /// Without it, or where that file is missing or larger than ``maximumSize``, such an entry is its row
  /// alone, and not whole. The fingerprint is that of the row in any case.
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

  /// The largest value that is read to be shown, or to be changed so that it can be undone.
  package static let usualMaximumSize = 64 << 20

  /// A text that is different for every key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}

/// Whether there is an entry under a key, whatever its value.
///
/// Answered by `get` with the entry as a list has it, or as ``EntryQuery`` is where there is none.
/// Sources that have to read the value anyway answer with `QueryNotSupported`.
public struct PresenceQuery: Query, Hashable {
  /// The key.
  public var entryKey: EntryKey

  /// Creates a query for a key.
  public init(_ key: EntryKey) {
    entryKey = key
  }
}

/// A write that happens only if the store still holds what was read.
///
/// `put` writes the entry's value under the key and answers with the entry as stored. The future
/// fails with ``StoreError/conflict(current:)``, and nothing is written, where the store holds
/// something else than `expecting`.
public struct ReplaceQuery: KeyQuery, Hashable {
  /// The key to write under.
  public var entryKey: EntryKey
  /// What the store must hold, or nil: the key must not exist.
  public var expecting: Fingerprint?

  /// Creates a query for a compare-and-swap.
  public init(_ key: EntryKey, expecting: Fingerprint?) {
    entryKey = key
    self.expecting = expecting
  }

  /// A text that is different for every key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}

/// All entries whose keys start with a text: deleted in one step where the store has transactions.
public struct PrefixQuery: Query, Hashable {
  /// The start of the keys, byte by byte.
  public var prefix: String
  /// Where a delete reports, as `examined`, how many entries it deleted; no part of equality.
  public var scan: Scan?

  /// Creates a query for a prefix.
  public init(_ prefix: String, scan: Scan? = nil) {
    self.prefix = prefix
    self.scan = scan
  }

  /// Whether both mean the same keys.
  public static func == (left: Self, right: Self) -> Bool {
    left.prefix.hasBytes(of: right.prefix)
  }

  /// Hashes the bytes of the prefix.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(prefix.utf8))
  }
}

/// The number of entries, answered by `get` with an entry whose value is an integer.
///
/// Can take long on a large store; cancel the future to stop it. A scan with a budget ends it early:
/// where that says that it is not complete, the number is what was counted until then.
public struct CountQuery: Query {
  /// How exact the number has to be.
  public enum Precision: Sendable, Hashable {
    /// What the store can say at once; the future fails with `QueryNotSupported` if it cannot. The
    /// answer says that it is whole where it is the true number.
    case estimate
    /// The true number.
    case exact
  }

  /// Only keys whose text starts with these bytes.
  public var prefix: String
  /// Only entries that match.
  public var filter: EntryFilter?
  /// How exact the number has to be.
  public var precision: Precision
  /// Whether the bytes that the values take are added up, too: the `size` of the answer, which has
  /// none where the store does not know.
  public var measures: Bool
  /// Where the source reports how far it is.
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

  /// The entry that carries the number, and the bytes of the values where they are known.
  public static func answer(_ count: Int, bytes: Int? = nil, isExact: Bool = true) -> Entry {
    var entry = Entry(
      key: .text("count"), preview: .integer(Int64(count)), type: .integer, size: bytes)
    entry.isWhole = isExact
    return entry
  }
}
