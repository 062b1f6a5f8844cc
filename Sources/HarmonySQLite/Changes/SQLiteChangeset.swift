/// The rows that a transaction changed, each with its states before and after.
///
/// It is created by ``SQLiteSession/recordingChanges(limit:onChange:_:)`` and applied, in either
/// direction, by ``SQLiteSession/apply(_:_:)``. It includes every row that a statement, a trigger
/// or a foreign key changed, in every ordinary table, including the shadow tables of virtual
/// tables.
///
/// larder records rows itself because the session extension of SQLite 3.40, which Debian 12 has,
/// fails on tables with virtual columns, restores `NULL` instead of the default of a column that
/// was added later, loses rowids, and ignores rows with `NULL` in their primary keys.
public struct SQLiteChangeset: Sendable, Hashable {
  /// A table with changed rows.
  public struct Table: Sendable, Hashable {
    /// The name as spelled in the schema.
    public let name: String
    /// The stored columns, in the order of their declarations.
    public let columns: [String]
    /// The indices in ``columns`` of the primary key columns, in the order of the key; nil if the
    /// table has no primary key or it is the rowid.
    let primaryKey: [Int]?
    /// Whether it is a shadow table, in which a virtual table stores its data.
    public let isShadow: Bool
  }

  /// The identity of a row in its table.
  public enum Place: Sendable, Hashable {
    /// The rowid, if the table has no other primary key or the key of this row contains `NULL`.
    case rowid(Int64)
    /// The encoded primary key.
    case key([UInt8])
  }

  /// A stored row.
  struct Row: Sendable, Hashable {
    /// The encoded stored columns.
    var columns: [UInt8]
    /// The rowid; nil if the table has none.
    var rowid: Int64?
  }

  /// A row at its place before or after the change.
  ///
  /// A row whose key changes has two slots, one for its old and one for its new place.
  public struct Slot: Sendable, Hashable {
    /// The index of its table in ``SQLiteChangeset/tables``.
    public let table: Int
    /// The place of the row.
    public let place: Place
    /// The row before the change; nil if there was none.
    var before: Row?
    /// The row after the change; nil if there is none.
    var after: Row?
    /// Whether a statement changed the row itself, rather than only a trigger or a foreign key.
    public var isDirect: Bool
  }

  /// The largest rowid that a table with `AUTOINCREMENT` has assigned.
  public struct Sequence: Sendable, Hashable {
    let table: String
    /// The rowid before the change; nil if there was none.
    let before: Int64?
    /// The rowid after the change; nil if there is none.
    let after: Int64?
  }

  /// The direction in which a changeset is applied.
  public enum Direction: Sendable, Hashable {
    /// Restores the state before the change.
    case revert
    /// Restores the state after the change.
    case reapply
  }

  /// The tables, in the order of their first changes.
  public internal(set) var tables: [Table] = []
  /// The rows, in the order of their first changes.
  public internal(set) var slots: [Slot] = []
  var sequences: [Sequence] = []

  /// Returns the stored columns of a row in the state after applying the changeset.
  ///
  /// - Returns: The values in the order of ``Table/columns``; nil if there is no row in that state.
  public func values(of slot: Slot, at direction: Direction) -> [SQLiteValue]? {
    guard let row = direction == .revert ? slot.before : slot.after else { return nil }
    var reader = SQLiteRowReader(row.columns)
    return reader.values(tables[slot.table].columns.count)
  }
}

extension SQLiteChangeset {
  /// Returns the changeset without the rows of the given conflicts.
  public func excluding(_ conflicts: [SQLiteChangesetConflict]) -> SQLiteChangeset {
    let places = Dictionary(grouping: conflicts, by: \.table).mapValues { Set($0.map(\.place)) }
    var rest = self
    rest.slots.removeAll { places[tables[$0.table].name]?.contains($0.place) == true }
    return rest
  }

  /// Returns the rowid of a row in the state after applying the changeset.
  ///
  /// - Returns: The rowid; nil if there is no row in that state or its table has no rowids.
  public func rowid(of slot: Slot, at direction: Direction) -> Int64? {
    (direction == .revert ? slot.before : slot.after)?.rowid
  }
}

/// A row that prevents or limits applying a changeset, because it or its table was changed since.
public struct SQLiteChangesetConflict: Error, Sendable, Hashable {
  /// The table.
  public let table: String
  /// The row.
  public let place: SQLiteChangeset.Place
  /// The reason of the conflict.
  public let reason: Reason

  /// The reason of a conflict.
  public enum Reason: Sendable, Hashable {
    /// The row was changed or deleted, or another row is in its place.
    case rowChanged
    /// A row deleted as a side effect has to be restored, but another row has its key.
    case keyTaken
    /// Another row has the same values in the columns of a unique index.
    case valueTaken(String)
    /// The table was deleted or has lost a column.
    case tableChanged
    /// Another row has the rowid of the row, which was restored with a new rowid.
    case rowidTaken
    /// The declaration of the table was changed and converts a value.
    case valueConverted
    /// The index of a virtual table was changed and cannot be rebuilt.
    case indexChanged
    /// Columns were added to the table, and the row to delete has values in them.
    case columnsAdded
  }
}

// MARK: - The encoded form

extension SQLiteChangeset {
  /// The magic number of the encoded form.
  public static let mark: [UInt8] = Array("larder-changeset-1".utf8)

  /// The changeset in the encoded form of ``init(encoded:)``.
  public var encoded: [UInt8] {
    var writer = SQLiteRowWriter()
    writer.bytes.reserveCapacity(
      64
        + slots.reduce(0) {
          $0 + 16 + ($1.before?.columns.count ?? 0) + ($1.after?.columns.count ?? 0)
        })
    writer.bytes += Self.mark
    writer.append(count: tables.count)
    for table in tables {
      writer.append(bytes: Array(table.name.utf8))
      writer.append(count: table.isShadow ? 1 : 0)
      writer.append(count: table.columns.count)
      for column in table.columns { writer.append(bytes: Array(column.utf8)) }
      writer.append(count: table.primaryKey.map { $0.count + 1 } ?? 0)
      for place in table.primaryKey ?? [] { writer.append(count: place) }
    }
    writer.append(count: slots.count)
    for slot in slots {
      writer.append(count: slot.table)
      writer.append(
        count: (slot.isDirect ? 1 : 0) | (slot.before == nil ? 0 : 2) | (slot.after == nil ? 0 : 4)
          | (slot.before?.rowid == nil ? 0 : 8) | (slot.after?.rowid == nil ? 0 : 16)
          | (slot.place.isRowid ? 32 : 0))
      switch slot.place {
      case .rowid(let number): writer.append(count: Int(number))
      case .key(let key): writer.append(bytes: key)
      }
      for row in [slot.before, slot.after] {
        guard let row else { continue }
        if let rowid = row.rowid { writer.append(count: Int(rowid)) }
        writer.append(bytes: row.columns)
      }
    }
    writer.append(count: sequences.count)
    for sequence in sequences {
      writer.append(bytes: Array(sequence.table.utf8))
      writer.append([sequence.before, sequence.after].map { $0.map { .integer($0) } ?? .null })
    }
    return writer.bytes
  }

  /// Creates a changeset from its encoded form; nil if that is not valid.
  public init?(encoded: [UInt8]) {
    guard encoded.starts(with: Self.mark) else { return nil }
    var reader = SQLiteRowReader(encoded, from: Self.mark.count)
    guard let tableCount = reader.length() else { return nil }
    for _ in 0..<tableCount {
      guard let name = reader.string(), let isShadow = reader.count(), let count = reader.length()
      else { return nil }
      var columns: [String] = []
      for _ in 0..<count {
        guard let column = reader.string() else { return nil }
        columns.append(column)
      }
      guard let parts = reader.length() else { return nil }
      var primaryKey: [Int]? = parts == 0 ? nil : []
      for _ in 1..<max(parts, 1) {
        guard let place = reader.count(), columns.indices.contains(place) else { return nil }
        primaryKey?.append(place)
      }
      tables.append(
        Table(name: name, columns: columns, primaryKey: primaryKey, isShadow: isShadow == 1))
    }
    guard let slotCount = reader.length() else { return nil }
    for _ in 0..<slotCount {
      guard let table = reader.count(), tables.indices.contains(table), let flags = reader.count()
      else { return nil }
      let place: Place
      if flags & 32 != 0 {
        guard let number = reader.count() else { return nil }
        place = .rowid(Int64(number))
      } else {
        guard let key = reader.blob() else { return nil }
        place = .key(key)
      }
      var slot = Slot(
        table: table, place: place, before: nil, after: nil, isDirect: flags & 1 != 0)
      for (isThere, hasRowid) in [(2, 8), (4, 16)] where flags & isThere != 0 {
        let rowid = flags & hasRowid == 0 ? nil : reader.count().map { Int64($0) }
        guard let columns = reader.blob() else { return nil }
        let row = Row(columns: columns, rowid: rowid)
        if isThere == 2 { slot.before = row } else { slot.after = row }
      }
      slots.append(slot)
    }
    guard let sequenceCount = reader.length() else { return nil }
    for _ in 0..<sequenceCount {
      guard let table = reader.string(), let numbers = reader.values(2) else { return nil }
      sequences.append(
        Sequence(table: table, before: numbers[0].integer, after: numbers[1].integer))
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension SQLiteChangeset.Place {
  /// The approximate number of bytes of the place, including the overhead of its row.
  var size: Int {
    switch self {
    case .rowid: 8
    case .key(let bytes): bytes.count + 8
    }
  }

  var isRowid: Bool { if case .rowid = self { true } else { false } }
}
