/// A source that can list and count its keys.
///
/// The keyed sources of this package are all of this kind, and so is each decorator and eraser
/// around one.
///
/// ```swift
/// let source = InMemoryDataSource<String>()
/// try await source.put("a token", forId: "session.42.token").get()
/// let keys = try await source.getKeys(KeyPrefixQuery("session.")).get()
/// ```
///
/// - Note: Upstream has no way to learn which keys there are.
public protocol KeyListingDataSource: DataSource, Sendable {
  /// Lists the keys that hold a value or a list.
  ///
  /// - Parameter query: A ``KeySelectionQuery``: ``AllObjectsQuery``, ``KeyPrefixQuery``,
  ///   ``KeyRangeQuery`` or ``KeyPageQuery``.
  /// - Returns: A future of the keys, in the order of their UTF-8 or its reverse, that fails with
  ///   ``CoreError/QueryNotSupported`` for another query.
  func getKeys(_ query: any Query) -> Future<[String]>

  /// Counts the keys that hold a value or a list.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of their number, that fails with ``CoreError/QueryNotSupported`` for
  ///   another query.
  func countKeys(_ query: any Query) -> Future<Int>
}

extension KeyListingDataSource {
  /// The keys of this source, as a source of their own.
  ///
  /// - Returns: A source that reads as long as it exists; nothing is copied.
  public func asKeysDataSource() -> KeysDataSource {
    KeysDataSource(self)
  }

  /// The number of keys of this source, as a source of its own.
  ///
  /// - Returns: A source that reads as long as it exists; nothing is copied.
  public func asKeyCountDataSource() -> KeyCountDataSource {
    KeyCountDataSource(self)
  }
}
