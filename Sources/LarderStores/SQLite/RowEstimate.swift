import HarmonySQLite

/// An estimate of the number of rows in a table, from samples of its rowids.
///
/// The rowids are divided into ranges. A few rows at the start of each show how dense it is, and
/// the range that could contain the most rows is divided again. So gaps have little effect, whether
/// they are between all rows or in one place.
struct RowEstimate {
  private struct Stretch {
    let start: Int64
    let end: Int64
    /// The estimated number of rows, from the sample and the gap before it.
    let count: Double
    /// The estimate without that gap; 0 if all rows of the range were read.
    let most: Double
  }

  /// The maximum number of samples.
  private static let places = 200
  /// The number of rows in a sample.
  private static let sample: Int64 = 16

  private let session: SQLiteSession
  private let sql: String

  /// Estimates the number of rows.
  ///
  /// - Parameters:
  ///   - session: The connection.
  ///   - layout: The table.
  ///   - rowid: A name of its rowid.
  /// - Returns: The number; nil if there are no rows.
  /// - Throws: ``SQLiteError`` if the table cannot be read.
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
      // Halved separately, as their difference may not fit into 64 bits.
      let middle = start / 2 + end / 2
      guard start < middle, middle < end else { break }
      stretches[place] = try look(start, middle)
      stretches.append(try look(middle + 1, end))
      places += 2
    }
    return Int(exactly: stretches.reduce(0) { $0 + $1.count }.rounded())
  }

  /// Samples the first rows of a range.
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

  /// Returns the number of rowids in a range, which may not fit into 64 bits.
  private func width(_ first: Int64, _ last: Int64) -> Double { Double(last) - Double(first) + 1 }
}
