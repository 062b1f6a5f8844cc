public import Foundation

/// A source that stores values in the property list of a `UserDefaults`, safely and exactly.
///
/// `UserDefaults` on Linux overwrites its file in place, lets two processes undo each other's
/// writes, loses web addresses and fractions of seconds, and crashes on values of unknown types. A
/// source therefore never leaves writing to `UserDefaults`. It takes a lock, reads the current
/// property list, changes its own keys, and replaces the file atomically.
///
/// - Values that a future reports as stored survive the end of the process, including `kill -9`,
///   and a power failure. ``putAll(_:in:)`` replaces the file once: it stores all of its values or
///   none. A write that fails, for example on a full disk, leaves the file unchanged.
/// - Any number of sources, threads and processes may write at the same time.
/// - Each write reads and writes the whole file, which takes about 2 ms for 100 values and 0.2 s
///   for 10,000. Use a ``FileSystemStorageDataSource`` or a database for more.
/// - Other readers of the defaults in this process see a value immediately; other processes see it
///   after they synchronize theirs.
/// - Changes that the program makes with `UserDefaults` itself are visible to this source. They are
///   not saved with the source's values but by `synchronize()`, as they would be without a source.
///   From then on, until the program ends, `synchronize()` also rewrites the values of sources: in
///   place, without the lock, and as XML without fractions of seconds. Do not mix both in one
///   suite.
/// - If the program makes no changes of its own, the source calls `synchronize()` after a write to
///   make `UserDefaults` read the file. This affects other suites too.
/// - Registered defaults are read if there is no other value; they are not listed.
/// - As always with `UserDefaults`, an argument of the process such as `-theme dark` overrides the
///   key `theme` while the process runs. In a test that runs with `swift test -c release`, for
///   example, regular storage reads the key `c` from the arguments.
/// - A file that is not a property list is an error for reading and writing, and is left unchanged.
///
/// The types are those of `UserDefaults`: numbers, `Bool`, `String`, `URL`, `Date`, `Data`, and
/// arrays and dictionaries of these with keys of type `String`. Other types fail with
/// ``CoreError/IllegalArgument``, and so do dates outside the years 0 to 9999, which property lists
/// cannot represent; map them with a ``DataSourceMapper``. A stored value can be read as another
/// type if its meaning stays the same: the number 3.0 can be read as an `Int` and a `String`, but
/// the string `abc` cannot be read as a number. A relative URL is returned as an absolute one.
///
/// ```swift
/// let source = DeviceStorageDataSource<Double>(prefix: "geometry")
/// try await source.put(3.14159265359, forId: "pi").get()
/// ```
///
/// Each call runs on the caller's thread, and its future is already complete when it is returned.
///
/// - Note: A missing number is ``CoreError/NotFound``, not zero. A prefix includes its dot, so `a`
///   does not select `ab`. In regular storage, all objects are all values stored as this source's
///   type, by any program.
public final class DeviceStorageDataSource<T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
{
  private let store: Swift.Result<DefaultsStore, any Error>
  private let space: DefaultsSpace

  /// Creates a source in defaults.
  ///
  /// If the name of the suite is not a valid file name, such as `../x`, every call fails with
  /// ``CoreError/IllegalArgument``.
  ///
  /// - Parameters:
  ///   - userDefaults: The defaults that store the values.
  ///   - storageType: The part of the defaults that belongs to this source.
  public init(
    _ userDefaults: UserDefaults = UserDefaults.standard,
    storageType: DeviceStorageType = .regular
  ) {
    store = Swift.Result { try DefaultsStore.shared(userDefaults) }
    space = DefaultsSpace(storageType, of: T.self)
  }

  /// Creates a source of the keys with a prefix.
  ///
  /// - Parameters:
  ///   - userDefaults: The defaults that store the values.
  ///   - prefix: The prefix of the keys, which a dot follows unless it is empty.
  public convenience init(
    _ userDefaults: UserDefaults = UserDefaults.standard, prefix: String
  ) {
    self.init(userDefaults, storageType: .prefix(prefix))
  }

  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future of the value. It fails with ``CoreError/NotFound`` if there is no value or
  ///   none that can be read as this type, with ``CoreError/Failed`` if the file of the defaults
  ///   cannot be read, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future(value: { try Self.value(of: stored(at: key)) })
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``AllObjectsQuery`` for everything or another ``KeySelectionQuery`` for a
  ///   part, in the order of the keys, with lists flattened and values that cannot be read as this
  ///   type left out; a ``KeysQuery`` for several single values; another ``KeyQuery`` for the list
  ///   stored under its key.
  /// - Returns: A future of the values. It fails with ``CoreError/NotFound`` if a key has no value
  ///   of that shape and type, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func getAll(_ query: any Query) -> Future<[T]> {
    Future(value: {
      switch query {
      case let query as any KeySelectionQuery:
        let readable = try readable()
        let values = Dictionary(uniqueKeysWithValues: readable.map { (StoredKey($0), $1) })
        return query.selection.keys(of: readable.map(\.key))
          .flatMap { values[StoredKey($0)] ?? [] }
      case let query as any KeysQuery:
        return try store.get().values(at: query.keys.map(space.address)).map(Self.value(of:))
      default:
        guard let key = query.entryKey else { throw query.notSupported(.getAll) }
        guard let list: [T] = try stored(at: key)?.list() else { throw CoreError.NotFound() }
        return list
      }
    })
  }

  /// Stores a value under the query's key, replacing any previous value.
  ///
  /// - Parameters:
  ///   - value: The value; nil and types that defaults cannot store fail with
  ///     ``CoreError/IllegalArgument``.
  ///   - query: A ``KeyQuery``.
  /// - Returns: A future of the value, or of the error. It also fails with ``CoreError/Failed`` if
  ///   the value of the root key is not a dictionary, because it would be lost.
  @discardableResult
  public func put(_ value: T? = nil, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.nilValue) }
    return Future(value: {
      try store.get().write([change(of: key, to: Self.stored(value, for: key))])
      return value
    })
  }

  /// Stores a list under the query's key, or each value under its own key; all or none.
  ///
  /// - Parameters:
  ///   - array: The values; types that defaults cannot store fail with
  ///     ``CoreError/IllegalArgument``.
  ///   - query: A ``KeysQuery`` with one key for each value, otherwise the call fails with
  ///     ``CoreError/IllegalArgument``; or another ``KeyQuery`` for the list as a whole.
  /// - Returns: A future of the values, or of the error.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(value: {
      if let query = query as? any KeysQuery {
        let keys = query.keys
        guard keys.count == array.count else {
          throw CoreError.IllegalArgument.valueCount
        }
        try store.get().write(
          zip(keys, array).map { key, value in
            change(of: key, to: try Self.stored(value, for: key))
          })
        return array
      }
      guard let key = query.entryKey else { throw query.notSupported(.putAll) }
      let values = try array.map { try Self.stored($0, for: key) }
      try store.get().write([change(of: key, to: .array(values))])
      return array
    })
  }

  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``AllObjectsQuery`` to clear the source, which removes all keys with its
  ///   prefix or its whole dictionary, whatever the types; another ``KeySelectionQuery`` for a part
  ///   of the listed keys; a ``KeysQuery`` for several keys; another ``KeyQuery`` for one.
  /// - Returns: A future that fails with ``CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(value: {
      let keys: [String]
      switch query {
      case is AllObjectsQuery where space.isOwn: keys = try all().map(\.key)
      case let query as any KeySelectionQuery:
        keys = query.selection.keys(of: try readable().map(\.key))
      case let query as any KeysQuery: keys = query.keys
      default:
        guard let key = query.entryKey else { throw query.notSupported(.delete) }
        keys = [key]
      }
      guard !keys.isEmpty else { return }
      try store.get().write(keys.map { change(of: $0, to: nil) })
    })
  }

  /// Returns all values in this source's part of the defaults, in the order of their keys.
  private func all() throws -> [(key: String, value: DefaultsValue)] {
    try store.get().values(in: space.storedRoot)
      .compactMap { stored, value in space.key(of: stored).map { ($0, value) } }
      .sorted { $0.key.isOrderedBefore($1.key) }
  }

  /// Returns the keys whose values can be read as this type, with their one or many values.
  ///
  /// In a part that other programs use too, only values stored as this type belong to this source.
  private func readable() throws -> [(key: String, values: [T])] {
    try all().compactMap { key, value in
      let values: [T]? = value.reading().map { [$0] } ?? value.list()
      guard let values, space.isOwn || value.isStored(as: values) else { return nil }
      return (key, values)
    }
  }

  private func stored(at key: String) throws -> DefaultsValue? {
    try store.get().values(at: [space.address(of: key)]).first ?? nil
  }

  private func change(of key: String, to value: DefaultsValue?) -> DefaultsChange {
    DefaultsChange(address: space.address(of: key), value: value)
  }

  private static func value(of stored: DefaultsValue?) throws -> T {
    guard let value: T = stored?.reading() else { throw CoreError.NotFound() }
    return value
  }

  private static func stored(_ value: T, for key: String) throws -> DefaultsValue {
    do {
      return try DefaultsValue(putting: value)
    } catch {
      throw error.failure(for: key)
    }
  }
}

extension DeviceStorageDataSource: KeyListingDataSource {
  /// Lists the keys with a value or a list of this type, without the prefix.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: readable().map(\.key)) })
  }

  /// Counts the keys with a value or a list of this type.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: { try query.keySelection(for: "countKeys").count(of: readable().map(\.key)) })
  }
}

extension DeviceStorageDataSource {
  /// Returns the file in which a cache over this source saves expiries.
  ///
  /// It is next to the file of the defaults, is named after the suite with the extension
  /// `.harmony-times`, and is found there by larder. Sources of one suite share the file. It names
  /// a value as the defaults do, with its prefix; a value under a root key is named by the key of
  /// the dictionary, a NUL character and its own key.
  ///
  /// ```swift
  /// let rates = DeviceStorageDataSource<Double>(defaults, prefix: "rates")
  /// let cache = TimedCacheDataSource(rates, expiryInterval: 3_600, times: try rates.cacheTimes())
  /// ```
  ///
  /// - Returns: The file, which is created when an expiry is first saved.
  /// - Throws: ``CoreError/IllegalArgument`` if the name of the suite is not a valid file name.
  public func cacheTimes() throws -> CacheTimesFile {
    let space = space
    return CacheTimesFile(path: try store.get().timesPath) { key in
      let address = space.address(of: key)
      return (address.root.map { $0 + "\0" } ?? "") + address.key
    }
  }
}
