public import Harmony

extension RemoteDataSource {
  /// What a timed cache is to hold of an entry.
  public struct CachedContent: Sendable, Hashable {
    /// The value.
    public var value: InspectedValue
    /// When it was fetched, in seconds since 1970.
    public var stored: Double?
    /// When it ends, in seconds since 1970, ``InspectedEntry/CachedState/never`` for never; nil where
    /// it counts from now on, as if it were fetched now.
    public var expires: Double?

    /// Describes what is to be cached; without an end it counts from now on.
    public init(_ value: InspectedValue, stored: Double? = nil, expires: Double? = nil) {
      self.value = value
      self.stored = stored
      self.expires = expires
    }
  }

  /// Puts something else, or nothing, in the place of what a timed cache holds of an entry, if that
  /// is as expected; the backing store is not touched.
  ///
  /// Nobody comes between the look and the change, the program itself neither.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - content: What is cached then; nil for nothing.
  ///   - expected: What has to be cached.
  ///   - expires: When that has to end, in seconds since 1970; nil for any time.
  /// - Returns: A future of the entry as it is then, nil where nothing is cached. It fails with
  ///   ``InspectionError/conflict`` where something else is, and with ``CoreError/NotImplemented``
  ///   for a source that is no cache, or a program that speaks an older version of the protocol.
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

  /// The version of the protocol that is spoken with the program.
  ///
  /// - Returns: A future of the number, that fails where nobody answers.
  package func version() -> Future<Int> { client.version() }

  /// A time that JSON has a number for.
  private static func bounded(_ time: Double) -> Double {
    let never = InspectedEntry.CachedState.never
    return time.isNaN ? never : min(max(time, -never), never)
  }
}
