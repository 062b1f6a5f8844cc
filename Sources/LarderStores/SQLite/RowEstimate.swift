import HarmonySQLite

/// About how many rows a table has, from a few places of its rowids.
///
/// The rowids are taken apart into stretches. Of each, as few rows are stepped over as tell how close
/// they lie, and the one that could hold most is taken apart again: so gaps count for little,
/// whether they are between all rows or in one place.
struct RowEstimate {
  private struct Stretch {
    let start: Int64
    let end: Int64
    /// How many rows it has where they lie as those do that were looked at, and the gap before them.
    let count: Double
    /// How many it would have without that gap; 0 where they were all looked at.
    let most: Double
  }

  /// How many places are looked at.
  private static let places = 200
  /// How many rows are looked at in each.
  private static let sample: Int64 = 16

  private let session: SQLiteSession
  private let sql: String

  /// Estimates the number of rows.
  ///
  /// - Parameters:
  ///   - session: The connection.
  ///   - layout: The table.
  ///   - rowid: A name of its rowid.
  /// - Returns: The number; nil where there are none.
  /// - Throws: ``SQLiteError`` where the table cannot be read.
  static func count(
    _ session: SQLiteSession, _ layout: TableLayout, rowid: String
  ) throws(SQLiteError) -> Int? {
    let ends = try session.rows(
      "SELECT (SELECT min(t.\(rowid)) FROM \(layout.target)), "
        + "(SELECT max(t.\(rowid)) FROM \(layout.target))")
    guard case .integer(let first)? = ends.first?.first, ends.first?.count == 2,
      case .integer(let last)? = ends.first?.last
    else { return nil }
    let sql =
      "SELECT t.\(rowid) FROM \(layout.target) WHERE t.\(rowid) BETWEEN ? AND ? "
      + "ORDER BY t.\(rowid) LIMIT \(sample)"
    return try RowEstimate(session: session, sql: sql).count(first, last)
  }

  private func count(_ first: Int64, _ last: Int64) throws(SQLiteError) -> Int? {
    var stretches = [try look(first, last)]
    var places = 1
    while places < Self.places {
      let widest = stretches.indices.max { stretches[$0].most < stretches[$1].most }
      guard let place = widest, stretches[place].most > 0 else { break }
      let (start, end) = (stretches[place].start, stretches[place].end)
      // Half of each, as their difference need not fit into 64 bits.
      let middle = start / 2 + end / 2
      guard start < middle, middle < end else { break }
      stretches[place] = try look(start, middle)
      stretches.append(try look(middle + 1, end))
      places += 2
    }
    return Int(exactly: stretches.reduce(0) { $0 + $1.count }.rounded())
  }

  /// Looks at the first rows of a stretch.
  private func look(_ start: Int64, _ end: Int64) throws(SQLiteError) -> Stretch {
    let rows = try session.rows(sql, [.integer(start), .integer(end)])
    guard rows.count == Self.sample, case .integer(let first)? = rows.first?.first,
      case .integer(let last)? = rows.last?.first
    else { return Stretch(start: start, end: end, count: Double(rows.count), most: 0) }
    let seen = Double(Self.sample)
    return Stretch(
      start: start, end: end, count: seen * width(start, end) / width(start, last),
      most: last == end ? 0 : seen * width(first, end) / width(first, last))
  }

  /// How many rowids there are from one to another; more than 64 bits hold.
  private func width(_ first: Int64, _ last: Int64) -> Double { Double(last) - Double(first) + 1 }
}
