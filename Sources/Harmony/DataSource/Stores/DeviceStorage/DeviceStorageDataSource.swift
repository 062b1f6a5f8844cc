public import Foundation

/// Stores values in `UserDefaults`, safely and exactly.
///
/// `UserDefaults` on Linux overwrites its file in place, lets two processes undo each other's
/// writes, forgets web addresses and fractions of seconds, and stops the program if it is given a
/// value it does not know. So every value is first written to a journal beside that file,
/// `<suite>.harmony`, and then set in the defaults, for their other readers. While those save,
/// a copy of their file lies there too, `<suite>.harmony-copy`, which replaces it if it is cut off.
/// A journal that a disk has damaged is kept as `<suite>.harmony-damaged`, and a file of the defaults
/// that is none, which `UserDefaults` would take for an empty one, as `<suite>.plist-damaged`, with a
/// number behind it if there is one already. All of that happens only when something is written.
/// Reading changes no file, but for one case: `UserDefaults` reads its file anew only if it also saves
/// what the program has set in it beside its sources. Where it may have to, because the file has
/// changed since, that is done as carefully as a write, with the journal and the copy; if others keep
/// changing the file meanwhile the copy may stay until the next write, which takes it away.
///
/// - What a future has reported as stored survives the end of the process, also by `kill -9`, and
///   a loss of power. ``putAll(_:in:)`` stores all of its values or none.
/// - Values of any number of sources, suites, threads and processes may be written at the same time:
///   to save one suite saves no other that the process has. `synchronize()` of `UserDefaults` saves
///   all of them, and without a lock.
/// - Values come back exactly as they were put. Other readers of the defaults see at once what can
///   be seen through `UserDefaults`; other processes do so after they have synchronized theirs. A
///   file of more than 8 KiB is saved soon afterwards, at the latest when the last source of the
///   suite ends, and a root key's dictionary is also set only then: `UserDefaults` writes everything
///   to save one value. Until then the value is in the journal.
/// - What others set in or remove from the defaults since then is what this source reads. A
///   process that saves the same suite without this source may undo what is just being saved;
///   that looks like a removal. Registered defaults are read where there is nothing else, and are
///   not listed.
/// - As everywhere in `UserDefaults`, an argument of the process such as `-theme dark` stands for the
///   key `theme` while it runs, whatever is stored: of a test that is run with `swift test -c release`
///   regular storage reads the key `c` so.
///
/// The types are those of `UserDefaults`: numbers, `Bool`, `String`, `URL`, `Date`, `Data`, and
/// arrays and dictionaries of these with keys of the type `String`. Others are an
/// ``CoreError/IllegalArgument``, and so are dates that are not of the years 0 to 9999, as no
/// property list can tell them; map them with a ``DataSourceMapper``. A stored value can be read as
/// another type if it keeps its meaning: the number 3.0 is an `Int` and a `String`, the text `abc`
/// is no number.
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
  let space: DefaultsSpace

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

  /// The path of the file in which caches keep their times.
  func timesPath() throws -> String { try store.get().timesPath }

  /// Reads the value stored under the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if there is no value, or none that
  ///   can be read as this type, with ``CoreError/Failed`` if that cannot be told, as the file of the
  ///   defaults cannot be read, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future(value: { try Self.value(of: store.get().entry(at: space.address(of: key))) })
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
        return try store.get().entries(at: query.keys.map(space.address)).map(Self.value(of:))
      default:
        guard let key = query.entryKey else { throw query.notSupported(.getAll) }
        let entry = try store.get().entry(at: space.address(of: key))
        guard let list: [T] = entry?.list() else { throw CoreError.NotFound() }
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
      let entry = DefaultsEntry(value: try Self.stored(value, for: key), isList: false)
      try store.get().write([(space.address(of: key), entry)])
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
        let changes = try zip(keys, array).map { key, value in
          let stored = try Self.stored(value, for: key)
          return (space.address(of: key), DefaultsEntry(value: stored, isList: false))
        }
        try store.get().write(changes)
        return array
      }
      guard let key = query.entryKey else { throw query.notSupported(.putAll) }
      let values = try array.map { try Self.stored($0, for: key) }
      let list = DefaultsEntry(value: .array(values), isList: true)
      try store.get().write([(space.address(of: key), list)])
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
      try store.get().write(keys.map { (space.address(of: $0), DefaultsEntry(value: nil)) })
    })
  }

  /// All entries of this source's part of the defaults.
  private func all() throws -> [(key: String, entry: DefaultsEntry)] {
    let space = space
    return try store.get().entries(in: space.root, where: { space.key(of: $0) != nil })
      .compactMap { stored, entry in space.key(of: stored).map { ($0, entry) } }
  }

  /// The keys whose entries can be read as this type, with their one or many values.
  ///
  /// Where others have entries too, only what was stored as this type belongs to this source.
  func readable() throws -> [(key: String, values: [T])] {
    try all().compactMap { key, entry in
      let values: [T]? = entry.single().map { [$0] } ?? entry.list()
      guard let values, space.isOwn || entry.isStored(as: values) else { return nil }
      return (key, values)
    }
  }

  private static func value(of entry: DefaultsEntry?) throws -> T {
    guard let value: T = entry?.single() else { throw CoreError.NotFound() }
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
