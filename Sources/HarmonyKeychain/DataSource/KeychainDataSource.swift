#if Keychain
import Foundation
public import Harmony

/// Stores values in the desktop's keychain under the keys of their queries.
///
/// A key holds either one value or one list; writing one replaces the other, in one step. A text is
/// stored as it is, `Data` as its bytes, everything else as JSON, so that `secret-tool` and other
/// programs can read and write it: `secret-tool lookup service NAME account KEY`. A list is JSON
/// after the word `harmony-list:`.
///
/// Calls never block, and none takes longer than the time limit of the keychain; see
/// ``KeychainService``. Errors of the keychain are ``KeychainError``; a missing key is none when it
/// is deleted, and ``Harmony/CoreError/NotFound`` when it is read. One instance may be used by
/// several threads.
///
/// ```swift
/// let source = KeychainDataSource<Double>(KeychainService("com.example.app"))
/// try await source.put(3.14, forId: "pi").get()
/// let pi = try await source.get("pi").get()
/// ```
///
/// - Note: Upstream fails when a missing key is deleted, takes everything for one more key, cannot
///   tell locked from missing, and stores in two steps.
public final class KeychainDataSource<T: Codable & Sendable>: Sendable {
  /// The keys that the values are stored under.
  public let keychain: KeychainService

  /// Creates a source of the keys of a service.
  ///
  /// - Parameter keychain: The service.
  public init(_ keychain: KeychainService) {
    self.keychain = keychain
  }

  /// Reads a secret, and overwrites the copy.
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
  /// Reads the value stored under the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery``.
  /// - Returns: A future that fails with ``Harmony/CoreError/NotFound`` if there is no value, also
  ///   if there is a list; with ``KeychainError`` if that cannot be told, as where the keychain is
  ///   locked; with ``Harmony/CoreError/DataSerialization`` if the value is not of the type; and
  ///   with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return keychain.perform([key]) { call in
      try Self.bytes(key, in: call) { try SecretCoding<T>.decode($0) }
    }
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for everything, or another
  ///   ``Harmony/KeySelectionQuery`` for a part, lists flattened, in the order of the keys; a
  ///   ``Harmony/KeysQuery`` for several single values; another ``Harmony/KeyQuery`` for the list
  ///   stored under its key.
  /// - Returns: A future that fails as that of ``get(_:)``.
  public func getAll(_ query: any Query) -> Future<[T]> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return keychain.perform([]) { call in
        try Self.keys(selection, in: call).flatMap { key -> [T] in
          do {
            return try Self.bytes(key, in: call) { data in
              SecretCoding<T>.isList(data)
                ? try SecretCoding<T>.decode(list: data) : [try SecretCoding<T>.decode(data)]
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
          try Self.bytes(key, in: call) { try SecretCoding<T>.decode($0) }
        }
      }
    default:
      guard let key = query.entryKey else { return Future(query.notSupported(.getAll)) }
      return keychain.perform([key]) { call in
        try Self.bytes(key, in: call) { try SecretCoding<T>.decode(list: $0) }
      }
    }
  }
}

extension KeychainDataSource: PutDataSource {
  /// Stores a value under the query's key, in place of what was there, in one step.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``Harmony/CoreError/IllegalArgument``.
  ///   - query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value, complete when the keychain has it, that fails with
  ///   ``KeychainError``, with ``Harmony/CoreError/DataSerialization`` if the value has no JSON, and
  ///   with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument("Value cannot be nil")) }
    return keychain.perform([key], isWrite: true) { call in
      try Self.write(try SecretCoding<T>.encode(value), key, in: call)
      return value
    }
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// A keychain stores one key at a time: of several keys, some may have been stored when the
  /// future fails.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``Harmony/KeysQuery`` with one key for each value, else there is a
  ///     ``Harmony/CoreError/IllegalArgument``; or another ``Harmony/KeyQuery`` for the list as a
  ///     whole.
  /// - Returns: A future of the values, that fails as that of ``put(_:in:)``.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if let query = query as? any KeysQuery {
      let keys = query.keys
      guard keys.count == array.count else {
        return Future(CoreError.IllegalArgument("There must be as many values as identifiers"))
      }
      guard !keys.isEmpty else { return Future([]) }
      return keychain.perform(keys, isWrite: true) { call in
        let secrets = try array.map { try SecretCoding<T>.encode($0) }
        for (key, data) in zip(keys, secrets) { try Self.write(data, key, in: call) }
        return array
      }
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.putAll)) }
    return keychain.perform([key], isWrite: true) { call in
      try Self.write(try SecretCoding<T>.encode(list: array), key, in: call)
      return array
    }
  }
}

extension KeychainDataSource: DeleteDataSource {
  /// Removes the value or list under the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` to remove all keys of the service, another
  ///   ``Harmony/KeySelectionQuery`` for a part of them, a ``Harmony/KeysQuery`` for several keys,
  ///   another ``Harmony/KeyQuery`` for one.
  /// - Returns: A future of the end of the removal, that fails with ``KeychainError``, and with
  ///   ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
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
  /// - Returns: A future of the keys, in the order of their UTF-8 or its reverse, that fails with
  ///   ``KeychainError``, and with ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return keychain.perform([]) { try Self.keys(selection, in: $0) }
    })
  }

  /// Counts the keys of the service, without reading secrets.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of their number, that fails as that of ``getKeys(_:)``.
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
