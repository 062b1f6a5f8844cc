public import Harmony

extension RemoteDataSource {
  /// The content to store in a timed cache.
  public struct CachedContent: Sendable, Hashable {
    /// The value.
    public var value: InspectedValue
    /// The time at which the value was fetched, in seconds since 1970.
    public var stored: Double?
    /// The expiry in seconds since 1970, or ``InspectedEntry/CachedState/never``; nil to start a
    /// new TTL now.
    public var expires: Double?

    /// Creates content for a cache; without an expiry, a new TTL starts now.
    public init(_ value: InspectedValue, stored: Double? = nil, expires: Double? = nil) {
      self.value = value
      self.stored = stored
      self.expires = expires
    }
  }

  /// Replaces or removes the cached content of an entry, if it is as expected, without accessing
  /// the backing store.
  ///
  /// The comparison and the change are atomic, even against changes by the program itself.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - content: The new content; nil to remove the entry from the cache.
  ///   - expected: The expected content.
  ///   - expires: The expected expiry in seconds since 1970; nil to accept any.
  /// - Returns: A future of the new entry; nil if it was removed. It fails with
  ///   ``InspectionError/conflict`` if the content is not as expected, and with
  ///   ``CoreError/NotImplemented`` if the source is not a cache or the program uses an older
  ///   version of the protocol.
  @discardableResult
  public func exchange(
    _ key: String, for content: CachedContent?, expecting expected: Expectation = .anything,
    expiring expires: Double? = nil
  ) -> Future<InspectedEntry?> {
    var message = expected.message
    message?.expires = expires.map(Self.bounded)
    let expected = message
    return client.ask(
      InspectionRequest(
        .exchange, source: name, query: InspectionQuery(key: key), value: content?.value,
        expected: expected, stored: content?.stored.map(Self.bounded),
        expires: content?.expires.map(Self.bounded)), since: 3
    )
    .map { $0.entry }
  }

  /// Returns the version of the protocol in use with the program.
  ///
  /// - Returns: A future of the version, which fails if the program does not answer.
  package func version() -> Future<Int> { client.version() }

  /// Returns a time clamped to numbers that JSON can represent.
  private static func bounded(_ time: Double) -> Double {
    let never = InspectedEntry.CachedState.never
    return time.isNaN ? never : min(max(time, -never), never)
  }
}
