/// A query for the entry with one identifier.
public struct IdQuery<T: Hashable & Sendable>: KeyQuery, Hashable {
  /// The identifier that the entry was stored with.
  public let id: T

  /// The identifier as text, the same in every process.
  ///
  /// A string is its own key, a number its decimal form, a UUID its `uuidString`, a raw
  /// representable value the key of its raw value. Hash values, which change from one process to
  /// the next, take no part. Equal identifiers have one key and others another, except texts, whose
  /// bytes count; see <doc:Queries>.
  @inlinable
  public var key: String { text() }

  /// Creates a query for the entry with an identifier.
  ///
  /// - Parameter id: The identifier to look for.
  @inlinable
  public init(_ id: T) {
    self.id = id
  }

  // A text is by far the most common identifier. Comparing types costs nothing, also where the
  // code is not compiled for this one; a cast would.
  @inlinable
  func text() -> String {
    if T.self == String.self { return unsafeBitCast(id, to: String.self) }
    if T.self == Int.self { return unsafeBitCast(id, to: Int.self).description }
    return StableKey.text(of: id)
  }
}

/// A query for the entries with several identifiers.
///
/// Sources keep the order of the identifiers and their duplicates, and fail with
/// ``CoreError/NotFound`` if one of them is missing.
public struct IdsQuery<T: Hashable & Sendable>: KeysQuery, Hashable {
  /// The identifiers, in the order in which the values are wanted.
  public let ids: [T]

  /// The key of each identifier, made as in ``IdQuery/key``.
  public var keys: [String] { ids.map(StableKey.text(of:)) }

  /// The keys of all identifiers joined by commas, the same in every process.
  ///
  /// Commas and backslashes inside an identifier are escaped by a backslash, so that different
  /// lists never share a key.
  public var key: String { StableKey.joined(keys) }

  /// Creates a query for the entries with several identifiers.
  ///
  /// - Parameter ids: The identifiers to look for, in the wanted order.
  @inlinable
  public init(_ ids: [T]) {
    self.ids = ids
  }
}
