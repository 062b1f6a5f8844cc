public import Harmony

/// Asks what the source underneath a timed cache holds now; nothing of it is kept.
///
/// Answered by `get` of stores with ``StoreCapabilities/cache``. The future fails with `NotFound`
/// where there is nothing.
public struct BeneathQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey

  /// Creates a query for a key.
  public init(_ key: EntryKey) {
    entryKey = key
  }

  /// A text that is different for every key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}

/// Reads entries anew into a timed cache, from the source underneath.
///
/// `putAll`, whose values are not looked at, of stores with ``StoreCapabilities/cache`` answers with
/// the entries that were read. What is not there underneath any more is not cached after that, and
/// left out of the answer.
public struct RefreshQuery: Query, Hashable {
  /// The keys of the entries.
  public var keys: [EntryKey]
  /// Where the source reports how far it is, and learns that it is to stop; no part of equality.
  public var scan: Scan?
  /// Told of each entry that was read, in order, which is nil where there is none; no part of
  /// equality.
  package var told: (@Sendable (EntryKey, Entry?) -> Void)?

  /// Creates a query for some keys.
  public init(_ keys: [EntryKey], scan: Scan? = nil) {
    self.keys = keys
    self.scan = scan
  }

  /// Whether both mean the same.
  public static func == (left: Self, right: Self) -> Bool { left.keys == right.keys }

  /// Hashes what is to be read.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

/// Takes entries out of a timed cache alone: the source underneath keeps them.
///
/// Answered by `delete` of stores with ``StoreCapabilities/cache``; what is not cached is no error.
public struct EvictionQuery: Query, Hashable {
  /// The keys of the entries.
  public var keys: [EntryKey]
  /// Where the source reports how far it is, and learns that it is to stop; no part of equality.
  public var scan: Scan?
  /// Told of each entry that is not cached any more, in order; no part of equality.
  package var told: (@Sendable (EntryKey) -> Void)?

  /// Creates a query for some keys.
  public init(_ keys: [EntryKey], scan: Scan? = nil) {
    self.keys = keys
    self.scan = scan
  }

  /// Whether both mean the same.
  public static func == (left: Self, right: Self) -> Bool { left.keys == right.keys }

  /// Hashes what is to be taken out.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

/// Asks what a timed cache has done so far.
///
/// Answered by `get` of stores with ``StoreCapabilities/cache``, with an entry that
/// ``CacheTally/init(_:)`` reads.
public struct CacheTallyQuery: Query, Hashable {
  /// Creates a query.
  public init() {}
}

/// What a timed cache has done so far.
public struct CacheTally: Sendable, Hashable {
  /// How many queries it has answered itself.
  public var hits: Int
  /// How many reads needed the source underneath.
  public var misses: Int
  /// How many entries have made room for others.
  public var evictions: Int

  /// Creates a tally.
  public init(hits: Int, misses: Int, evictions: Int) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }

  /// Reads the answer to a ``CacheTallyQuery``; nil for any other entry.
  public init?(_ entry: Entry) {
    func number(_ name: String) -> Int? {
      guard case .integer(let number)? = entry.value?.field(name) else { return nil }
      return Int(number)
    }
    guard let hits = number("hits"), let misses = number("misses"),
      let evictions = number("evictions")
    else { return nil }
    self.init(hits: hits, misses: misses, evictions: evictions)
  }

  /// The entry that an answer is.
  public var entry: Entry {
    Entry(
      key: .text("tally"),
      value: .record([
        .init("hits", .integer(Int64(hits))), .init("misses", .integer(Int64(misses))),
        .init("evictions", .integer(Int64(evictions))),
      ]))
  }

  /// The share of reads that it has answered itself, from 0 to 1; nil where there were none.
  public var hitRate: Double? {
    guard hits >= 0, misses >= 0, hits > 0 || misses > 0 else { return nil }
    return Double(hits) / (Double(hits) + Double(misses))
  }
}
