public import Foundation
public import Harmony

/// A source that stores values on a Redis or Valkey server or cluster, under a prefix of its own.
///
/// A key has either one value or one list; writing one replaces the other. Each is a string of the
/// server that other programs can read: text as it is, `Data` as its bytes, and everything else as
/// JSON. A list is JSON after the marker `harmony-list:`.
///
/// ```swift
/// let client = RedisClient(host: host, port: port)
/// let source = RedisDataSource<Int>(client, prefix: "numbers:")
/// try await source.put(42, forId: "answer").get()
/// ```
///
/// Calls never block, and run at the same time: wait for a write before you read its key. A call for
/// one key is atomic and takes no longer than the time limit of the client. A call for several keys
/// is not a transaction, and has the limit for each part of its work. Errors of the server and of the
/// connection are ``RedisError``. If a write fails with ``RedisError/mayHaveExecuted``, read the key
/// before trying again. Cancelling a future ends its call, but a command that was already sent may
/// still be executed.
///
/// The server cannot list keys in an order, so all keys of the prefix are listed for each call for a
/// range or a page of them, and sorted here. Only as many are stored as the call selects.
///
/// An instance may be used by several threads.
public final class RedisDataSource<T: Codable & Sendable>: Sendable {
  /// The client of the server.
  public let client: RedisClient

  /// The prefix of all keys on the server.
  public let prefix: String

  /// The time after which written entries expire; nil for never.
  public let timeToLive: Duration?

  /// The maximum number of keys in one pipeline.
  private static var batch: Int { 500 }
  private typealias Coding = PortableCoding<T>

  /// Creates a source without connecting to the server.
  ///
  /// - Parameters:
  ///   - client: The client of the server.
  ///   - prefix: The prefix of all keys on the server, such as `sessions:`. With an empty prefix, all
  ///     keys of the database belong to the source, and deleting all objects deletes them.
  ///   - timeToLive: The time after which written entries expire; nil for never.
  public init(_ client: RedisClient, prefix: String, timeToLive: Duration? = nil) {
    self.client = client
    self.prefix = prefix
    self.timeToLive = timeToLive
  }

  /// Replaces or removes a value if it is still the expected one.
  ///
  /// The comparison and the change are atomic.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: The expected value; nil if the key must not exist.
  ///   - value: The new value; nil to remove the key.
  ///   - expiry: The new expiry.
  /// - Returns: A future that completes when the value is stored. It fails with ``RedisError``, with
  ///   the reason ``RedisError/Reason/conflict`` if there is another value.
  @discardableResult
  public func replace(
    _ key: String, from expected: T?, to value: T?, expiry: RedisExpiry = .unchanged
  ) -> Future<Void> {
    Future { [client, name = name(key)] in
      let expected = try expected.map(Self.bytes)
      let value = try value.map(Self.bytes)
      var outcome = try await client.compareAndSwap(
        name, from: expected, to: value, expiry: expiry)
      // Another program may have written the same value in another way, such as JSON with spaces.
      if case .conflict(let current?) = outcome, let expected,
        let decoded = try? Coding.decode(Data(current), of: key),
        try Self.bytes(decoded) == expected
      {
        outcome = try await client.compareAndSwap(name, from: current, to: value, expiry: expiry)
      }
      guard outcome == .swapped else {
        throw RedisError.changed(key)
      }
    }
  }

  /// Returns when an entry expires.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of the date; nil if the entry never expires. It fails with
  ///   ``Harmony/CoreError/NotFound`` if there is no entry.
  public func expiresAt(_ key: String) -> Future<Date?> {
    Future { [client, name = name(key)] in
      let left = try await client.send(.read("PTTL", key: name)).integer ?? -2
      if left == -2 { throw CoreError.NotFound() }
      return left < 0 ? nil : Date(timeIntervalSinceNow: Double(left) / 1_000)
    }
  }

  // MARK: Keys

  private func name(_ key: String) -> RedisArgument { RedisArgument(prefix + key) }

  /// Lists the selected keys.
  private func keys(_ selection: KeySelection) async throws -> [String] {
    var window = KeyWindow(selection)
    for try await names in scan(selection) {
      for name in names {
        guard let key = String(validating: name.dropFirst(prefix.utf8.count), as: UTF8.self) else {
          throw CoreError.DataSerialization.notText(keysWith: prefix)
        }
        window.add(key)
      }
    }
    return window.sorted()
  }

  private func scan(_ selection: KeySelection) -> RedisScan {
    client.scan(prefix: Array((prefix + KeyWindow.prefix(of: selection.range)).utf8))
  }

  /// Sends a command for each key, in batches, and passes the replies to a closure.
  private func perform(
    _ keys: [String], _ command: (Int, RedisArgument) -> RedisCommand,
    _ body: (String, RedisValue) throws -> Void = { _, _ in }
  ) async throws {
    for start in stride(from: 0, to: keys.count, by: Self.batch) {
      let indices = start..<min(start + Self.batch, keys.count)
      let commands = indices.map { command($0, name(keys[$0])) }
      for (index, reply) in zip(indices, try await replies(commands[...])) {
        if case .failure(let error) = reply {
          throw RedisError(error, to: keys[index].debugDescription)
        }
        try body(keys[index], reply)
      }
    }
  }

  /// Returns the replies to commands, in several calls if reads are too large for one.
  private func replies(_ commands: ArraySlice<RedisCommand>) async throws -> [RedisValue] {
    do {
      return try await client.send(Array(commands))
    } catch let error as RedisError {
      guard error.reason == .tooLarge, commands.count > 1, !commands.contains(where: \.isWrite)
      else { throw error }
      let middle = commands.startIndex + commands.count / 2
      return try await replies(commands[..<middle]) + replies(commands[middle...])
    }
  }

  // MARK: Values

  private static func bytes(_ value: T) throws -> [UInt8] { Array(try Coding.encode(value)) }

  private func value(_ reply: RedisValue, of key: String) throws -> T {
    guard let bytes = reply.bytes else { throw CoreError.NotFound() }
    return try Coding.decode(Data(bytes), of: key)
  }

  private func values(_ selection: KeySelection, offset: Int = 0) async throws -> [T] {
    let keys = Array(try await keys(selection).dropFirst(offset))
    var values: [T] = []
    try await perform(keys, { .read("GET", key: $1) }) { key, reply in
      // Removed or expired since the keys were listed.
      guard let data = reply.bytes.map({ Data($0) }) else { return }
      values +=
        Coding.isList(data)
        ? try Coding.decode(list: data, of: key) : [try Coding.decode(data, of: key)]
    }
    return values
  }

  private func setting(
    _ name: RedisArgument, _ bytes: [UInt8], _ query: any Query
  ) -> RedisCommand {
    let expiry = (query as? RedisKeyQuery)?.expiry ?? timeToLive.map { .after($0) } ?? .never
    return RedisCommand(
      ["SET", name, RedisArgument(bytes)] + expiry.options, key: name, isWrite: true)
  }
}

extension RedisDataSource: GetDataSource {
  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``Harmony/KeyQuery``.
  /// - Returns: A future of the value. It fails with ``Harmony/CoreError/NotFound`` if there is no
  ///   value, or a list instead; with ``Harmony/CoreError/DataSerialization`` if the value is not of
  ///   the type; and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future { [self] in
      try value(try await client.send(.read("GET", key: name(key))), of: key)
    }
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` for everything or another
  ///   ``Harmony/KeySelectionQuery`` for a part, in the order of the keys and with lists flattened;
  ///   a ``Harmony/PaginationOffsetLimitQuery`` for a page of the entries; a ``Harmony/KeysQuery``
  ///   for several single values; another ``Harmony/KeyQuery`` for the list stored under its key.
  /// - Returns: A future of the values, which fails like that of ``get(_:)``.
  public func getAll(_ query: any Query) -> Future<[T]> {
    switch query {
    case let query as any KeySelectionQuery:
      let selection = query.selection
      return Future { [self] in try await values(selection) }
    case let query as PaginationOffsetLimitQuery:
      let offset = max(query.offset, 0)
      let (end, isTooFar) = offset.addingReportingOverflow(max(query.limit, 0))
      let selection = KeySelection(limit: isTooFar ? nil : end)
      return Future { [self] in try await values(selection, offset: offset) }
    case let query as any KeysQuery:
      let keys = query.keys
      return Future { [self] in
        var values: [T] = []
        try await perform(keys, { .read("GET", key: $1) }) { key, reply in
          values.append(try value(reply, of: key))
        }
        return values
      }
    default:
      guard let key = query.entryKey else { return Future(query.notSupported(.getAll)) }
      return Future { [self] in
        let reply = try await client.send(.read("GET", key: name(key)))
        guard let bytes = reply.bytes else { throw CoreError.NotFound() }
        return try Coding.decode(list: Data(bytes), of: key)
      }
    }
  }
}

extension RedisDataSource: PutDataSource {
  /// Stores a value under the query's key, replacing any previous value and its expiry.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``Harmony/CoreError/IllegalArgument``.
  ///   - query: A ``RedisKeyQuery`` to set when the value expires, or another ``Harmony/KeyQuery``
  ///     for the TTL of the source.
  /// - Returns: A future of the value, complete once the server has stored it. It fails with
  ///   ``RedisError``, with ``Harmony/CoreError/DataSerialization`` if the value cannot be encoded as
  ///   JSON, and with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.noValue) }
    return Future { [self] in
      try await client.send(setting(name(key), try Self.bytes(value), query))
      return value
    }
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// The server stores one key at a time: if the future of several keys fails, some of them may have
  /// been stored.
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
        return Future(CoreError.IllegalArgument.unequalCounts)
      }
      return Future { [self] in
        let values = try array.map(Self.bytes)
        try await perform(keys, { setting($1, values[$0], query) })
        return array
      }
    }
    guard let key = query.entryKey else { return Future(query.notSupported(.putAll)) }
    return Future { [self] in
      try await client.send(setting(name(key), Array(try Coding.encode(list: array)), query))
      return array
    }
  }
}

extension RedisDataSource: DeleteDataSource {
  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// The server frees the memory of removed keys in the background. If the future of several keys
  /// fails, some of them may have been removed.
  ///
  /// - Parameter query: ``Harmony/AllObjectsQuery`` to remove all keys with the prefix of the source,
  ///   another ``Harmony/KeySelectionQuery`` for a part of them, a ``Harmony/KeysQuery`` for several
  ///   keys, another ``Harmony/KeyQuery`` for one.
  /// - Returns: A future that completes when the keys are removed. It fails with ``RedisError``, and
  ///   with ``Harmony/CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    if let selection = query.keySelection {
      return Future { [self] in try await delete(try await keys(selection)) }
    }
    guard let keys = query.entryKeys ?? query.entryKey.map({ [$0] }) else {
      return Future(query.notSupported(.delete))
    }
    return Future { [self] in try await delete(keys) }
  }

  private func delete(_ keys: [String]) async throws {
    try await perform(keys, { .write("UNLINK", key: $1) })
  }
}

extension RedisDataSource: KeyListingDataSource {
  /// Lists the keys of the source, without reading values.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the keys without the prefix of the source, in ascending or descending
  ///   order of their UTF-8. It fails with ``Harmony/CoreError/QueryNotSupported`` for another query.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: {
      let selection = try query.keySelection(for: "getKeys")
      return Future { [self] in try await keys(selection) }
    })
  }

  /// Counts the keys of the source, without reading values.
  ///
  /// - Parameter query: A ``Harmony/KeySelectionQuery``.
  /// - Returns: A future of the number of keys, which fails like that of ``getKeys(_:)``.
  public func countKeys(_ query: any Query) -> Future<Int> {
    getKeys(query).map(\.count)
  }
}
