#if Keychain
import Foundation
public import Harmony

/// A source that stores values in the desktop's keychain under the keys of their queries.
///
/// A key has either one value or one list; writing one atomically replaces the other. A string is
/// stored as it is, `Data` as its bytes, and everything else as JSON, so that `secret-tool` and
/// other programs can read and write it: `secret-tool lookup service NAME account KEY`. A list is
/// stored as JSON after the marker `harmony-list:`.
///
/// Calls never block, and none takes longer than the time limit of the keychain; see
/// ``KeychainService``. Errors of the keychain are ``KeychainError``. Deleting a missing key
/// succeeds; reading it fails with ``Harmony/CoreError/NotFound``. An instance may be used by
/// several threads.
///
/// ```swift
/// let source = KeychainDataSource<Double>(KeychainService("com.example.app"))
/// try await source.put(3.14, forId: "pi").get()
/// let pi = try await source.get("pi").get()
/// ```
///
/// - Note: Upstream fails when deleting a missing key, treats all objects as one more key, cannot
///   distinguish a locked keychain from a missing key, and stores in two steps.
public final class KeychainDataSource<T: Codable & Sendable>: Sendable {
  /// The service that contains the keys.
  public let keychain: KeychainService

  /// Creates a source of the keys of a service.
  ///
  /// - Parameter keychain: The service.
  public init(_ keychain: KeychainService) {
    self.keychain = keychain
  }

  /// Calls a closure with a secret, and overwrites the copy afterwards.
  private static func bytes<Result>(
    _ key: String, in call: KeychainCall, _ body: (Data) throws -> Result
  ) throws -> Result {
    guard var data = try call.read(key, { Data($0) }) else { throw CoreError.NotFound() }
    defer { data.wipe() }
    return try body(data)
  }

  private static func write(_ data: consuming Data, _ key: String, in call: KeychainCall) throws {
    defer { data.wipe() }
    try data.withUnsafeBytes { try call.write($0, under: key) }
  }

  private static func keys(_ selection: KeySelection, in call: KeychainCall) throws -> [String] {
    selection.keys(of: try call.items().map(\.key))
  }
}

extension KeychainDataSource: GetDataSource {
  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value. It fails with ``Harmony/CoreError/NotFound`` if there is no
  ///   value, or a list instead; with ``KeychainError`` if the keychain cannot be read, for example
  ///   because it is locked; with ``Harmony/CoreError/DataSerialization`` if the value is not of
  ///   the type; and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return keychain.perform([key]) { call in
      try Self.bytes(key, in: call) { try PortableCoding<T>.decode($0) }
    }
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for everything or another
  ///   ``Harmony/KeySelectionQuery`` for a part, in the order of the keys and with lists flattened;
  ///   a ``Harmony/KeysQuery`` for several single values; another ``Harmony/KeyQuery`` for the list
  ///   stored under its key.
  /// - Returns: A future of the values, which fails like that of ``get(_:)``.
  public func getAll(_ query: any Query) -> Future<[T]> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return keychain.perform([]) { call in
        try Self.keys(selection, in: call).flatMap { key -> [T] in
          do {
            return try Self.bytes(key, in: call) { data in
              PortableCoding<T>.isList(data)
                ? try PortableCoding<T>.decode(list: data) : [try PortableCoding<T>.decode(data)]
            }
          } catch is CoreError.NotFound {
            // Removed since the keys were listed.
            return []
          }
        }
      }
    case let query as any KeysQuery:
      let keys = query.keys
      guard !keys.isEmpty else { return Future([]) }
      return keychain.perform(keys) { call in
        try keys.map { key in
          try Self.bytes(key, in: call) { try PortableCoding<T>.decode($0) }
        }
      }
    default:
      guard let key = query.entryKey else { return Future(query.notSupported(.getAll)) }
      return keychain.perform([key]) { call in
        try Self.bytes(key, in: call) { try PortableCoding<T>.decode(list: $0) }
      }
    }
  }
}

extension KeychainDataSource: PutDataSource {
  /// Stores a value under the query's key, atomically replacing any previous value.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``Harmony/CoreError/IllegalArgument``.
  ///   - query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value, complete once the keychain has stored it. It fails with
  ///   ``KeychainError``, with ``Harmony/CoreError/DataSerialization`` if the value cannot be
  ///   encoded as JSON, and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.nilValue) }
    return keychain.perform([key], isWrite: true) { call in
      try Self.write(try PortableCoding<T>.encode(value), key, in: call)
      return value
    }
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// A keychain stores one key at a time: if the future of several keys fails, some of them may
  /// have been stored.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``Harmony/KeysQuery`` with one key for each value, otherwise the call fails with
  ///     ``Harmony/CoreError/IllegalArgument``; or another ``Harmony/KeyQuery`` for the list as a
  ///     whole.
  /// - Returns: A future of the values, which fails like that of ``put(_:in:)``.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if let query = query as? any KeysQuery {
      let keys = query.keys
      guard keys.count == array.count else {
        return Future(CoreError.IllegalArgument.valueCount)
      }
      guard !keys.isEmpty else { return Future([]) }
      return keychain.perform(keys, isWrite: true) { call in
        let secrets = try array.map { try PortableCoding<T>.encode($0) }
        for (key, data) in zip(keys, secrets) { try Self.write(data, key, in: call) }
        return array
      }
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.putAll)) }
    return keychain.perform([key], isWrite: true) { call in
      try Self.write(try PortableCoding<T>.encode(list: array), key, in: call)
      return array
    }
  }
}

extension KeychainDataSource: DeleteDataSource {
  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` to remove all keys of the service, another
  ///   ``Harmony/KeySelectionQuery`` for a part of them, a ``Harmony/KeysQuery`` for several keys,
  ///   another ``Harmony/KeyQuery`` for one.
  /// - Returns: A future that completes when the keys are removed. It fails with ``KeychainError``,
  ///   and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return keychain.perform([], isWrite: true) { call in
        for key in try Self.keys(selection, in: call) { _ = try call.remove(key) }
      }
    default:
      let several = (query as? any KeysQuery)?.keys
      guard let keys = several ?? query.entryKey.map({ [$0] }) else {
        return Future(query.notSupported(.delete))
      }
      return keychain.perform(keys, isWrite: true) { call in
        for key in keys { _ = try call.remove(key) }
      }
    }
  }
}

extension KeychainDataSource: KeyListingDataSource {
  /// Lists the keys of the service, without reading secrets.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the keys, in ascending or descending order of their UTF-8. It fails
  ///   with ``KeychainError``, and with ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return keychain.perform([]) { try Self.keys(selection, in: $0) }
    })
  }

  /// Counts the keys of the service, without reading secrets.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the number of keys, which fails like that of ``getKeys(_:)``.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(future: {
      let selection = try query.keySelection(for: "countKeys")
      return keychain.perform([]) { call in
        selection.count(of: try call.items().map(\.key))
      }
    })
  }
}
#endif
