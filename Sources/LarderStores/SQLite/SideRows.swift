import LarderCore

/// Rows that the triggers of a database changed beside those that a step names.
struct SideRows: Sendable, Hashable {
  /// One row, which was there before, is there now, or both.
  struct Row: Sendable, Hashable {
    let table: String
    let key: EntryKey
    /// The value before the step, nil where there was no row.
    let before: StoredValue?
    /// The value after it, nil where there is none.
    let after: StoredValue?
  }

  /// The most rows that are kept of one step.
  static let greatestCount = 10_000
  /// The most bytes that are kept of one step.
  static let greatestSize = 1 << 20

  let rows: [Row]
  /// How many rows were changed and are not kept, 0 where nobody knows; nil where all are kept.
  let lost: Int?

  /// Takes rows; nil for more than is kept.
  init?(_ rows: [Row]) {
    self.rows = rows
    lost = nil
    guard rows.count <= Self.greatestCount, encoded.count <= Self.greatestSize else { return nil }
  }

  /// Says that rows were changed that are not kept.
  init(lost: Int) {
    rows = []
    self.lost = lost
  }
}

extension SideRows {
  private static let word = "rows"

  /// The rows in the form that the journal keeps.
  var encoded: [UInt8] {
    let parts = rows.map { row in
      StoredValue.array([
        .text(row.table), .data(EntryCoding.encode(row.key)), Self.list(row.before),
        Self.list(row.after),
      ])
    }
    let lost = lost.map { StoredValue.integer(Int64($0)) } ?? .null
    return EntryCoding.encode(.array([.text(Self.word), .array(parts), lost]))
  }

  /// Reads what ``encoded`` made; nil for anything else.
  init?(encoded: [UInt8]) {
    guard case .array(let parts)? = EntryCoding.value(encoded), parts.count == 3,
      parts[0] == .text(Self.word), case .array(let rows) = parts[1]
    else { return nil }
    var found: [Row] = []
    for row in rows {
      guard case .array(let parts) = row, parts.count == 4, case .text(let table) = parts[0],
        case .data(let bytes) = parts[1], let key = EntryCoding.key(bytes),
        case .array(let before) = parts[2], case .array(let after) = parts[3]
      else { return nil }
      found.append(Row(table: table, key: key, before: before.first, after: after.first))
    }
    self.rows = found
    lost = if case .integer(let count) = parts[2] { Int(clamping: count) } else { nil }
  }

  private static func list(_ value: StoredValue?) -> StoredValue {
    .array(value.map { [$0] } ?? [])
  }
}
