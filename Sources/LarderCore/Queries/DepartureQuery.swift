public import Harmony

/// Waits until a store is no longer there, as that of a program that has ended.
///
/// Answered by `get` of stores with ``StoreCapabilities/departs``, with an entry whose value says
/// what has happened. While it is there nothing is asked of it; cancel the future to stop waiting.
public struct DepartureQuery: Query, Hashable {
  /// Creates a query.
  public init() {}

  /// The entry that an answer is.
  public static func answer(_ reason: String) -> Entry {
    Entry(key: .text("departure"), value: .text(reason))
  }
}
