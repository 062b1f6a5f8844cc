package import Foundation
import Harmony

extension Entry {
  /// Returns the expiry to give to a copy of the entry in another store.
  ///
  /// The distant future means that the entry never expires, and nil that its store has not recorded
  /// an expiry.
  package func expiresAt(in store: Store) -> Date? {
    // Without a modification time, the entry is not in the cache and its expiry is unknown.
    let isEndless = expires == nil && modified != nil && store.capabilities.contains(.cache)
    return isEndless ? .distantFuture : expires
  }

  /// Returns the entry with an expiry that a TTL gives it from its last write, unless it has one.
  package func timed(_ timeToLive: Duration?) -> Entry {
    guard let timeToLive, expires == nil, let modified else { return self }
    var entry = self
    entry.expires = modified.addingTimeInterval(timeToLive.inSeconds)
    return entry
  }

  /// Whether the entry in a cache has the given expiry, to within a second.
  ///
  /// The distant future means that it never expires.
  package func counts(until time: Date) -> Bool {
    if time == .distantFuture { return expires == nil && modified != nil }
    return expires.map { abs($0.timeIntervalSince(time)) < 1 } ?? false
  }
}

extension Store {
  /// Returns the value of another store's entry with its expiry in this store's representation.
  ///
  /// - Parameters:
  ///   - value: The value in the other store.
  ///   - expires: The expiry; the distant future if it never expires, nil if it is not recorded.
  ///   - key: The key of the entry, for error messages.
  /// - Returns: The value, including the expiry if this store keeps that with the value.
  /// - Throws: ``StoreError`` if the store cannot represent the expiry exactly.
  package func value(
    _ value: StoredValue, until expires: Date?, of key: EntryKey
  ) async throws -> StoredValue {
    guard let expiry else { return value }
    do {
      return try await expiry.value(value, expiringExactly: expires)
    } catch StoreError.notSupported(let reason) {
      throw StoreError.notSupported("\(key.spoken): \(reason)")
    }
  }
}
