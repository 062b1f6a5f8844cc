/// The rows that a transaction changed, each as it was before and as it is after.
///
/// Made by ``SQLiteSession/recordingChanges(limit:_:)`` and applied, in either direction, by
/// ``SQLiteSession/apply(_:_:)``. It covers every row that a statement, a trigger or a foreign key
/// changed, in every ordinary table, including those in which virtual tables keep their data.
///
/// larder records rows itself because SQLite's session extension of 3.40, which Debian 12 has, fails
/// on tables with virtual columns, restores `NULL` for the default of a column that was added later,
/// loses rowids, and ignores rows whose primary key holds `NULL`.
public struct SQLiteChangeset: Sendable, Hashable {
  /// A table with changed rows.
  public struct Table: Sendable, Hashable {
    /// The name, as the schema spells it.
    public let name: String
    /// The columns whose values are stored, in the order of their declaration.
    public let columns: [String]
    /// The places in ``columns`` of the primary key, in its order; nil where there is none, or it is
    /// the rowid.
    let primaryKey: [Int]?
    /// Whether a virtual table keeps its data in it.
    public let isShadow: Bool
  }

  /// What tells a row from the others of its table.
  public enum Place: Sendable, Hashable {
    /// The rowid, where the table has no other primary key, or that holds `NULL` in the row.
    case rowid(Int64)
    /// The primary key, encoded.
    case key([UInt8])
  }

  /// A row as it is stored.
  struct Row: Sendable, Hashable {
    /// The stored columns, encoded.
    var columns: [UInt8]
    /// The rowid; nil where the table has none.
    var rowid: Int64?
  }

  /// One row, at the place that it has or had.
  ///
  /// A row that gets another key leaves one place and appears at another.
  public struct Slot: Sendable, Hashable {
    /// The index of its table in ``SQLiteChangeset/tables``.
    public let table: Int
    /// Where the row is.
    public let place: Place
    /// The row before the change; nil where there was none.
    var before: Row?
    /// The row after it; nil where there is none.
    var after: Row?
    /// Whether a statement changed it, and not only a trigger or a foreign key.
    public var isDirect: Bool
  }

  /// The largest number that a table with `AUTOINCREMENT` has given to a row.
  public struct Sequence: Sendable, Hashable {
    let table: String
    /// The number before the change; nil where there was none.
    let before: Int64?
    /// The number after it.
    let after: Int64?
  }

  /// Which of its two states a changeset is brought to.
  public enum Direction: Sendable, Hashable {
    /// As it was before the change.
    case revert
    /// As it was after the change.
    case reapply
  }

  /// The tables, in the order in which they were first changed.
  public internal(set) var tables: [Table] = []
  /// The rows, in the order in which they were first changed.
  public internal(set) var slots: [Slot] = []
  var sequences: [Sequence] = []

  /// The stored columns of a row, as they are once the changeset was applied in a direction.
  ///
  /// - Returns: The values in the order of ``Table/columns``; nil where there is no row then.
  public func values(of slot: Slot, at direction: Direction) -> [SQLiteValue]? {
    guard let row = direction == .revert ? slot.before : slot.after else { return nil }
    var reader = SQLiteRowReader(row.columns[...])
    return reader.values(tables[slot.table].columns.count)
  }
}

extension SQLiteChangeset {
  /// The changeset without the rows of some conflicts.
  public func excluding(_ conflicts: [SQLiteChangesetConflict]) -> SQLiteChangeset {
    let places = Dictionary(grouping: conflicts, by: \.table).mapValues { Set($0.map(\.place)) }
    var rest = self
    rest.slots.removeAll { places[tables[$0.table].name]?.contains($0.place) == true }
    return rest
  }

  /// The rowid of a row, as it is once the changeset was applied in a direction.
  ///
  /// - Returns: nil where there is no row then, or its table has no rowids.
  public func rowid(of slot: Slot, at direction: Direction) -> Int64? {
    (direction == .revert ? slot.before : slot.after)?.rowid
  }
}

/// A row that is not what a changeset expects, because it was changed in the meantime.
public struct SQLiteChangesetConflict: Error, Sendable, Hashable {
  /// The table.
  public let table: String
  /// The row.
  public let place: SQLiteChangeset.Place
  /// What keeps the row from being changed.
  public let reason: Reason

  /// What keeps a row from being changed.
  public enum Reason: Sendable, Hashable {
    /// The row differs, is gone, or another row is in its place.
    case rowChanged
    /// The row went along with the change and has to come back, and another one has its key.
    case keyTaken
    /// Another row has what a unique index of these columns lets only one have.
    case valueTaken(String)
    /// The table is gone, or has lost a column.
    case tableChanged
    /// The rowid that the row had belongs to another one; it came back under a new rowid.
    case rowidTaken
    /// The table is declared otherwise now, and would store another value.
    case valueConverted
    /// The index of a virtual table was changed, and cannot be made again.
    case indexChanged
    /// The table has got columns since, and the row, which would be removed, has values in them.
    case columnsAdded
  }
}

// MARK: - The encoded form

extension SQLiteChangeset {
  /// What the encoded form begins with.
  public static let mark: [UInt8] = Array("larder-changeset-1".utf8)

  /// The changeset as bytes, from which ``init(encoded:)`` reads it.
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

  /// Reads what ``encoded`` made; nil for anything else.
  public init?(encoded: [UInt8]) {
    guard encoded.starts(with: Self.mark) else { return nil }
    var reader = SQLiteRowReader(encoded[Self.mark.count...])
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
      for (path, isThere, hasRowid) in [(\Slot.before, 2, 8), (\Slot.after, 4, 16)]
      where flags & isThere != 0 {
        let rowid = flags & hasRowid == 0 ? nil : reader.count().map { Int64($0) }
        guard let columns = reader.blob() else { return nil }
        slot[keyPath: path] = Row(columns: columns, rowid: rowid)
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
  /// How many bytes it takes, more or less, with what is said of its row.
  var size: Int {
    switch self {
    case .rowid: 8
    case .key(let bytes): bytes.count + 8
    }
  }

  var isRowid: Bool { if case .rowid = self { true } else { false } }
}

extension SQLiteValue {
  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
