import Harmony

/// A source that stores values in a table of a SQLite file under the keys of their queries.
///
/// A key has either one value or one list; writing one replaces the other. Values survive the end
/// of the process, even if it is killed. Each call is a transaction: it is performed completely or
/// not at all, even if other code or processes use the file.
///
/// Calls never block. They run one after another, in the order in which they were made, on a queue
/// of the source, which also completes their futures. Therefore a read sees all writes that were
/// called before it, and a callback must not block for another call. Cancelling a future stops its
/// call; a stopped write has changed nothing.
///
/// ```swift
/// let source = SQLiteDataSource<Int>(path: path)
/// try await source.put(42, forId: "answer").get()
/// let answer = try await source.get("answer").get()
/// ```
///
/// Keys are compared by the bytes of their UTF-8, and any string is a valid key. Errors of the
/// database are ``SQLiteError``, which contains the path of the file; a lock that another
/// connection holds for longer than the busy timeout has the code ``SQLiteResultCode/busy``. A
/// value that is not of the type is ``Harmony/CoreError/DataSerialization``, which contains the
/// file, table and key. An instance may be used by several threads.
public final class SQLiteDataSource<T: Sendable>: Sendable {
  /// The path of the file, as passed to the initializer.
  public var path: String { connection.path }

  /// The table of the entries.
  public let table: SQLiteEntryTable

  private let access: SQLiteConnection.Access
  private let codec: SQLiteCodec<T>
  private let connection: SQLiteConnection
  private let layout: SQLiteEntryLayout

  /// Creates a source without opening the database.
  ///
  /// - Parameters:
  ///   - path: The path of the database file; in-memory databases are not supported.
  ///   - table: The table of the entries. An existing table must have a unique key column that
  ///     contains text. Otherwise, or if two of its columns are the same, calls fail with
  ///     ``Harmony/CoreError/IllegalArgument``. Describe a table that has no column for the lengths
  ///     of lists, or no table of their elements, with `countColumn: nil`.
  ///   - codec: The codec of the values.
  ///   - access: Whether to create the file on first use and the table on the first write, to write
  ///     only to existing ones, or to only read.
  ///   - busyTimeout: The maximum time that a call waits for locks of other connections.
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

  /// Creates a source of a type that defines its own representation in a database.
  ///
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - table: The table of the entries.
  ///   - access: Whether to create missing files and tables, to write only to existing ones, or to
  ///     only read.
  ///   - busyTimeout: The maximum time that a call waits for locks of other connections.
  public convenience init(
    path: String, table: SQLiteEntryTable = "entries",
    access: SQLiteConnection.Access = .creating, busyTimeout: Duration = .seconds(5)
  ) where T: SQLiteValueConvertible {
    self.init(
      path: path, table: table, codec: .direct, access: access, busyTimeout: busyTimeout)
  }

  /// Closes the file until the next call.
  ///
  /// Waits for earlier calls, except in a callback, where the file is closed soon afterwards.
  public func close() {
    connection.close()
  }

  /// Reads in a transaction; a table that was not created yet is treated as empty.
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

  /// Encodes values before the transaction, and writes them in it.
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

  /// Removes entries in a transaction; does nothing if there is no table.
  func remove(_ body: @escaping @Sendable (SQLiteEntryStore<T>) throws -> Void) -> Future<Void> {
    change { [path, table, codec, layout] session in
      try session.write {
        guard try layout.isReady(session) else { return }
        try body(SQLiteEntryStore(session: session, path: path, table: table, codec: codec))
      }
    }
  }

  /// The error of calls for lists, if the table does not support them.
  var noLists: CoreError.QueryNotSupported {
    .lists(in: table.name)
  }

  private func change(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Void
  ) -> Future<Void> {
    perform { [access] session in
      // SQLite's own error would name a statement that is unknown to the caller.
      if access == .reading { throw SQLiteError.readOnlySource }
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
