import HarmonySQLite
import LarderModel

/// A range of consecutive rows in an index, in the order of a page.
///
/// A page reads one segment after the other. SQLite finds each by search and reads it without
/// sorting. A single condition with OR would allow neither, and a comparison with NULL would lose
/// rows.
struct KeySegment {
  var conditions: [String] = []
  var bindings: [SQLiteValue] = []
  var order: [String] = []

  /// The WHERE and ORDER BY clauses of the segment.
  var sql: String {
    (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
      + (order.isEmpty ? "" : " ORDER BY " + order.joined(separator: ", "))
  }
}

extension TableLayout {
  /// Returns the segments of all rows after a key, in a direction.
  ///
  /// A prefix limits them to text keys that start with it; it requires `takesPrefixRange`.
  func segments(
    after: [SQLiteValue]?, backward: Bool, prefix: String = ""
  ) -> [KeySegment] {
    let columns = keyColumns
    if !prefix.isEmpty, let column = columns.first {
      return [Self.segment(column, prefix: prefix, after: after?.first, backward: backward)]
    }
    guard let after else {
      return [KeySegment(order: Self.order(columns[...], backward: backward))]
    }
    let descends = columns.map { $0.isDescending != backward }
    return columns.indices.reversed().flatMap { place in
      Self.segments(columns, descends, after, equalBefore: place, backward: backward)
    }
  }

  /// Whether the keys with a prefix are a range of the index.
  var takesPrefixRange: Bool {
    keyColumns.count == 1 && keyColumns.allSatisfy(\.isPlainText)
  }

  /// Returns the rows that equal `after` in the columns before `place` and follow it there.
  private static func segments(
    _ columns: [KeyColumn], _ descends: [Bool], _ after: [SQLiteValue], equalBefore place: Int,
    backward: Bool
  ) -> [KeySegment] {
    let column = columns[place]
    let value = after[place]
    var equal = KeySegment()
    for index in 0..<place {
      equal.conditions.append("\(columns[index].sql) IS ?")
      equal.bindings.append(after[index])
    }
    var range = equal
    range.order = order(columns[place...], backward: backward)
    if value == .null {
      guard !descends[place] else { return [] }
      range.conditions.append("\(column.sql) IS NOT NULL")
      return [range]
    }
    range.conditions.append("\(column.sql) \(descends[place] ? "<" : ">") ?")
    range.bindings.append(value)
    guard descends[place], column.isNullable else { return [range] }
    var nulls = equal
    nulls.conditions.append("\(column.sql) IS NULL")
    nulls.order = order(columns[(place + 1)...], backward: backward)
    return [range, nulls]
  }

  private static func segment(
    _ column: KeyColumn, prefix: String, after: SQLiteValue?, backward: Bool
  ) -> KeySegment {
    let descends = column.isDescending != backward
    var segment = KeySegment(order: order([column], backward: backward))
    var (lower, upper) = (
      [SQLiteValue.text(prefix)],
      successor(of: Array(prefix.utf8)).map { [SQLiteValue.malformedText($0)] } ?? []
    )
    switch after {
    case nil: break
    // NULL comes before all text.
    case .null: if descends { segment.conditions.append("0") }
    case let after? where descends: upper.append(after)
    case let after?:
      segment.conditions.append("\(column.sql) <> ?")
      segment.bindings.append(after)
      lower.append(after)
    }
    // One bound on each side: with two, SQLite may search by the looser one.
    for (sign, tighter, bounds) in [(">=", "max", lower), ("<", "min", upper)]
    where !bounds.isEmpty {
      segment.conditions.append(
        "\(column.sql) \(sign) \(bounds.count == 1 ? "?" : tighter + "(?, ?)")")
      segment.bindings += bounds
    }
    return segment
  }

  private static func order(_ columns: ArraySlice<KeyColumn>, backward: Bool) -> [String] {
    columns.map { $0.sql + ($0.isDescending != backward ? " DESC" : "") }
  }

  /// Returns the smallest bytes greater than all that start with `bytes`; nil if there are none.
  private static func successor(of bytes: [UInt8]) -> [UInt8]? {
    var bytes = bytes
    while let last = bytes.popLast() {
      if last < 0xFF { return bytes + [last + 1] }
    }
    return nil
  }
}
