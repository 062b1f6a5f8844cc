public import Harmony

/// A read-only source of the objects of one class in a Realm file, mapped to entities.
///
/// Each call sees one consistent state of the file, even while other processes write it. Keys are
/// the primary keys as strings, or the object keys if a class has no primary key. Objects are
/// sorted by their object keys, which mostly is the order in which they were created. The file is
/// never written, because it belongs to Realm.
///
/// ```swift
/// let source = RealmDataSource<Owner, Owner>(
///   realmHandler: RealmHandler(RealmFile(path: path)), toEntityMapper: IdentityMapper())
/// let owner = try await source.get(IdQuery(1)).get()
/// ```
///
/// An instance may be used by several threads. Objects are looked up in Realm's index of primary
/// keys. If there is no index, as for a key property chosen by a description, or no such object,
/// the keys of all objects are searched.
///
/// - Note: Upstream also takes a `RealmMapper` for writing.
public final class RealmDataSource<E: Sendable, O: RealmObjectDescription>: Sendable {
  private let handler: RealmHandler
  private let toEntity: Mapper<O, E>

  /// Creates a source without opening the file.
  ///
  /// - Parameters:
  ///   - realmHandler: The handler that reads the file.
  ///   - toEntityMapper: Maps objects to entities.
  public init(realmHandler: RealmHandler, toEntityMapper: Mapper<O, E>) {
    handler = realmHandler
    toEntity = toEntityMapper
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (RealmReading, RealmKeys) throws -> Value?
  ) -> Future<Value> {
    handler.read { reading in
      let found = try reading.requireClass(O.className)
      return try body(reading, try RealmKeys(found, O.primaryKey))
    }
  }

  private func entity(_ object: RealmObject) throws -> E {
    try toEntity.map(try O(object))
  }
}

extension RealmDataSource: GetDataSource {
  /// Reads the object with the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery`` such as `IdQuery<String>` or `IdQuery<Int>`.
  /// - Returns: A future of the entity. It fails with ``Harmony/CoreError/NotFound`` if there is no
  ///   such object, with ``Harmony/CoreError/QueryNotSupported`` if the query has no key, with the
  ///   errors of the description and the mapper, and with ``RealmError`` if the file cannot be
  ///   read.
  public func get(_ query: any Query) -> Future<E> {
    guard !(query is AllObjectsQuery), let key = query.entryKey else {
      return Future(query.notSupported(.get))
    }
    return read { [self] reading, keys in
      try keys.object(key, reading).map { try entity($0) }
    }
  }

  /// Reads objects from one state of the file.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for all objects; a ``RealmQuery`` for those
  ///   that match it; ``Harmony/IdsQuery`` for several keys, in their order; a
  ///   ``Harmony/KeySelectionQuery`` for the selected keys, in the order of the keys; a
  ///   ``Harmony/PaginationOffsetLimitQuery`` for a page of all objects.
  /// - Returns: A future of the entities. It fails with ``Harmony/CoreError/NotFound`` if one of
  ///   several keys has no object, and with ``Harmony/CoreError/QueryNotSupported`` for another
  ///   query.
  public func getAll(_ query: any Query) -> Future<[E]> {
    switch query {
    case is AllObjectsQuery: return read { [self] in try all($0, $1) { _ in true } }
    case let query as any RealmQuery:
      let predicate = query.realmPredicate
      return read { [self] reading, keys in
        _ = try reading.properties(predicate.properties, of: keys.found)
        return try all(reading, keys, where: predicate.holds)
      }
    case let query as PaginationOffsetLimitQuery:
      return read { [self] in try page($0, $1, query) }
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return read { [self] reading, keys in
        try selection.keys(of: try keys.sorted(reading)).map { try entity(keys.found($0, reading)) }
      }
    case let query as any KeysQuery:
      let wanted = query.keys
      return read { [self] reading, keys in
        try wanted.map { try entity(keys.found($0, reading)) }
      }
    default: return Future(query.notSupported(.getAll))
    }
  }

  private func all(
    _ reading: RealmReading, _ keys: RealmKeys, where isWanted: (RealmObject) -> Bool
  ) throws -> [E] {
    var entities: [E] = []
    try reading.forEach(of: keys.found) { object in
      if isWanted(object) { entities.append(try entity(object)) }
      return true
    }
    return entities
  }

  private func page(
    _ reading: RealmReading, _ keys: RealmKeys, _ query: PaginationOffsetLimitQuery
  ) throws -> [E] {
    var entities: [E] = []
    var rest = max(query.offset, 0)
    guard query.limit > 0 else { return [] }
    try reading.forEach(of: keys.found) { object in
      if rest > 0 {
        rest -= 1
        return true
      }
      entities.append(try entity(object))
      return entities.count < query.limit
    }
    return entities
  }
}

extension RealmDataSource: PutDataSource {
  /// Fails, because the file is read-only.
  ///
  /// - Returns: A future that fails with ``Harmony/CoreError/NotImplemented``, or with
  ///   ``Harmony/CoreError/QueryNotSupported`` for a query without a key.
  @discardableResult
  public func put(_ value: E?, in query: any Query) -> Future<E> {
    guard query.entryKey != nil else { return Future(query.notSupported(.put)) }
    return Future(CoreError.NotImplemented.realmWriting)
  }

  /// Fails, because the file is read-only.
  ///
  /// - Returns: A future that fails like that of ``put(_:in:)``.
  @discardableResult
  public func putAll(_ array: [E], in query: any Query) -> Future<[E]> {
    guard query.entryKey != nil else { return Future(query.notSupported(.putAll)) }
    return Future(CoreError.NotImplemented.realmWriting)
  }
}

extension RealmDataSource: DeleteDataSource {
  /// Fails, because the file is read-only.
  ///
  /// - Returns: A future that fails like that of ``put(_:in:)``.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    guard query.entryKey != nil || query is any RealmQuery || query is any KeySelectionQuery else {
      return Future(query.notSupported(.delete))
    }
    return Future(CoreError.NotImplemented.realmWriting)
  }
}

extension RealmDataSource: KeyListingDataSource {
  /// Lists the keys of the objects, without reading anything else.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the keys, in ascending or descending order of their UTF-8. It fails
  ///   with ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return read { reading, keys in selection.keys(of: try keys.sorted(reading)) }
    })
  }

  /// Counts the objects.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the number of objects. It fails with
  ///   ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(future: {
      let selection = try query.keySelection(for: "countKeys")
      return read { reading, keys in selection.count(of: try keys.sorted(reading)) }
    })
  }
}
