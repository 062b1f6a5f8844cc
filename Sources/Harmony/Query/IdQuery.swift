/// A query for the entry with one identifier.
public struct IdQuery<T: Hashable & Sendable>: KeyQuery, Hashable {
  /// The identifier of the entry.
  public let id: T

  /// The identifier as a string, the same in every process.
  ///
  /// A string is its own key, a number has its decimal form, a UUID its `uuidString`, and a raw
  /// representable value the key of its raw value. Hash values, which differ between processes, are
  /// not used. Equal identifiers have the same key and different ones have different keys, except
  /// that strings are compared by their bytes; see <doc:Queries>.
  @inlinable
  public var key: String { text() }

  /// Creates a query for the entry with an identifier.
  ///
  /// - Parameter id: The identifier.
  @inlinable
  public init(_ id: T) {
    self.id = id
  }

  // Strings are by far the most common identifiers. Comparing types is free even in unspecialized
  // code; a cast would not be.
  @inlinable
  func text() -> String {
    if T.self == String.self { return unsafeBitCast(id, to: String.self) }
    if T.self == Int.self { return unsafeBitCast(id, to: Int.self).description }
    return StableKey.text(of: id)
  }
}

/// A query for the entries with several identifiers.
///
/// Sources preserve the order of the identifiers and duplicates, and fail with
/// ``CoreError/NotFound`` if one of them is missing.
public struct IdsQuery<T: Hashable & Sendable>: KeysQuery, Hashable {
  /// The identifiers, in the order of the requested values.
  public let ids: [T]

  /// The key of each identifier, derived as in ``IdQuery/key``.
  public var keys: [String] { ids.map(StableKey.text(of:)) }

  /// The keys of all identifiers joined with commas, the same in every process.
  ///
  /// Commas and backslashes in an identifier are escaped with a backslash, so that different lists
  /// never have the same key.
  public var key: String { StableKey.joined(keys) }

  /// Creates a query for the entries with several identifiers.
  ///
  /// - Parameter ids: The identifiers, in the order of the requested values.
  @inlinable
  public init(_ ids: [T]) {
    self.ids = ids
  }
}
