import HarmonySQLite
import LarderModel

/// The files beside a database that hold the values of rows about to change.
struct ValueFiles {
  private let layout: TableLayout
  private let session: SQLiteSession
  private let before: Set<String>

  /// Collects the files; nil for a table without any.
  ///
  /// - Parameters:
  ///   - layout: The table.
  ///   - keys: The keys of the rows, including their new ones; nil if any row may change.
  ///   - session: A connection to the table.
  /// - Throws: ``StoreError`` if a key does not fit the table, and ``SQLiteError`` if the rows
  ///   cannot be read.
  init?(_ layout: TableLayout, _ keys: Set<EntryKey>?, _ session: SQLiteSession) throws {
    guard let files = layout.lens?.files else { return nil }
    self.layout = layout
    self.session = session
    before = try Self.paths(files, layout, keys, session)
  }

  /// Returns the paths of the files that rows no longer name, sorted.
  func left() throws -> [String] { try Self.unnamed(before, layout, session) }

  /// Returns the paths that no row of a table names, sorted.
  ///
  /// - Throws: ``SQLiteError`` if the rows cannot be read.
  static func unnamed(
    _ paths: some Collection<String>, _ layout: TableLayout, _ session: SQLiteSession
  ) throws -> [String] {
    guard let files = layout.lens?.files, !paths.isEmpty else { return [] }
    return Set(paths).subtracting(try Self.paths(files, layout, nil, session)).sorted()
  }

  /// Returns warnings about files whose rows are gone.
  ///
  /// - Parameters:
  ///   - paths: The paths of all such files.
  ///   - kept: The paths of those that could not be removed.
  ///   - state: The outcome of the change.
  /// - Returns: Sentences; empty if there were no files.
  static func warnings(
    _ paths: [String], kept: [String] = [], _ state: SideEffects.State
  ) -> [String] {
    let outcomes: [(paths: [String], state: SideEffects.State?)] = [
      (paths.filter { !kept.contains($0) }, state), (kept, nil),
    ]
    return outcomes.compactMap { paths, state in
      paths.first.map { Messages.valueFiles($0, count: paths.count, state) }
    }
  }

  /// Returns the paths of the files that rows name, without any that the program would not create.
  private static func paths(
    _ files: TableLens.Files, _ layout: TableLayout, _ keys: Set<EntryKey>?,
    _ session: SQLiteSession
  ) throws -> Set<String> {
    guard let column = layout.column(files.column)?.sql,
      let mode = layout.column(files.modeColumn)?.sql
    else { return [] }
    let rows =
      if let keys {
        try keys.flatMap { key in
          try session.rows(
            "SELECT \(column), \(mode) FROM \(layout.from) WHERE \(layout.keyCondition)",
            layout.values(of: key))
        }
      } else {
        try session.rows(
          "SELECT \(column), \(mode) FROM \(layout.target) WHERE \(column) IS NOT NULL"
            + (files.modeOfFiles == nil ? "" : " AND \(mode) = ?"),
          try files.modeOfFiles.map { [try SQLiteValue($0, column: files.modeColumn)] } ?? [])
      }
    return Set(
      rows.compactMap { row in
        files.path(named: StoredValue(row[0]), mode: StoredValue(row[1]))
      })
  }
}
