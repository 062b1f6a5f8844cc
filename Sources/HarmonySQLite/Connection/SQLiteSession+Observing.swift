import CSQLite

/// A row that was changed, by a statement or by what the statement set off.
public struct SQLiteRowChange: Sendable {
  /// What tells a row from the others of its table.
  public enum Row: Sendable {
    /// The rowid.
    case rowid(Int64)
    /// The columns of the primary key in its order, where the table has no rowid.
    case key([SQLiteValue])
  }

  /// What is done to a row.
  public enum Kind: Sendable {
    case added
    /// Also where the row gets another key.
    case changed
    case deleted
  }

  /// The table.
  public let table: String
  /// What is done to the row.
  public let kind: Kind
  /// 0 where a statement named the row, more where a trigger or a foreign key changed it.
  public let depth: Int
  /// The row before and the row after, which are one unless its key was changed; one alone where it
  /// was added or deleted.
  public let rows: [Row]
}

extension SQLiteSession {
  /// Whether the library can tell which rows are changed; not every one was built so.
  public static var observesChanges: Bool { cs_has_preupdate() != 0 }

  /// Runs a body, and tells each row that is changed meanwhile, in order.
  ///
  /// Changes of virtual tables are told as those of the tables that they keep their rows in. SQLite's
  /// own tables are not told.
  ///
  /// - Parameters:
  ///   - limit: The most changes that are told.
  ///   - body: Changes rows; observing again in it is not possible.
  /// - Returns: What the body returned, the changes, which are nil where there were more, or where the
  ///   library cannot tell them, and all tables that were changed.
  /// - Throws: What the body throws, and ``SQLiteError`` where the schema cannot be read.
  public func observingChanges<Result>(
    limit: Int = 100_000, _ body: () throws -> Result
  ) throws -> (result: Result, changes: [SQLiteRowChange]?, tables: Set<String>) {
    guard Self.observesChanges else { return (try body(), nil, []) }
    let observer = RowObserver(keys: try keysWithoutRowid(), limit: limit, encoding: encoding)
    let result = try observing(with: observer, body)
    return (result, observer.isOverfull ? nil : observer.changes, observer.tables)
  }

  fileprivate func observing<Result>(
    with observer: RowObserver, _ body: () throws -> Result
  ) throws -> Result {
    try withExtendedLifetime(observer) {
      let context = Unmanaged.passUnretained(observer).toOpaque()
      _ = sqlite3_preupdate_hook(
        handle,
        { context, handle, operation, _, table, old, new in
          guard let context, let handle, let table else { return }
          Unmanaged<RowObserver>.fromOpaque(context).takeUnretainedValue()
            .note(handle, operation, String(cString: table), old, new)
        }, context)
      defer { _ = sqlite3_preupdate_hook(handle, nil, nil) }
      return try body()
    }
  }

  /// The places of the key columns of each table that has no rowid.
  private func keysWithoutRowid() throws(SQLiteError) -> [String: [KeyPlace]] {
    var keys: [String: [KeyPlace]] = [:]
    let rows = try rows(
      "SELECT l.name, c.cid, (SELECT count(*) FROM pragma_table_xinfo(l.name, 'main') AS v "
        + "WHERE v.hidden = 2 AND v.cid < c.cid) FROM pragma_table_list AS l "
        + "JOIN pragma_table_xinfo(l.name, 'main') AS c "
        + "WHERE l.schema = 'main' AND l.wr AND c.pk > 0 ORDER BY l.name, c.pk")
    for row in rows {
      guard case .text(let name) = row[0], case .integer(let place) = row[1],
        case .integer(let virtual) = row[2]
      else { continue }
      let skipped = KeyPlace.updatesSkipVirtualColumns ? virtual : 0
      keys[name, default: []].append(
        KeyPlace(declared: Int32(clamping: place), updated: Int32(clamping: place - skipped)))
    }
    return keys
  }
}

/// Where a column of a key is among the columns of its table.
private struct KeyPlace {
  /// Its place as declared, by which it is read.
  let declared: Int32
  /// The place by which it is read as it is after an UPDATE.
  let updated: Int32

  /// Whether the library counts only the columns that are stored, where it tells the new row of an
  /// UPDATE of a table without rowids.
  ///
  /// That is said nowhere, and not so for old rows nor for rows that are added; so it is tried.
  static let updatesSkipVirtualColumns: Bool = {
    guard
      let session = try? SQLiteSession(
        uri: "file::memory:", flags: SQLITE_OPEN_READWRITE, busyTimeout: .zero),
      (try? session.execute(
        "CREATE TABLE t(g AS (1) VIRTUAL, k PRIMARY KEY, n) WITHOUT ROWID; "
          + "INSERT INTO t(k, n) VALUES(2, 3)")) != nil
    else { return false }
    let observer = RowObserver(
      keys: ["t": [KeyPlace(declared: 1, updated: 0)]], limit: 1, encoding: session.encoding)
    try? session.observing(with: observer) { try session.run("UPDATE t SET n = 4") }
    guard case .key(let values)? = observer.changes.first?.rows.last else { return false }
    return values == [.integer(2)]
  }()
}

/// Takes down the rows that a connection is about to change.
private final class RowObserver {
  private let keys: [String: [KeyPlace]]
  private let limit: Int
  private let encoding: SQLiteEncoding
  private(set) var changes: [SQLiteRowChange] = []
  private(set) var isOverfull = false
  /// The tables, also of changes that were too many.
  private(set) var tables: Set<String> = []

  init(keys: [String: [KeyPlace]], limit: Int, encoding: SQLiteEncoding) {
    self.keys = keys
    self.limit = limit
    self.encoding = encoding
  }

  func note(
    _ handle: OpaquePointer, _ operation: Int32, _ table: String, _ old: Int64, _ new: Int64
  ) {
    tables.insert(table)
    guard changes.count < limit else {
      isOverfull = true
      return
    }
    var rows: [SQLiteRowChange.Row] = []
    if let columns = keys[table] {
      if operation != SQLITE_INSERT {
        rows.append(
          .key(columns.map { value($0.declared) { sqlite3_preupdate_old(handle, $0, $1) } }))
      }
      if operation != SQLITE_DELETE {
        let place = operation == SQLITE_UPDATE ? \KeyPlace.updated : \KeyPlace.declared
        rows.append(
          .key(columns.map { value($0[keyPath: place]) { sqlite3_preupdate_new(handle, $0, $1) } }))
      }
    } else {
      if operation != SQLITE_INSERT { rows.append(.rowid(old)) }
      if operation == SQLITE_INSERT || operation == SQLITE_UPDATE && new != old {
        rows.append(.rowid(new))
      }
    }
    changes.append(
      SQLiteRowChange(
        table: table, kind: kind(operation), depth: Int(sqlite3_preupdate_depth(handle)),
        rows: rows))
  }

  private func kind(_ operation: Int32) -> SQLiteRowChange.Kind {
    switch operation {
    case SQLITE_INSERT: .added
    case SQLITE_DELETE: .deleted
    default: .changed
    }
  }

  /// A column by its place.
  private func value(
    _ place: Int32, _ read: (Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) -> SQLiteValue {
    var cell: OpaquePointer?
    guard read(place, &cell) == SQLITE_OK else { return .null }
    return SQLiteCell(cell, encoding).value
  }
}
