public import Harmony

/// The entries for several keys, including keys that may not exist.
///
/// It is answered by `getAll` with an entry for each key, in order; for a key that does not exist,
/// the entry is the key alone. The answer may end early to limit the memory for large values, and
/// it ends before an entry that exists without a value. Query again for the keys after the last
/// answer, and for the first key individually if the answer is empty. Sources that do not support
/// the query answer with `QueryNotSupported`.
public struct EntriesQuery: Query, Hashable {
  /// The keys, at least one.
  public var keys: [EntryKey]
  /// The maximum size of a value to read, in bytes; nil for no limit.
  ///
  /// A larger value fails before it is read, if the store can tell.
  public var maximumSize: Int?
  /// Whether to omit larger columns from their row, which is then not whole, if the store can do
  /// that.
  public var leavesOutLarge: Bool

  /// Creates a query for some keys.
  public init(_ keys: [EntryKey], maximumSize: Int? = nil, leavesOutLarge: Bool = false) {
    self.keys = keys
    self.maximumSize = maximumSize
    self.leavesOutLarge = leavesOutLarge
  }
}
