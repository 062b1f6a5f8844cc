public import Harmony

extension SQLiteDataSource: GetDataSource {
  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value. It fails with ``Harmony/CoreError/NotFound`` if there is no
  ///   value, or a list instead; with ``Harmony/CoreError/DataSerialization`` if the value is not
  ///   of the type; and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return read(empty: { throw CoreError.NotFound() }) { try $0.value(key) }
  }

  /// Reads a list from one state of the database.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for everything or another
  ///   ``Harmony/KeySelectionQuery`` for a part, in the order of the keys and with lists flattened;
  ///   a ``Harmony/PaginationOffsetLimitQuery`` for a page of the entries; a ``Harmony/KeysQuery``
  ///   for several single values; another ``Harmony/KeyQuery`` for the list stored under its key.
  /// - Returns: A future of the values. It fails with ``Harmony/CoreError/NotFound`` if a key has
  ///   no content of that shape, with ``Harmony/CoreError/DataSerialization`` if a value is not of
  ///   the type, and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key, or is
  ///   for a list in a table that does not support lists.
  public func getAll(_ query: any Query) -> Future<[T]> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return read(empty: { [] }) { try $0.values(selection) }
    case let query as PaginationOffsetLimitQuery:
      let selection = KeySelection(limit: query.limit)
      return read(empty: { [] }) { try $0.values(selection, offset: query.offset) }
    case let query as any KeysQuery:
      let keys = query.keys
      guard !keys.isEmpty else { return Future([]) }
      return read(empty: { throw CoreError.NotFound() }) { store in
        try keys.map { try store.value($0) }
      }
    default:
      guard let key = query.entryKey else { return Future(query.notSupported(.getAll)) }
      guard table.storesLists else { return Future(noLists) }
      return read(empty: { throw CoreError.NotFound() }) { try $0.list(key) }
    }
  }
}

extension SQLiteDataSource: PutDataSource {
  /// Stores a value under the query's key, replacing any previous value.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``Harmony/CoreError/IllegalArgument``.
  ///   - query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value, complete once it is committed. It fails with
  ///   ``Harmony/CoreError/DataSerialization`` if the database cannot store the value, and with
  ///   ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.nilValue) }
    return write(encode: { try $0.encode(value) }) { store, stored in
      try store.store(stored, key)
    }
    .map { value }
  }

  /// Stores a list under the query's key, or each value under its own key: all or none.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``Harmony/KeysQuery`` with one key for each value, otherwise the call fails with
  ///     ``Harmony/CoreError/IllegalArgument``; or another ``Harmony/KeyQuery`` for the list as a
  ///     whole.
  /// - Returns: A future of the values, complete once they are committed, which fails like that of
  ///   ``put(_:in:)``.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if let query = query as? any KeysQuery {
      let keys = query.keys
      guard keys.count == array.count else {
        return Future(CoreError.IllegalArgument.valueCount)
      }
      return write(encode: { try array.map($0.encode) }) { store, stored in
        for (key, value) in zip(keys, stored) { try store.store(value, key) }
      }
      .map { array }
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.putAll)) }
    guard table.storesLists else { return Future(noLists) }
    return write(encode: { try array.map($0.encode) }) { store, stored in
      try store.store(stored, key)
    }
    .map { array }
  }
}

extension SQLiteDataSource: DeleteDataSource {
  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` to remove all entries, another
  ///   ``Harmony/KeySelectionQuery`` for a part of them, a ``Harmony/KeysQuery`` for several keys,
  ///   another ``Harmony/KeyQuery`` for one.
  /// - Returns: A future that completes when the entries are removed. It fails with
  ///   ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return remove { try $0.delete(selection) }
    case let query as any KeysQuery:
      let keys = query.keys
      return remove { store in
        for key in keys { try store.delete(key) }
      }
    default:
      guard let key = query.entryKey else { return Future(query.notSupported(.delete)) }
      return remove { try $0.delete(key) }
    }
  }
}

extension SQLiteDataSource: KeyListingDataSource {
  /// Lists the keys that have a value or a list, without reading values.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``. A page is looked up in the index of the
  ///   keys, so its cost does not depend on the number of keys before it.
  /// - Returns: A future of the keys, in ascending or descending order of their UTF-8. It fails
  ///   with ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return read(empty: { [] }) { try $0.keys(selection) }
    })
  }

  /// Counts the keys that have a value or a list, without reading values.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the number of keys. It fails with
  ///   ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(future: {
      let selection = try query.keySelection(for: "countKeys")
      return read(empty: { 0 }) { try $0.count(selection) }
    })
  }
}
