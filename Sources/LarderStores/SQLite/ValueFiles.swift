import HarmonySQLite
import LarderCore

/// The files beside a database in which a cache keeps its large values, as the `diskcache` of Python
/// does: a row has the name of its file.
///
/// larder changes the rows only. So it says which files no row has the name of any more.
struct ValueFiles {
  private let session: SQLiteSession
  private let before: Set<String>

  /// Notes the files of the rows; nil for a table that is no such cache.
  ///
  /// - Throws: ``SQLiteError`` where they cannot be read.
  init?(_ layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    let names = Set(layout.keyColumns.map(\.name) + layout.values.map(\.name))
    guard layout.name == "Cache", layout.form == .table,
      names.isSuperset(of: ["key", "raw", "expire_time", "tag", "size", "mode", "filename"]),
      try !session.rows(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'Settings'"
      ).isEmpty
    else { return nil }
    self.session = session
    before = try Self.names(session)
  }

  /// What there is to say of the files whose rows are gone.
  func sentences() throws(SQLiteError) -> [String] {
    let left = before.subtracting(try Self.names(session)).sorted()
    guard let first = left.first else { return [] }
    return [
      left.count == 1
        ? "the value is in the file \(first) beside the database, which was not deleted"
        : "\(left.count) values are in files beside the database, which were not deleted: \(first) "
          + "and \(left.count - 1) more"
    ]
  }

  private static func names(_ session: SQLiteSession) throws(SQLiteError) -> Set<String> {
    Set(
      try session.rows("SELECT filename FROM main.\"Cache\" WHERE filename IS NOT NULL")
        .compactMap { row in if case .text(let name)? = row.first { name } else { nil } })
  }
}
