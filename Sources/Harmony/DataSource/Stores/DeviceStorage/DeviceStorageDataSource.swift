public import Foundation

/// Stores values in the property list of a `UserDefaults`, safely and exactly.
///
/// `UserDefaults` on Linux overwrites its file in place, lets two processes undo each other's
/// writes, forgets web addresses and fractions of seconds, and stops the program if it is given a
/// value it does not know. So a source writes the property list itself, and never leaves that to
/// `UserDefaults`: it takes a lock, reads what the file holds by now, changes its own keys, and
/// replaces the file as a whole.
///
/// - What a future has reported as stored survives the end of the process, also by `kill -9`, and
///   a loss of power. ``putAll(_:in:)`` replaces the file once: it stores all of its values or none.
///   A write that fails, as on a full disk, leaves the file as it was.
/// - Values of any number of sources, threads and processes may be written at the same time.
/// - Each write costs reading and writing the whole file: about 2 ms for 100 values, and 0.2 s for
///   10,000. Use a ``FileSystemStorageDataSource`` or a database for more.
/// - Other readers of the defaults in this process see a value at once; other processes do so after
///   they have synchronized theirs.
/// - What the program sets or removes with `UserDefaults` itself is what this source reads. It is not
///   saved with the values of the source, but by `synchronize()`, as without one. From then on, until
///   the program ends, `synchronize()` also writes again what sources put: in place, without the lock,
///   and as XML, without fractions of seconds. Do not mix both in one suite.
/// - After a write of a program that sets nothing itself, the source calls `synchronize()` to let
///   `UserDefaults` read the file, which includes other suites.
/// - Registered defaults are read where there is nothing else, and are not listed.
/// - As everywhere in `UserDefaults`, an argument of the process such as `-theme dark` stands for the
///   key `theme` while it runs, whatever is stored: of a test that is run with `swift test -c release`
///   regular storage reads the key `c` so.
/// - A file that is not a property list is an error, for reading and writing, and stays as it is.
///
/// The types are those of `UserDefaults`: numbers, `Bool`, `String`, `URL`, `Date`, `Data`, and
/// arrays and dictionaries of these with keys of the type `String`. Others are an
/// ``CoreError/IllegalArgument``, and so are dates that are not of the years 0 to 9999, as no
/// property list can tell them; map them with a ``DataSourceMapper``. A stored value can be read as
/// another type if it keeps its meaning: the number 3.0 is an `Int` and a `String`, the text `abc`
/// is no number. A relative URL comes back as an absolute one.
///
/// ```swift
/// let source = DeviceStorageDataSource<Double>(prefix: "geometry")
/// try await source.put(3.14159265359, forId: "pi").get()
/// ```
///
/// Each call does its work on the thread of the caller, and the future is complete when it is
/// returned.
///
/// - Note: A missing number is ``CoreError/NotFound``, not zero. A prefix ends with its dot, so
///   that `a` is not also `ab`. In regular storage, everything means all that was stored as this
///   source's type, whoever stored it.
public final class DeviceStorageDataSource<T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
{
  private let store: Swift.Result<DefaultsStore, any Error>
  private let space: DefaultsSpace

  /// Creates a source in defaults.
  ///
  /// If the suite of the defaults has no name that can be that of a file, such as `../x`, every
  /// call fails with ``CoreError/IllegalArgument``.
  ///
  /// - Parameters:
  ///   - userDefaults: Where the values are stored.
  ///   - storageType: Which part of the defaults belongs to this source.
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
  ///   - userDefaults: Where the values are stored.
  ///   - prefix: What the keys begin with, before a dot; if it is empty, there is no dot either.
  public convenience init(
    _ userDefaults: UserDefaults = UserDefaults.standard, prefix: String
  ) {
    self.init(userDefaults, storageType: .prefix(prefix))
  }

  /// Reads the value stored under the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if there is no value, or none that
  ///   can be read as this type, with ``CoreError/Failed`` if that cannot be told, as the file of the
  ///   defaults cannot be read, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future(value: { try Self.value(of: stored(at: key)) })
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``AllObjectsQuery`` for everything, or another ``KeySelectionQuery`` for
  ///   a part, lists flattened, in the order of the keys, without what cannot be read as this
  ///   type; a ``KeysQuery`` for several single values; another ``KeyQuery`` for the list stored
  ///   under its key.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if a key holds nothing of that
  ///   shape and type, and with ``CoreError/QueryNotSupported`` if the query has no key.
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

  /// Stores a value under the query's key, in place of what was there.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``CoreError/IllegalArgument``, and so is a value of a type
  ///     that defaults cannot hold.
  ///   - query: A ``KeyQuery``.
  /// - Returns: A future of the value, or of the error: ``CoreError/Failed`` also if the root key
  ///   holds something that is no dictionary, which would be lost.
  @discardableResult
  public func put(_ value: T? = nil, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument("Value cannot be nil")) }
    return Future(value: {
      try store.get().write([change(of: key, to: Self.stored(value, for: key))])
      return value
    })
  }

  /// Stores a list under the query's key, or each value under its own key; all or none.
  ///
  /// - Parameters:
  ///   - array: The values; one of a type that defaults cannot hold is a
  ///     ``CoreError/IllegalArgument``.
  ///   - query: A ``KeysQuery`` with one key for each value, else there is a
  ///     ``CoreError/IllegalArgument``; or another ``KeyQuery`` for the list as a whole.
  /// - Returns: A future of the values, or of the error.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(value: {
      if let query = query as? any KeysQuery {
        let keys = query.keys
        guard keys.count == array.count else {
          throw CoreError.IllegalArgument("There must be as many values as identifiers")
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

  /// Removes the value or list under the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``AllObjectsQuery`` to clear the source, which removes all that has its
  ///   prefix or is in its dictionary, whatever its type; another ``KeySelectionQuery`` for a part
  ///   of what is listed; a ``KeysQuery`` for several keys, another ``KeyQuery`` for one.
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

  /// All values of this source's part of the defaults, in the order of their keys.
  private func all() throws -> [(key: String, value: DefaultsValue)] {
    try store.get().values(in: space.storedRoot)
      .compactMap { stored, value in space.key(of: stored).map { ($0, value) } }
      .sorted { $0.key.isOrderedBefore($1.key) }
  }

  /// The keys whose values can be read as this type, with their one or many values.
  ///
  /// Where others have values too, only what was stored as this type belongs to this source.
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
  /// Lists the keys that hold a value or a list of this type, without the prefix.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: readable().map(\.key)) })
  }

  /// Counts the keys that hold a value or a list of this type.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: { try query.keySelection(for: "countKeys").count(of: readable().map(\.key)) })
  }
}

extension DeviceStorageDataSource {
  /// Where a cache over this source keeps expiries: in a file beside that of the defaults, with
  /// `.harmony-times` after the name of the suite, where larder finds them.
  ///
  /// Sources of one suite share the file. A value is named in it as in the defaults, with its prefix;
  /// one of a root key by the key of the dictionary, a zero character and its own key.
  ///
  /// ```swift
  /// let rates = DeviceStorageDataSource<Double>(defaults, prefix: "rates")
  /// let cache = TimedCacheDataSource(rates, expiryInterval: 3_600, times: try rates.cacheTimes())
  /// ```
  ///
  /// - Returns: The file, which is made by the first expiry that is kept.
  /// - Throws: ``CoreError/IllegalArgument`` where the suite has no name that can be that of a file.
  public func cacheTimes() throws -> CacheTimesFile {
    let space = space
    return CacheTimesFile(path: try store.get().timesPath) { key in
      let address = space.address(of: key)
      return (address.root.map { $0 + "\0" } ?? "") + address.key
    }
  }
}
