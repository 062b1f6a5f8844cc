package import Foundation

extension Entry {
  /// Until when the entry counts, for another store to give it as long: the distant future for ever;
  /// nil where its store has not said that.
  package func countsUntil(in store: Store) -> Date? {
    // Of what a cache does not have nothing is known.
    let isEndless = expires == nil && modified != nil && store.capabilities.contains(.cache)
    return isEndless ? .distantFuture : expires
  }

  /// Whether a cache counts the entry until a time, as far as programs are exact about that; the
  /// distant future is for ever.
  package func counts(until time: Date) -> Bool {
    if time == .distantFuture { return expires == nil && modified != nil }
    return expires.map { abs($0.timeIntervalSince(time)) < 1 } ?? false
  }
}
