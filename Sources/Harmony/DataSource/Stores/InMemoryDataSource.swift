/// A source that stores values in memory under the keys of their queries.
///
/// A key has either one value or one list; writing one replaces the other. Reads and writes are
/// serialized, so tasks may share an instance, and every future is already complete when it is
/// returned. Nothing is persisted.
///
/// ```swift
/// let source = InMemoryDataSource<Int>()
/// try await source.put(42, in: IdQuery("answer")).get()
/// ```
///
/// - Note: With an ``IdsQuery``, lists preserve the order and the duplicates of the identifiers,
///   and a missing one is ``CoreError/NotFound``; upstream does none of this.
public final class InMemoryDataSource<T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
{
  @usableFromInline
  enum Entry: Sendable {
    case value(T)
    case list([T])
  }

  @usableFromInline let entries = Locked(KeyedEntries<Entry>())

  /// Creates an empty source.
  @inlinable
  public init() {}

  /// The keys that have a value or a list, in ascending order of their UTF-8.
  public var keys: [String] {
    let (keys, sorting) = entries.withLock { $0.beginSorting() }
    guard let sorting else { return keys }
    let sorted = keys.inOrderOfBytes()
    entries.withLock { $0.endSorting(sorted, sorting) }
    return sorted
  }

  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future of the value. It fails with ``CoreError/NotFound`` if there is no value,
  ///   or a list instead, and with ``CoreError/QueryNotSupported`` if the query has no key.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    let entry = entries.withLock { $0[key] }
    guard case .value(let value) = entry else { return Future(Self.noValue(in: entry)) }
    return Future(value)
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``AllObjectsQuery`` for everything or another ``KeySelectionQuery`` for a
  ///   part, in the order of the keys and with lists flattened; a ``KeysQuery`` for several single
  ///   values; another ``KeyQuery`` for the list stored under its key.
  /// - Returns: A future of the values. It fails with ``CoreError/NotFound`` if a key has no
  ///   content of that shape, and with ``CoreError/QueryNotSupported`` if the query has no key.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    if let selection = query.keySelection { return Future(values(of: selection)) }
    if let keys = query.entryKeys {
      return Future(value: { try entries.withLock { try Self.values(of: keys, in: $0) } })
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.getAll)) }
    switch entries.withLock({ $0[key] }) {
    case .list(let values): return Future(values)
    case .value: return Future(CoreError.NotFound.valueForList)
    case nil: return Future(CoreError.NotFound())
    }
  }

  /// Stores a value under the query's key, replacing any previous value.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``CoreError/IllegalArgument``.
  ///   - query: A ``KeyQuery``.
  /// - Returns: A future of the value, or of the error.
  @inlinable
  @discardableResult
  public func put(_ value: T? = nil, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.nilValue) }
    store(.value(value), under: key)
    return Future(value)
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``KeysQuery`` with one key for each value, otherwise the call fails with
  ///     ``CoreError/IllegalArgument``; or another ``KeyQuery`` for the list as a whole.
  /// - Returns: A future of the values, or of the error.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if let keys = query.entryKeys {
      guard keys.count == array.count else {
        return Future(CoreError.IllegalArgument.valueCount)
      }
      store(zip(keys, array.map { .value($0) }))
      return Future(array)
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.putAll)) }
    store(.list(array), under: key)
    return Future(array)
  }

  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``AllObjectsQuery`` to clear the source, another ``KeySelectionQuery`` for
  ///   a part of it, a ``KeysQuery`` for several keys, another ``KeyQuery`` for one.
  /// - Returns: A future that fails with ``CoreError/QueryNotSupported`` if the query has no key.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    if let selection = query.keySelection {
      remove(query is AllObjectsQuery ? nil : selection)
    } else if let keys = query.entryKeys {
      store(keys.map { ($0, nil) })
    } else {
      guard let key = query.entryKey else { return Future(query.notSupported(.delete)) }
      store(nil, under: key)
    }
    return Future(())
  }

  /// Replaces the entry of a key, and releases the old one after unlocking: it may be the last
  /// reference to objects that run code in their deinitializer.
  @inlinable
  func store(_ entry: Entry?, under key: String) {
    let old = entries.withLock { $0.replace(key, with: entry) }
    withExtendedLifetime(old) {}
  }

  /// Replaces the entries of keys atomically, and releases the old ones after unlocking.
  @inlinable
  func store(_ changes: some Sequence<(String, Entry?)>) {
    let old = entries.withLock { entries in
      changes.map { key, entry in entries.replace(key, with: entry) }
    }
    withExtendedLifetime(old) {}
  }

  /// Removes the selected entries, or all, and releases them after unlocking.
  @inlinable
  func remove(_ selection: KeySelection?) {
    guard let selection else {
      let old = entries.withLock { $0.removeAll() }
      return withExtendedLifetime(old) {}
    }
    let old = entries.withLock { entries in
      selection.keys(of: entries.sortedKeys()).map { entries.replace($0, with: nil) }
    }
    withExtendedLifetime(old) {}
  }

  @inlinable
  func values(of selection: KeySelection) -> [T] {
    let found = entries.withLock { entries in
      selection.keys(of: entries.sortedKeys()).compactMap { entries[$0] }
    }
    return found.flatMap { entry in
      switch entry {
      case .value(let value): [value]
      case .list(let values): values
      }
    }
  }

  @inlinable
  static func values(of keys: [String], in entries: KeyedEntries<Entry>) throws -> [T] {
    var values: [T] = []
    values.reserveCapacity(keys.count)
    for key in keys {
      let entry = entries[key]
      guard case .value(let value) = entry else { throw noValue(in: entry) }
      values.append(value)
    }
    return values
  }

  /// Returns the error for an entry that is missing or not a single value.
  @usableFromInline
  static func noValue(in entry: Entry?) -> CoreError.NotFound {
    entry == nil ? CoreError.NotFound() : .listForValue
  }
}

extension InMemoryDataSource: KeyListingDataSource {
  /// Lists the keys that have a value or a list.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: keys) })
  }

  /// Counts the keys that have a value or a list.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: {
      let selection = try query.keySelection(for: "countKeys")
      return selection == KeySelection()
        ? entries.withLock { $0.entries.count } : selection.count(of: keys)
    })
  }
}
