import HarmonySQLite
import LarderModel

extension RowScan {
  /// The maximum number of keys that split a table at a time.
  private static let partCount = 512

  /// Whether several threads may scan parts of the rows.
  var maySplit: Bool {
    prefix.isEmpty && !isBackward && (filter != nil || expiring != nil || isSorted || !collects)
  }

  /// Returns keys after the last row that was read, which split the rest of a large table.
  ///
  /// There may be too few in a small one.
  func splitKeys(
    _ session: SQLiteSession, _ layout: TableLayout, path: String
  ) throws -> [SQLiteValue] {
    guard let after = try after.flatMap({ try layout.values(of: $0).first }), after != .null,
      let partition = try KeyPartition(session, layout, path: path)
    else { return [] }
    return partition.keys(after: after, count: Self.partCount)
  }

  /// Returns a scan, for another thread, of the rows after one key up to and including another.
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

  /// Adds the results of two ranges; the second is nil if the first was not read to its end.
  ///
  /// - Returns: Whether all results were used; those for which the page has no room are read again.
  /// - Throws: `CancellationError` if the answer is no longer wanted.
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

/// The end of the range of a scan.
struct StretchBound {
  private let end: SQLiteValue
  private let column: TableLayout.KeyColumn
  /// Whether rows are compared here and not by SQLite, which takes a fifth of the time to compare
  /// each of them if few come out of it.
  private let isCompared: Bool

  /// Creates the end of a range; nil without a key.
  ///
  /// - Parameters:
  ///   - end: The last key in the range.
  ///   - layout: The table.
  ///   - isSieved: Whether most of the rows that do not match are skipped.
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

  /// Makes SQLite end the range, unless rows are compared here.
  func apply(to segment: inout KeySegment) {
    guard !isCompared else { return }
    segment.conditions.append("\(column.sql) <= ?")
    segment.bindings.append(end)
  }

  /// Whether the current row is past the end of the range.
  func isBehind(_ statement: SQLiteStatement) -> Bool {
    guard isCompared else { return false }
    return switch (statement.lent(at: 0), end) {
    case (.text(let key), .text(let end)): end.utf8.lexicographicallyPrecedes(key)
    case (.integer(let key), .integer(let end)): key > end
    case (.blob, .text): true
    default: false
    }
  }

  /// Returns the number of skipped rows between the end and the current row past it.
  func overrun(
    _ session: SQLiteSession, _ layout: TableLayout, _ statement: SQLiteStatement
  ) throws(SQLiteError) -> Int {
    try session.count(
      "FROM \(layout.from) WHERE \(column.sql) > ? AND \(column.sql) < ?",
      [end, statement.value(at: 0)])
  }
}
