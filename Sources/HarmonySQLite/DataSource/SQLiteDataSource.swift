import Harmony

/// Stores values in a table of a SQLite file under the keys of their queries.
///
/// A key holds either one value or one list; writing one replaces the other. Values are there
/// after the process ends, also if it is killed. Each call is one transaction: it is done as a
/// whole or not at all, whoever else uses the file, in this process or another.
///
/// Calls never block: they are carried out one after the other, in the order in which they were
/// made, on a queue of the source, which also completes their futures. So a read sees the writes
/// that were called before it, and a callback must not wait there for another call. Cancelling a
/// future stops its call, and a write that was stopped has changed nothing.
///
/// ```swift
/// let source = SQLiteDataSource<Int>(path: path)
/// try await source.put(42, forId: "answer").get()
/// let answer = try await source.get("answer").get()
/// ```
///
/// Keys are compared by the bytes of their UTF-8, and any text is one. Errors of the database are
/// ``SQLiteError``, which names the file; a lock that others hold for longer than the busy timeout
/// is one with the code ``SQLiteResultCode/busy``. A value that is there but not one of the type is
/// ``Harmony/CoreError/DataSerialization``, which names file, table and key. One instance may be
/// used by several threads.
public final class SQLiteDataSource<T: Sendable>: Sendable {
  /// The path of the file, as it was given.
  public var path: String { connection.path }

  /// The table that holds the entries.
  public let table: SQLiteEntryTable

  private let access: SQLiteConnection.Access
  private let codec: SQLiteCodec<T>
  private let connection: SQLiteConnection
  private let layout: SQLiteEntryLayout

  /// Describes a source; nothing is opened before the first call.
  ///
  /// - Parameters:
  ///   - path: The path of the database file; there are no databases in memory.
  ///   - table: The table that holds the entries. An existing one must have a unique key column of
  ///     texts; if it has not, calls fail with ``Harmony/CoreError/IllegalArgument``, and so they
  ///     do if two of its columns are one. One that has no column for the lengths of lists, or no
  ///     table of their elements, is described with `countColumn: nil`.
  ///   - codec: How values are stored.
  ///   - access: Whether the file is made when it is first used, and the table by the first write;
  ///     or neither is made; or nothing is ever written.
  ///   - busyTimeout: How long a call waits for the locks of others.
  public init(
    path: String, table: SQLiteEntryTable = "entries", codec: SQLiteCodec<T>,
    access: SQLiteConnection.Access = .creating, busyTimeout: Duration = .seconds(5)
  ) {
    self.table = table
    self.access = access
    self.codec = codec
    connection = SQLiteConnection(
      path: path, access: access, busyTimeout: busyTimeout, label: "HarmonySQLite.source")
    layout = SQLiteEntryLayout(table, isCreating: access == .creating)
  }

  /// Describes a source of a type that says itself how a database holds it.
  ///
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - table: The table that holds the entries.
  ///   - access: What is made if it is not there, and whether anything is ever written.
  ///   - busyTimeout: How long a call waits for the locks of others.
  public convenience init(
    path: String, table: SQLiteEntryTable = "entries",
    access: SQLiteConnection.Access = .creating, busyTimeout: Duration = .seconds(5)
  ) where T: SQLiteValueConvertible {
    self.init(
      path: path, table: table, codec: .direct, access: access, busyTimeout: busyTimeout)
  }

  /// Closes the file until the next call; waits for the calls before, except in a callback, where
  /// the file is closed soon afterwards.
  public func close() {
    connection.close()
  }

  /// Reads in a transaction; a table that is still to be made answers like an empty one.
  func read<Answer>(
    empty: @escaping @Sendable () throws -> Answer,
    _ body: @escaping @Sendable (SQLiteEntryStore<T>) throws -> Answer
  ) -> Future<Answer> {
    perform { [path, table, codec, layout] session in
      try session.read {
        guard try layout.isReady(session) else { return try empty() }
        return try body(SQLiteEntryStore(session: session, path: path, table: table, codec: codec))
      }
    }
  }

  /// Makes the database's values before the transaction, and writes them in it.
  func write<Values>(
    encode: @escaping @Sendable (SQLiteCodec<T>) throws -> Values,
    _ body: @escaping @Sendable (SQLiteEntryStore<T>, Values) throws -> Void
  ) -> Future<Void> {
    change { [path, table, codec, layout] session in
      let values = try encode(codec)
      try session.write {
        try layout.prepare(session)
        let store = SQLiteEntryStore(session: session, path: path, table: table, codec: codec)
        try body(store, values)
      }
    }
  }

  /// Removes in a transaction; where there is no table there is nothing to remove.
  func remove(_ body: @escaping @Sendable (SQLiteEntryStore<T>) throws -> Void) -> Future<Void> {
    change { [path, table, codec, layout] session in
      try session.write {
        guard try layout.isReady(session) else { return }
        try body(SQLiteEntryStore(session: session, path: path, table: table, codec: codec))
      }
    }
  }

  /// What a list is answered with where none can be.
  var noLists: CoreError.QueryNotSupported {
    CoreError.QueryNotSupported(
      "The table \(PathName(table.name)) cannot hold lists: it is described with no countColumn")
  }

  private func change(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Void
  ) -> Future<Void> {
    perform { [access] session in
      // SQLite would say it of a statement that the caller does not know.
      if access == .reading {
        throw SQLiteError(.readOnly, "the source was made with access .reading")
      }
      try body(session)
    }
  }

  private func perform<Answer>(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Answer
  ) -> Future<Answer> {
    Future { resolver in
      try table.check()
      let cancellation = SQLiteCancellation()
      resolver.onCancel { cancellation.cancel() }
      connection.perform(cancellation: cancellation, body) { result in
        switch result {
        case .success(let answer): resolver.set(answer)
        case .failure(let error): resolver.set(error)
        }
      }
    }
  }
}
