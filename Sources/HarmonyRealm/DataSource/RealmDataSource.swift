public import Harmony

/// Reads the objects of one class of a Realm file, mapped to entities.
///
/// Each call sees one state of the file, whoever else writes it. Keys are the texts of primary keys,
/// or of object keys where a class has none; objects come in the order of their object keys, which
/// is mostly that in which they were made. Nothing is ever written: the file is Realm's own.
///
/// ```swift
/// let source = RealmDataSource<Owner, Owner>(
///   realmHandler: RealmHandler(RealmFile(path: path)), toEntityMapper: IdentityMapper())
/// let owner = try await source.get(IdQuery(1)).get()
/// ```
///
/// One instance may be used by several threads. An object is looked up in the index that Realm keeps
/// of primary keys; where there is none, as of a property that a description calls the key, or no
/// such object, the keys of all objects are looked at.
///
/// - Note: Upstream also takes a `RealmMapper` for what is put.
public final class RealmDataSource<E: Sendable, O: RealmObjectDescription>: Sendable {
  private let handler: RealmHandler
  private let toEntity: Mapper<O, E>

  /// Describes a source; nothing is opened before the first call.
  ///
  /// - Parameters:
  ///   - realmHandler: What reads the file.
  ///   - toEntityMapper: What makes entities of objects.
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

  private static var isReadOnly: CoreError.NotImplemented {
    CoreError.NotImplemented(
      "a Realm file is only read here: an app's Realm would not survive what others write to it")
  }
}

extension RealmDataSource: GetDataSource {
  /// Reads the object with the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery`` such as `IdQuery<String>` or `IdQuery<Int>`.
  /// - Returns: A future that fails with ``Harmony/CoreError/NotFound`` if there is no such object,
  ///   with ``Harmony/CoreError/QueryNotSupported`` if the query has no key, with what the
  ///   description and the mapper throw, and with ``RealmError`` if the file cannot be read.
  public func get(_ query: any Query) -> Future<E> {
    guard !(query is AllObjectsQuery), let key = query.entryKey else {
      return Future(query.notSupported(.get))
    }
    return read { [self] reading, keys in
      try keys.object(key, reading).map { try entity($0) }
    }
  }

  /// Reads objects, in one state of the file.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for all; a ``RealmQuery`` for those that fulfil
  ///   it; ``Harmony/IdsQuery`` for several by their keys, in their order; a
  ///   ``Harmony/KeySelectionQuery`` for those it selects, in the order of the keys; a
  ///   ``Harmony/PaginationOffsetLimitQuery`` for a part of all.
  /// - Returns: A future that fails with ``Harmony/CoreError/NotFound`` if one of several keys has
  ///   no object, and with ``Harmony/CoreError/QueryNotSupported`` for another query.
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
  /// Writes nothing.
  ///
  /// - Returns: A future that fails with ``Harmony/CoreError/NotImplemented``, and with
  ///   ``Harmony/CoreError/QueryNotSupported`` for a query without a key.
  @discardableResult
  public func put(_ value: E?, in query: any Query) -> Future<E> {
    guard query.entryKey != nil else { return Future(query.notSupported(.put)) }
    return Future(Self.isReadOnly)
  }

  /// Writes nothing.
  ///
  /// - Returns: A future that fails as that of ``put(_:in:)`` does.
  @discardableResult
  public func putAll(_ array: [E], in query: any Query) -> Future<[E]> {
    guard query.entryKey != nil else { return Future(query.notSupported(.putAll)) }
    return Future(Self.isReadOnly)
  }
}

extension RealmDataSource: DeleteDataSource {
  /// Deletes nothing.
  ///
  /// - Returns: A future that fails as that of ``put(_:in:)`` does.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    guard query.entryKey != nil || query is any RealmQuery || query is any KeySelectionQuery else {
      return Future(query.notSupported(.delete))
    }
    return Future(Self.isReadOnly)
  }
}

extension RealmDataSource: KeyListingDataSource {
  /// Lists the keys of the objects, without reading anything else.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the keys, in the order of their UTF-8 or its reverse, that fails with
  ///   ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return read { reading, keys in selection.keys(of: try keys.sorted(reading)) }
    })
  }

  /// Counts the objects.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of their number, that fails with
  ///   ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(future: {
      let selection = try query.keySelection(for: "countKeys")
      return read { reading, keys in selection.count(of: try keys.sorted(reading)) }
    })
  }
}
