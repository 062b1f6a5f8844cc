import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// The rows of a table or view as entries.
///
/// Reads use a connection that cannot write. Every future completes on a connection's queue;
/// cancelling it interrupts its statement.
final class SQLiteEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
  let table: SQLiteTable
  let isReadOnly: Bool
  let sentences: SQLiteMessages
  private let warnings: WarningCollector

  init(_ table: SQLiteTable, isReadOnly: Bool, warnings: WarningCollector) {
    self.table = table
    self.isReadOnly = isReadOnly
    self.warnings = warnings
    sentences = SQLiteMessages(path: table.database.path)
  }

  func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? EntryTextQuery { return entryText(query) }
    if let query = query as? PresenceQuery {
      return future(.page) { session, layout in
        try RowReader(layout).present(query.entryKey, session).found(query.entryKey)
      }
    }
    switch ReadRequest(query) {
    case .one(let key):
      let query = query as? EntryQuery
      return future(.page) { session, layout in
        func read() throws -> Entry {
          try session.readingValues(upTo: query?.maximumSize, Messages.value(of: key)) {
            try RowReader(layout).read(key, session).found(key)
          }
        }
        guard query?.readsFiles == true, let contents = try ValueContents(layout, session) else {
          return try read()
        }
        return try contents.completed(try read(), maximumSize: query?.maximumSize)
      }
    case .count(let query): return count(query)
    default: return query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? EntriesQuery {
      return future(.page) { session, layout in
        let reader = RowReader(layout)
        if let entries = try reader.numbered(query, session) { return entries }
        // In one transaction, so that all entries are read from the same state.
        return try session.read {
          try query.answer { key in
            if query.leavesOutLarge, let limit = query.maximumSize {
              return try reader.read(key, leavingOutMoreThan: limit, session)
            }
            return try session.readingValues(upTo: query.maximumSize, Messages.value(of: key)) {
              try reader.read(key, session)
            }
          }
        }
      }
    }
    switch ReadRequest(query) {
    case .page(let query): return page(query)
    case .all: return page(EntryPageQuery(limit: .max, detail: .values), lane: .scan)
    case .several(let keys):
      return future(.page) { session, layout in
        let reader = RowReader(layout)
        return try session.read {
          try keys.map { try reader.read($0, session).found($0) }
        }
      }
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    if let query = query as? ImportQuery {
      return step(nil, query.scan) { step in
        try step.make { CountQuery.answer(try $0.take(query)) }
      }
    }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future(future: {
      let value = try Entry.valueToWrite(value)
      return write(nil, [request.key]) { try $0.put(value, request) }
    })
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery {
      return write(query.scan, query.changes.map(\.key)) { try $0.make(query) }
    }
    if let query = query as? RecordedChangeQuery {
      return step(query.record, query.change.scan) { try $0.make(query.change) }
    }
    if let query = query as? RenamesQuery { return rename(query.renames, query.scan) }
    return Future(future: {
      guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
      let values = try array.valuesToWrite(for: keys)
      return write(nil, keys) { writer in
        try zip(keys, values).map { key, value in
          try writer.put(value, WriteRequest(key, .anything))
        }
      }
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    if let query = query as? RecordedDeletionQuery {
      let (prefix, scan) = (query.query.prefix, query.query.scan)
      return step(query.record, scan) { step in
        // The error of a stop is ignored here, as a stop also interrupts the statement.
        try step.makeRecorded(keys: nil, query.record) {
          try? scan?.reportChanged($0)
        } _: { writer in
          try writer.delete(.prefix(prefix, scan))
          return []
        }
      }.map { _ in }
    }
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    let keys: [EntryKey]? =
      switch request {
      case .one(let key, _): [key]
      case .several(let keys): keys
      case .prefix, .all: nil
      }
    return write(request.scan, keys) { try $0.delete(request) }
  }

  private func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) -> Future<[Entry]> {
    write(scan, renames.flatMap { [$0.entryKey, $0.newKey] }) { try $0.rename(renames, scan) }
  }

  /// Runs an operation on the connection of a lane.
  func future<Value: Sendable>(
    _ lane: SQLiteDatabase.Lane,
    _ body: @escaping @Sendable (SQLiteSession, TableLayout) throws -> Value
  ) -> Future<Value> {
    perform(lane, Messages.nothingRead) { [table] in try body($0, try table.layout($0)) }
  }

  /// Runs an operation on the connection of a lane, and explains its errors.
  ///
  /// - Parameters:
  ///   - lane: The lane.
  ///   - outcome: The consequence of an error, as a clause.
  ///   - cancellation: Interrupts the operation.
  ///   - body: The operation.
  /// - Returns: Its result.
  func perform<Value: Sendable>(
    _ lane: SQLiteDatabase.Lane, _ outcome: String,
    _ cancellation: SQLiteCancellation = SQLiteCancellation(),
    _ body: @escaping @Sendable (SQLiteSession) throws -> Value
  ) -> Future<Value> {
    Future { resolver in
      resolver.onCancel { cancellation.cancel() }
      table.database.connection(lane).perform(cancellation: cancellation) { [table] session in
        do {
          return try body(session)
        } catch let error as SQLiteError {
          guard let gap = UnsupportedSchema(error) else { throw error }
          throw StoreError.failed(
            "\(table.database.path): \(gap.sentence(of: table.name, session)); \(outcome)")
        }
      } completion: { [sentences] result in
        switch result {
        case .success(let value): resolver.set(value)
        case .failure(let error): resolver.set(sentences.translate(error))
        }
      }
    }
  }

  /// Runs an operation in a transaction on the writing connection; `keys` are those of the rows
  /// that it may change, nil for any.
  private func write<Value: Sendable>(
    _ scan: Scan?, _ keys: [EntryKey]?, _ body: @escaping @Sendable (RowWriter) throws -> Value
  ) -> Future<Value> {
    step(nil, scan) { try $0.make(keys: keys.map(Set.init), body) }
  }

  /// Makes a change on the writing connection and passes on its warnings.
  private func step<Value: Sendable>(
    _ record: ChangeRecord?, _ scan: Scan?,
    _ body: @escaping @Sendable (RowChange) throws -> RowChange.Outcome<Value>
  ) -> Future<Value> {
    if isReadOnly {
      return Future(
        StoreError.openedReadOnly(table.database.path))
    }
    let cancellation = SQLiteCancellation()
    // A single statement that changes many rows does not check for a stop.
    scan?.onStop { cancellation.cancel() }
    return perform(.write, Messages.nothingWritten, cancellation) { [table] session in
      try body(RowChange(table: table, session: session, record: record, scan: scan))
    }.map { [warnings] value, said in
      for sentence in said { warnings.add(sentence) }
      return value
    }
  }
}

extension SQLiteEntrySource: DryRunService {
  func entries(after change: StoreChange) async throws -> [Entry] {
    try await step(nil, change.scan) { try $0.tryOut(change) }.getCancelling()
  }
}
