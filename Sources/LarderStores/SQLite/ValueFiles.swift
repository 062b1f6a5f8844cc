import HarmonySQLite
import LarderCore

/// The files beside a database in which a cache keeps its large values, as the `diskcache` of Python
/// does: a row has the name of its file.
///
/// larder changes the rows only. So it says which files no row has the name of any more.
struct ValueFiles {
  private let layout: TableLayout
  private let session: SQLiteSession
  private let keys: Set<EntryKey>?
  private let before: Set<String>

  /// Notes the files of the rows that may be changed; nil for a table that is no such cache.
  ///
  /// - Parameters:
  ///   - layout: The table.
  ///   - keys: The keys of the rows, also those that they get; nil where it may be any.
  ///   - session: A connection to the table.
  /// - Throws: ``StoreError`` where a key is none of the table, and ``SQLiteError`` where the rows
  ///   cannot be read.
  init?(_ layout: TableLayout, _ keys: Set<EntryKey>?, _ session: SQLiteSession) throws {
    let names = Set(layout.keyColumns.map(\.name) + layout.values.map(\.name))
    guard layout.name == "Cache", layout.form == .table,
      names.isSuperset(of: ["key", "raw", "expire_time", "tag", "size", "mode", "filename"]),
      try !session.rows(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'Settings'"
      ).isEmpty
    else { return nil }
    self.layout = layout
    self.session = session
    self.keys = keys
    before = try Self.names(layout, keys, session)
  }

  /// What there is to say of the files whose rows are gone.
  func sentences(_ state: SideEffects.State) throws -> [String] {
    guard !before.isEmpty else { return [] }
    let isTrial = state == .tried
    let left = before.subtracting(try Self.names(layout, keys, session)).sorted()
    guard let first = left.first else { return [] }
    return [
      left.count == 1
        ? "the value is in the file \(first) beside the database, which "
          + (isTrial ? "would not be deleted" : "was not deleted")
        : "\(left.count) values are in files beside the database, which "
          + (isTrial ? "would not be deleted" : "were not deleted") + ": \(first) "
          + "and \(left.count - 1) more"
    ]
  }

  private static func names(
    _ layout: TableLayout, _ keys: Set<EntryKey>?, _ session: SQLiteSession
  ) throws -> Set<String> {
    let rows =
      if let keys {
        try keys.flatMap { key in
          try session.rows(
            "SELECT t.filename FROM \(layout.from) WHERE \(layout.keyCondition)",
            layout.values(of: key))
        }
      } else {
        try session.rows("SELECT t.filename FROM \(layout.target) WHERE t.filename IS NOT NULL")
      }
    return Set(
      rows.compactMap { row in if case .text(let name)? = row.first { name } else { nil } })
  }
}
