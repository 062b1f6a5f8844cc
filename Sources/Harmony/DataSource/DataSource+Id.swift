extension GetDataSource {
  /// Reads the value of an identifier, with an ``IdQuery``.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The future of `get(IdQuery(id))`.
  @inlinable
  public func get<K: Hashable & Sendable>(_ id: K) -> Future<T> {
    get(IdQuery(id))
  }

  /// Reads the list of an identifier, with an ``IdQuery``.
  ///
  /// - Parameter id: The identifier of the list, not one of its elements.
  /// - Returns: The future of `getAll(IdQuery(id))`.
  @inlinable
  public func getAll<K: Hashable & Sendable>(_ id: K) -> Future<[T]> {
    getAll(IdQuery(id))
  }
}

extension PutDataSource {
  /// Writes a value under an identifier, with an ``IdQuery``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: The identifier.
  /// - Returns: The future of `put(value, in: IdQuery(id))`.
  @inlinable
  @discardableResult
  public func put<K: Hashable & Sendable>(_ value: T?, forId id: K) -> Future<T> {
    put(value, in: IdQuery(id))
  }

  /// Writes a list under an identifier, with an ``IdQuery``.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - id: The identifier of the list.
  /// - Returns: The future of `putAll(array, in: IdQuery(id))`.
  @inlinable
  @discardableResult
  public func putAll<K: Hashable & Sendable>(_ array: [T], forId id: K) -> Future<[T]> {
    putAll(array, in: IdQuery(id))
  }
}

extension DeleteDataSource {
  /// Removes the value or list of an identifier, with an ``IdQuery``.
  ///
  /// - Parameter id: The identifier of a value or of a list.
  /// - Returns: The future of `delete(IdQuery(id))`.
  @inlinable
  @discardableResult
  public func delete<K: Hashable & Sendable>(_ id: K) -> Future<Void> {
    delete(IdQuery(id))
  }

  /// Removes the value or list of an identifier, exactly as ``delete(_:)`` does.
  ///
  /// - Parameter id: The identifier of a value or of a list.
  /// - Returns: The future of `deleteAll(IdQuery(id))`.
  @available(*, deprecated, message: "Use delete(_:) instead.")
  @inlinable
  @discardableResult
  public func deleteAll<K: Hashable & Sendable>(_ id: K) -> Future<Void> {
    deleteAll(IdQuery(id))
  }
}
