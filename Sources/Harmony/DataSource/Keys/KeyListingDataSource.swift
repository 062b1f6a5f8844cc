/// A source that can list and count its keys.
///
/// All keyed sources of this package conform, and so does each decorator and eraser around one.
///
/// ```swift
/// let source = InMemoryDataSource<String>()
/// try await source.put("a token", forId: "session.42.token").get()
/// let keys = try await source.getKeys(KeyPrefixQuery("session.")).get()
/// ```
///
/// - Note: Upstream cannot list keys.
public protocol KeyListingDataSource: DataSource, Sendable {
  /// Lists the keys that have a value or a list.
  ///
  /// - Parameter query: A ``KeySelectionQuery``: ``AllObjectsQuery``, ``KeyPrefixQuery``,
  ///   ``KeyRangeQuery`` or ``KeyPageQuery``.
  /// - Returns: A future of the keys, in ascending or descending order of their UTF-8. It fails
  ///   with ``CoreError/QueryNotSupported`` for another query.
  func getKeys(_ query: any Query) -> Future<[String]>

  /// Counts the keys that have a value or a list.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the number of keys. It fails with ``CoreError/QueryNotSupported`` for
  ///   another query.
  func countKeys(_ query: any Query) -> Future<Int>
}

extension KeyListingDataSource {
  /// Returns a source whose values are the keys of this source.
  ///
  /// - Returns: A source that always reads the current keys; nothing is copied.
  public func asKeysDataSource() -> KeysDataSource {
    KeysDataSource(self)
  }

  /// Returns a source whose value is the number of keys of this source.
  ///
  /// - Returns: A source that always reads the current number; nothing is copied.
  public func asKeyCountDataSource() -> KeyCountDataSource {
    KeyCountDataSource(self)
  }
}
