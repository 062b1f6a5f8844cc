import LarderCore

/// Rows that the triggers of a database changed beside those that a step names, and what else
/// became of the database by the way.
struct SideRows: Sendable, Hashable {
  /// One row, which was there before, is there now, or both.
  struct Row: Sendable, Hashable {
    let table: String
    let key: EntryKey
    /// The value before the step, nil where there was no row.
    let before: StoredValue?
    /// The value after it, nil where there is none.
    let after: StoredValue?
    /// The rowid before the step, where it is no part of the key.
    var number: RowNumber?
  }

  /// The greatest number that a table with AUTOINCREMENT has given to a row.
  struct Sequence: Sendable, Hashable {
    let table: String
    /// The number before the step, nil where there was none.
    let before: Int64?
    /// The number after it.
    let after: Int64
    /// The greatest number that a row had before the step, where it was greater than that.
    var greatestRow: Int64?
  }

  /// The most rows that are kept of one step.
  static let greatestCount = 50_000
  /// The most bytes that are kept of one step.
  static let greatestSize = 8 << 20

  let rows: [Row]
  /// How many rows were changed and are not kept, 0 where nobody knows; nil where all are kept.
  let lost: Int?
  /// The numbers that the database has given meanwhile.
  var sequences: [Sequence] = []
  /// The virtual tables that triggers changed, of which no rows are kept.
  var virtualTables: Set<String> = []
  /// What became of the numbers of rows and words that those of full-text search keep.
  var searchTotals: [String: [Int64]] = [:]

  /// Takes rows; nil for more than is kept.
  init?(_ rows: [Row]) {
    self.rows = rows
    lost = nil
    guard rows.count <= Self.greatestCount, encoded.count <= Self.greatestSize else { return nil }
  }

  /// Says that rows were changed that are not kept.
  init(lost: Int?) {
    rows = []
    self.lost = lost
  }

  /// Whether it tells of rows.
  var tellsOfRows: Bool { !rows.isEmpty || lost != nil }

  /// Says only that there were rows; nil where nothing becomes less.
  var shortened: SideRows? {
    guard !rows.isEmpty else { return nil }
    var shortened = SideRows(lost: rows.count + (lost ?? 0))
    shortened.sequences = sequences
    shortened.virtualTables = virtualTables
    shortened.searchTotals = searchTotals
    return shortened
  }
}

extension SideRows {
  private static let word = "rows"

  /// The rows in the form that the journal keeps.
  var encoded: [UInt8] {
    let parts = rows.map { row in
      StoredValue.array(
        [
          .text(row.table), .data(EntryCoding.encode(row.key)), Self.list(row.before),
          Self.list(row.after),
        ] + (row.number.map { [.integer($0.number)] } ?? []))
    }
    let lost = lost.map { StoredValue.integer(Int64($0)) } ?? .null
    let sequences = sequences.map { sequence in
      StoredValue.array(
        [
          .text(sequence.table), sequence.before.map { .integer($0) } ?? .null,
          .integer(sequence.after),
        ] + (sequence.greatestRow.map { [.integer($0)] } ?? []))
    }
    let virtualTables = virtualTables.sorted().flatMap { name -> [StoredValue] in
      let totals = searchTotals[name].map { totals in
        [StoredValue.array([.text(name)] + totals.map { .integer($0) })]
      }
      return [.text(name)] + (totals ?? [])
    }
    let further: [[StoredValue]] =
      virtualTables.isEmpty ? sequences.isEmpty ? [] : [sequences] : [sequences, virtualTables]
    return EntryCoding.encode(
      .array([.text(Self.word), .array(parts), lost] + further.map { .array($0) }))
  }

  /// Reads what ``encoded`` made; nil for anything else.
  init?(encoded: [UInt8]) {
    guard case .array(let parts)? = EntryCoding.value(encoded), (3...5).contains(parts.count),
      parts[0] == .text(Self.word), case .array(let rows) = parts[1]
    else { return nil }
    var found: [Row] = []
    for row in rows {
      guard let row = Row(row) else { return nil }
      found.append(row)
    }
    self.rows = found
    lost = if case .integer(let count) = parts[2] { Int(clamping: count) } else { nil }
    if parts.count > 3, case .array(let list) = parts[3] {
      sequences = list.compactMap { Sequence($0) }
    }
    if parts.count > 4, case .array(let list) = parts[4] {
      virtualTables = Set(list.compactMap { if case .text(let name) = $0 { name } else { nil } })
      for case .array(let totals) in list {
        guard case .text(let name)? = totals.first else { continue }
        searchTotals[name] = totals.dropFirst().compactMap {
          if case .integer(let number) = $0 { number } else { nil }
        }
      }
    }
  }

  private static func list(_ value: StoredValue?) -> StoredValue {
    .array(value.map { [$0] } ?? [])
  }
}

extension SideRows.Row {
  fileprivate init?(_ encoded: StoredValue) {
    guard case .array(let parts) = encoded, (4...5).contains(parts.count),
      case .text(let table) = parts[0], case .data(let bytes) = parts[1],
      let key = EntryCoding.key(bytes), case .array(let before) = parts[2],
      case .array(let after) = parts[3]
    else { return nil }
    self.init(table: table, key: key, before: before.first, after: after.first)
    if parts.count > 4, case .integer(let number) = parts[4] { self.number = RowNumber(number) }
  }
}

extension SideRows.Sequence {
  fileprivate init?(_ encoded: StoredValue) {
    guard case .array(let parts) = encoded, (3...4).contains(parts.count),
      case .text(let table) = parts[0], case .integer(let after) = parts[2]
    else { return nil }
    let before: Int64? = if case .integer(let number) = parts[1] { number } else { nil }
    self.init(table: table, before: before, after: after)
    if parts.count > 3, case .integer(let number) = parts[3] { greatestRow = number }
  }
}
