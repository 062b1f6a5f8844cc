import HarmonySQLite
import LarderModel

extension RowScan {
  /// How many keys a table is parted by at once.
  private static let partCount = 512

  /// Whether parts of the rows may be looked at by several threads.
  var mayPart: Bool {
    prefix.isEmpty && !isBackward && (filter != nil || expiring != nil || isSorted || !collects)
  }

  /// Keys behind the last one that was looked at, which part the rows of a large table; too few in a
  /// small one.
  func partingKeys(
    _ session: SQLiteSession, _ layout: TableLayout, path: String
  ) throws -> [SQLiteValue] {
    guard let after = try after.flatMap({ try layout.values(of: $0).first }), after != .null,
      let partition = try KeyPartition(session, layout, path: path)
    else { return [] }
    return partition.keys(after: after, count: Self.partCount)
  }

  /// The walk over the rows behind a key, up to another one and with it, for another thread.
  func stretch(after: EntryKey?, through end: SQLiteValue) -> RowScan {
    var part = self
    part.after = after
    part.end = end
    part.limit -= matchCount
    part.entries = []
    part.matchCount = 0
    part.byteCount = byteCount.map { _ in 0 }
    part.selection = nil
    part.meter = meter.part
    return part
  }

  /// Takes what was found in two stretches, the second of which is only there where the walk came
  /// to the end of the first.
  ///
  /// - Returns: Whether all of it was taken: more than the page has room for is looked for again.
  /// - Throws: `CancellationError` where the answer is not wanted any more.
  mutating func take(_ first: RowScan, _ second: RowScan?) throws -> Bool {
    try take(first)
    guard let second, first.outcome == .stretchEnded else { return true }
    if matchCount < limit {
      guard second.matchCount <= limit - matchCount else { return false }
      try take(second)
    }
    if outcome == .batchEnded, matchCount >= limit { outcome = .pageFull }
    return true
  }

  private mutating func take(_ part: RowScan) throws {
    entries += part.entries
    matchCount += part.matchCount
    if let bytes = part.byteCount { byteCount? += bytes }
    if let found = part.selection { selection?.take(found) }
    after = part.after
    outcome = part.outcome == .stretchEnded ? .batchEnded : part.outcome
    if isSorted {
      try meter.countAll(part.meter.examined)
    } else {
      meter.count(part.meter.examined)
      meter.report(position: after)
    }
  }
}

/// Where a walk over a part of the rows ends.
struct StretchBound {
  private let end: SQLiteValue
  private let column: TableLayout.KeyColumn
  /// Whether rows are compared here, and not each of them by SQLite, which takes a fifth of the time
  /// where few come out of it.
  private let isCompared: Bool

  /// The end at a key; nil for none.
  ///
  /// - Parameters:
  ///   - end: The last key that belongs to the part.
  ///   - layout: The table.
  ///   - isSieved: Whether all that do not match are left out, but for one now and then.
  init?(_ end: SQLiteValue?, _ layout: TableLayout, isSieved: Bool) {
    guard let end, let column = layout.keyColumns.first else { return nil }
    self.end = end
    self.column = column
    let isSimple =
      switch end {
      case .text: column.isPlainText
      case .integer: layout.index == nil && layout.rowid != nil
      default: false
      }
    isCompared = isSieved && isSimple
  }

  /// Has SQLite end the rows, where it does.
  func apply(to segment: inout KeySegment) {
    guard !isCompared else { return }
    segment.conditions.append("\(column.sql) <= ?")
    segment.bindings.append(end)
  }

  /// Whether the current row does not belong to the part any more.
  func isBehind(_ statement: SQLiteStatement) -> Bool {
    guard isCompared else { return false }
    return switch (statement.lent(at: 0), end) {
    case (.text(let key), .text(let end)): end.utf8.lexicographicallyPrecedes(key)
    case (.integer(let key), .integer(let end)): key > end
    case (.blob, .text): true
    default: false
    }
  }

  /// How many rows were left out that lie between the end and the current row behind it.
  func overrun(
    _ session: SQLiteSession, _ layout: TableLayout, _ statement: SQLiteStatement
  ) throws(SQLiteError) -> Int {
    try session.count(
      "FROM \(layout.from) WHERE \(column.sql) > ? AND \(column.sql) < ?",
      [end, statement.value(at: 0)])
  }
}
