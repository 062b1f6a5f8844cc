public import Harmony

/// Asks what a write under a key takes the place of.
///
/// Answered by `get` of stores where that is not always what is shown: of a timed cache that writes
/// through, it is what the source underneath holds, which may be newer than what is cached. Where
/// nothing is underneath it is what is cached alone. The future fails with `NotFound` where there is
/// neither.
public struct WriteBaseQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey

  /// Creates a query for a key.
  public init(_ key: EntryKey) {
    entryKey = key
  }

  /// A text that is different for every key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}
