public import Harmony

/// A query for one key of a Redis server, with an expiry of its own.
///
/// Reading and deleting ignore the expiry, and so do other sources.
///
/// ```swift
/// try await sessions.put("token", in: RedisKeyQuery("42", expiry: .after(.seconds(60)))).get()
/// ```
public struct RedisKeyQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public let key: String

  /// The expiry of the entry when it is written.
  public let expiry: RedisExpiry

  /// Creates a query for a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expiry: The expiry of the entry when it is written.
  public init(_ key: String, expiry: RedisExpiry) {
    self.key = key
    self.expiry = expiry
  }
}
