public import Harmony

/// The entries under several keys, of which some may not exist.
///
/// `getAll` answers with an entry for each key, in order, which is a key alone where there is none.
/// The answer may end early, so that many large values need not be held at once, and ends before an
/// entry that is there without a value: ask again for the keys behind its last, and for the first
/// by itself where there is no answer. Sources that do not know it answer with `QueryNotSupported`.
public struct EntriesQuery: Query, Hashable {
  /// The keys, at least one.
  public var keys: [EntryKey]
  /// The largest value that is read, in bytes; nil for any.
  ///
  /// What is larger fails before it is read, in stores that can tell.
  public var maximumSize: Int?
  /// Whether larger columns are left out of their row, which is not whole then, in stores that can.
  public var leavesOutLarge: Bool

  /// Creates a query for some keys.
  public init(_ keys: [EntryKey], maximumSize: Int? = nil, leavesOutLarge: Bool = false) {
    self.keys = keys
    self.maximumSize = maximumSize
    self.leavesOutLarge = leavesOutLarge
  }
}
