import HarmonySQLite
import LarderCore

/// Finds out which rows the triggers of a table change beside those that somebody named.
struct TriggerWatch {
  let layout: TableLayout
  let session: SQLiteSession

  /// A row that a trigger changed.
  struct Place: Hashable {
    let table: String
    /// The rowid, or the key where the table has none.
    let row: EntryKey
  }

  /// What the triggers did.
  struct Report {
    /// Where the rows are; nil where they cannot be told, or are too many.
    var places: Set<Place>? = []
    /// What became of them; nil where they were not recorded, as a whole or in part.
    var rows: SideRows?

    /// What the journal keeps of it; nil where they did nothing.
    var record: SideRows? {
      if let rows { return rows.rows.isEmpty ? nil : rows }
      return places?.isEmpty == true ? nil : SideRows(lost: places?.count ?? 0)
    }

    /// What a person has to be told.
    ///
    /// - Parameters:
    ///   - layout: The table whose triggers these are.
    ///   - isUndoable: Whether the change is one that can be undone, but for what is not recorded.
    /// - Returns: A sentence, or none.
    func sentences(_ layout: TableLayout, isUndoable: Bool) -> [String] {
      guard let places else {
        let what = "the triggers of \"\(layout.name)\" may have changed more rows"
        return [isUndoable ? what + ", which undo does not bring back" : what]
      }
      let tables = rows?.rows.map(\.table) ?? places.map(\.table)
      guard !tables.isEmpty else { return [] }
      let names = Set(tables).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      let what =
        "the triggers of \"\(layout.name)\" changed \(tables.count) more "
        + "\(tables.count == 1 ? "row" : "rows"), of \(names)"
      guard isUndoable else { return [what] }
      return [what + (rows == nil ? ", which undo does not bring back" : "; undo brings that back")]
    }
  }

  /// Whether the table has triggers at all.
  var isNeeded: Bool {
    get throws {
      try !session.rows(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?) "
          + "LIMIT 1", [.text(layout.name)]
      ).isEmpty
    }
  }

  /// Runs a body in the transaction of the caller, and tells what triggers did meanwhile.
  ///
  /// - Parameters:
  ///   - records: Whether the rows are recorded as they were and are. What they were can only be
  ///     read once they are known, so the body is then taken back and run once more.
  ///   - body: Changes rows.
  /// - Returns: What the body returned, and what triggers did.
  /// - Throws: What the body throws, and ``SQLiteError``.
  func watch<Result>(
    records: Bool, _ body: () throws -> Result
  ) throws -> (result: Result, report: Report) {
    guard try isNeeded else { return (try body(), Report()) }
    guard records else {
      let (result, changes) = try session.observingChanges(body)
      return (result, Report(places: try changes.map(places)))
    }
    try session.run("SAVEPOINT larder_watch")
    var (result, changes) = try session.observingChanges(body)
    var report = Report(places: try changes.map(places))
    if let places = report.places, !places.isEmpty, places.count <= SideRows.greatestCount {
      try session.run("ROLLBACK TO larder_watch")
      let before = try entries(places)
      (result, changes) = try session.observingChanges(body)
      // A trigger may do something else each time.
      if let before, let again = try changes.map(self.places), again.isSubset(of: places),
        let after = try entries(places)
      {
        report.rows = SideRows(Self.rows(before, after))
        report.places = again
      } else {
        report.places = try changes.map(self.places)
      }
    }
    try session.run("RELEASE larder_watch")
    return (result, report)
  }

  /// The rows that were changed and not named; what a virtual table keeps is its own matter.
  private func places(_ changes: [SQLiteRowChange]) throws -> Set<Place> {
    var direct: Set<Place> = []
    for change in changes where change.depth == 0 {
      direct.formUnion(change.rows.map { Place(table: change.table, row: $0.key) })
    }
    var places: Set<Place> = []
    var isOrdinary: [String: Bool] = [:]
    for change in changes where change.depth > 0 {
      let table = change.table
      if isOrdinary[table] == nil {
        isOrdinary[table] =
          try TableCatalogue.layouts(session, named: table).first.map { $0.form == .table } ?? false
      }
      guard isOrdinary[table] == true else { continue }
      places.formUnion(change.rows.map { Place(table: table, row: $0.key) })
    }
    return places.subtracting(direct)
  }

  /// The rows that there are at some places; nil where one could not be found or written by its key.
  func entries(_ places: Set<Place>) throws -> [Place: Entry]? {
    var entries: [Place: Entry] = [:]
    for (table, places) in Dictionary(grouping: places, by: \.table) {
      guard let layout = try TableCatalogue.layouts(session, named: table).first,
        layout.isWritable
      else { return nil }
      let reader = RowReader(layout)
      for place in places {
        if let rowid = layout.rowid, case .integer(let number) = place.row {
          entries[place] = try reader.read(rowid: number, named: rowid, session)
        } else {
          entries[place] = try reader.read(place.row, session)
        }
      }
    }
    return entries
  }

  /// What became of rows by their keys, without those that are as they were.
  private static func rows(
    _ before: [Place: Entry], _ after: [Place: Entry]
  ) -> [SideRows.Row] {
    struct Name: Hashable {
      let table: String
      let key: EntryKey
    }
    var values: [Name: (before: StoredValue?, after: StoredValue?)] = [:]
    for (place, entry) in before {
      values[Name(table: place.table, key: entry.key), default: (nil, nil)].before = entry.value
    }
    for (place, entry) in after {
      values[Name(table: place.table, key: entry.key), default: (nil, nil)].after = entry.value
    }
    return values.filter { $1.before != $1.after }
      .sorted { ($0.key.table, $0.key.key) < ($1.key.table, $1.key.key) }
      .map {
        SideRows.Row(
          table: $0.key.table, key: $0.key.key, before: $0.value.before, after: $0.value.after)
      }
  }
}

extension SQLiteRowChange.Row {
  /// The rowid as a key, or the key.
  fileprivate var key: EntryKey {
    switch self {
    case .rowid(let number): return .integer(number)
    case .key(let values):
      let parts = values.map { EntryKey($0) }
      guard parts.count == 1, let key = parts.first else { return .composite(parts) }
      return key
    }
  }
}
