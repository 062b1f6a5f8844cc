import HarmonySQLite
import LarderCore

/// What the journal keeps of a step beside its entries: the bytes of a file, the rows of
/// triggers, or the folders that it made.
extension JournalTable {
  /// The size up to which nothing is gained by letting it go.
  private static let smallSize: Int64 = 256

  /// Keeps it, and lets what older steps have go where all together is too large.
  ///
  /// - Parameters:
  ///   - revision: The bytes, nil for none.
  ///   - number: The step.
  ///   - limit: The most that all steps may take.
  /// - Throws: `SQLiteError` where the file cannot be written.
  func setRevision(_ revision: [UInt8]?, of number: Int64, limit: Int) throws {
    try session.run(
      "UPDATE steps SET size = size - ifnull(length(revision), 0) + ?3, revision = ?2 "
        + "WHERE number = ?1 AND revision IS NOT ?2",
      [.integer(number), Self.blob(revision), .integer(Int64(revision?.count ?? 0))])
    if revision != nil { try trimRevisions(limit: limit, but: number) }
  }

  /// The folders that other steps of the store made, of those that are taken back, and that taking
  /// back made, of those that are not.
  func stayedFolders(besides step: Step) throws -> MadeFolders.Marks {
    let rows = try session.rows(
      "SELECT revision, \(Self.isDone), \(Self.isWhole) FROM steps AS s "
        + "WHERE s.path = ?1 AND s.collection IS ?2 AND s.number <> ?3 AND NOT s.pending "
        + "AND s.revision IS NOT NULL ORDER BY s.turn",
      Self.values(step.record.location) + [.integer(step.record.step.number)])
    var marks: MadeFolders.Marks = [:]
    for row in rows {
      guard let folders = Self.bytes(row[0]).flatMap(MadeFolders.init(encoded:)) else { continue }
      // Of those with one path the latest may be there.
      if row[1] == .flag(false) { marks.merge(folders.byDoing) { $1 } }
      if row[2] == .flag(true) { marks.merge(folders.byUndoing) { $1 } }
    }
    return marks
  }

  /// Lets the oldest go until all together are within a part of the limit: they are worth less than
  /// the steps themselves.
  private func trimRevisions(limit: Int, but number: Int64) throws {
    var sum = 0
    for row in try session.rows(
      "SELECT number, length(revision) FROM steps WHERE length(revision) > ? "
        // Without its rows, a change of a database could not be undone.
        + "AND substr(revision, 1, ?) <> ? ORDER BY turn DESC",
      [
        .integer(Self.smallSize), .integer(Int64(SQLiteChangeset.mark.count)),
        .blob(SQLiteChangeset.mark),
      ])
    {
      guard case .integer(let size) = row[1] else { continue }
      sum += Int(size)
      guard sum > limit / 8, row[0] != .integer(number) else { continue }
      try shorten(row[0])
    }
  }

  /// Lets the bytes of a file go, which the entries of the step can do without.
  private func shorten(_ number: SQLiteValue) throws {
    try session.run(
      "UPDATE steps SET size = size - length(revision), revision = NULL WHERE number = ?1", [number]
    )
  }
}
