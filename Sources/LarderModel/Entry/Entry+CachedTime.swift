package import Foundation
import Harmony

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

extension Store {
  /// The value of an entry of another store, which is to expire here at the same instant as there.
  ///
  /// - Parameters:
  ///   - value: The value, as it was there.
  ///   - expires: When it expires; the distant future for never, nil where nothing says that.
  ///   - key: The key of the entry, which a refusal names.
  /// - Returns: The value, with that instant as this store stores it.
  /// - Throws: ``StoreError`` where the store cannot hold exactly that instant.
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
