import HarmonySQLite
import LarderCore

/// Finds out which rows the triggers of a table, and the foreign keys that carry its changes on,
/// change beside those that somebody named.
struct TriggerWatch {
  let layout: TableLayout
  let session: SQLiteSession

  /// A row that a trigger changed.
  struct Place: Hashable {
    let table: String
    /// The rowid, or the key where the table has none.
    let row: EntryKey
  }

  /// Whether the table has triggers at all.
  let hasTriggers: Bool
  /// Whether foreign keys carry changes of it on to other rows.
  let isCarriedOn: Bool

  /// Whether other rows may change along with those of the table.
  var isNeeded: Bool { hasTriggers || isCarriedOn }

  init(_ layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    self.layout = layout
    self.session = session
    isCarriedOn =
      session.keepsForeignKeys ? try ForeignKey.carryAny(of: layout.name, session) : false
    hasTriggers = try !session.rows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?) "
        + "LIMIT 1", [.text(layout.name)]
    ).isEmpty
  }

  /// Whether foreign keys may have carried changes on to rows, and not the triggers alone.
  ///
  /// - Parameter places: The rows, nil where nobody knows which.
  /// - Returns: Whether it may be so.
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
  func mayBeCarriedOn(to places: Set<Place>?) throws(SQLiteError) -> Bool {
    guard isCarriedOn else { return false }
    guard hasTriggers, let places else { return true }
    let reached = try ForeignKey.tablesReached(from: layout.name, session)
    return places.contains { reached.contains($0.table) }
  }

  /// What it is that changes other rows, as the subject of a sentence.
  var cause: String {
    let name = "\"\(layout.name)\""
    if !isCarriedOn { return "the triggers of \(name)" }
    return hasTriggers
      ? "the triggers of \(name) and the foreign keys that refer to it"
      : "the foreign keys that refer to \(name)"
  }

  /// Runs a body in the transaction of the caller, and tells what triggers did meanwhile.
  func watch<Result>(_ body: () throws -> Result) throws -> (result: Result, report: TriggerReport)
  {
    guard isNeeded else { return (try body(), TriggerReport(cause: cause)) }
    let totals = try SearchIndexTotals(session)
    let (result, changes, tables) = try session.observingChanges(body)
    let found = try changes.map(places)
    var report = TriggerReport(
      cause: cause, places: found?.side, displaced: found?.displaced ?? [])
    try note(tables, totals, in: &report)
    return (result, report)
  }

  /// Runs a body in the transaction of the caller, and records what triggers did meanwhile.
  ///
  /// What rows were can only be read once they are known; so where there are any, the body is taken
  /// back and run once more.
  ///
  /// - Parameters:
  ///   - own: The keys, by what the body returned, that were asked for: what becomes of these is
  ///     the caller's to record.
  ///   - body: Changes rows.
  /// - Returns: What the body returned, and what triggers did.
  /// - Throws: What the body throws, and ``SQLiteError``.
  func record<Result>(
    own: (Result) -> Set<EntryKey>, _ body: () throws -> Result
  ) throws -> (result: Result, report: TriggerReport) {
    guard isNeeded else { return (try body(), TriggerReport(cause: cause)) }
    let totals = try SearchIndexTotals(session)
    try session.run("SAVEPOINT larder_watch")
    var (result, changes, tables) = try session.observingChanges(body)
    // Where the changes are not known, they may be of any row.
    var report = TriggerReport(cause: cause, places: nil, touchesOwn: true)
    if var found = try changes.map(places) {
      let wanted = found.side.union(try foreign(found, own(result)))
      report.places = wanted
      if !wanted.isEmpty, wanted.count <= SideRows.greatestCount {
        try session.run("ROLLBACK TO larder_watch")
        let before = try rows(wanted)
        (result, changes, tables) = try session.observingChanges(body)
        report.places = nil
        if let again = try changes.map(places) {
          found = again
          let changed = again.side.union(try foreign(again, own(result)))
          report.places = changed
          // A trigger may do something else each time.
          if let before, changed.isSubset(of: wanted), let after = try rows(wanted) {
            report.rows = Self.rows(before, after, but: layout.name, own(result))
          }
        }
      }
      report.touchesOwn =
        !found.shared.isEmpty || found.side.contains { $0.table == layout.name }
    }
    try note(tables, totals, in: &report)
    try session.run("RELEASE larder_watch")
    return (result, report)
  }

  /// The rows that were changed; what a virtual table keeps is its own matter.
  private func places(_ changes: [SQLiteRowChange]) throws -> TriggerPlaces {
    var places = TriggerPlaces(changes)
    var isOrdinary: [String: Bool] = [:]
    for table in places.tables {
      isOrdinary[table] =
        try TableCatalogue.layouts(session, named: table).first.map { $0.form == .table } ?? false
    }
    places.keep { isOrdinary[$0.table] == true }
    return places
  }

  /// Notes what became of virtual tables, of all the tables that were changed.
  private func note(
    _ tables: Set<String>, _ totals: SearchIndexTotals, in report: inout TriggerReport
  ) throws {
    report.virtualTables = try virtualTables(tables)
    guard !report.virtualTables.isEmpty else { return }
    report.searchTotals = try SearchIndexTotals(session)
      .changes(since: totals, of: report.virtualTables)
  }

  /// The virtual tables that keep their rows in tables that were changed.
  private func virtualTables(_ tables: Set<String>) throws(SQLiteError) -> Set<String> {
    var owners: [String: String] = [:]
    for row in try session.rows(
      "SELECT s.name, v.name FROM pragma_table_list AS s JOIN pragma_table_list AS v "
        + "ON v.schema = 'main' AND v.type = 'virtual' "
        + "AND substr(s.name, 1, length(v.name) + 1) = v.name || '_' "
        + "WHERE s.schema = 'main' AND s.type = 'shadow' ORDER BY length(v.name)")
    {
      if case .text(let shadow) = row[0], tables.contains(shadow), case .text(let name) = row[1] {
        // The longest comes last: what belongs to `docs_tri` does not belong to `docs`.
        owners[shadow] = name
      }
    }
    return Set(owners.values)
  }

  /// The places of named rows where there are others now, as a rowid is given again.
  private func foreign(_ places: TriggerPlaces, _ own: Set<EntryKey>) throws -> Set<Place> {
    guard let rowid = layout.hiddenRowid else { return [] }
    let reader = RowReader(layout)
    return try places.shared.filter { place in
      guard place.table == layout.name, case .integer(let number) = place.row,
        let entry = try reader.read(rowid: number, named: rowid, session)
      else { return false }
      return !own.contains(entry.key)
    }
  }

  /// A row as it is at its place.
  struct Row {
    let entry: Entry
    /// The rowid, where it is no part of the key.
    var number: RowNumber?
  }

  /// The rows that there are at some places; nil where one could not be found or written by its key,
  /// and where they are larger than what is kept of a step.
  func rows(_ places: Set<Place>) throws -> [Place: Row]? {
    var rows: [Place: Row] = [:]
    var size = 0
    for (table, places) in Dictionary(grouping: places, by: \.table) {
      guard let layout = try TableCatalogue.layouts(session, named: table).first,
        layout.isWritable, !layout.hasUnreadableRowid
      else { return nil }
      let reader = RowReader(layout)
      for place in places {
        guard let rowid = layout.rowid, case .integer(let number) = place.row else {
          rows[place] = try reader.read(place.row, session).map { Row(entry: $0) }
          size += rows[place]?.entry.value?.heldSize ?? 0
          guard size <= SideRows.greatestSize else { return nil }
          continue
        }
        guard let entry = try reader.read(rowid: number, named: rowid, session) else { continue }
        // Thousands of large rows are not to be in memory before anybody looks how much they are.
        size += entry.value?.heldSize ?? 0
        guard size <= SideRows.greatestSize else { return nil }
        guard try reader.isAlone(entry.key, session) else { return nil }
        rows[place] = Row(
          entry: entry, number: layout.hiddenRowid == nil ? nil : RowNumber(number))
      }
    }
    return rows
  }

  /// What became of rows by their keys, without those that are as they were, and without some.
  private static func rows(
    _ before: [Place: Row], _ after: [Place: Row], but table: String, _ own: Set<EntryKey>
  ) -> [SideRows.Row] {
    struct Name: Hashable {
      let table: String
      let key: EntryKey
    }
    var found: [Name: (before: Row?, after: Row?)] = [:]
    for (place, row) in before {
      found[Name(table: place.table, key: row.entry.key), default: (nil, nil)].before = row
    }
    for (place, row) in after {
      found[Name(table: place.table, key: row.entry.key), default: (nil, nil)].after = row
    }
    return found.filter { name, row in
      let isMoved = row.before != nil && row.after != nil && row.before?.number != row.after?.number
      return (isMoved || row.before?.entry.value != row.after?.entry.value)
        && !(name.table == table && own.contains(name.key))
    }
    .sorted { ($0.key.table, $0.key.key) < ($1.key.table, $1.key.key) }
    .map { name, row in
      SideRows.Row(
        table: name.table, key: name.key, before: row.before?.entry.value,
        after: row.after?.entry.value, number: row.before?.number)
    }
  }
}

extension RowReader {
  /// Whether a key that there is is that of one row: NULL is equal to nothing, so many may have it.
  fileprivate func isAlone(_ key: EntryKey, _ session: SQLiteSession) throws -> Bool {
    let parts: [EntryKey] = if case .composite(let parts) = key { parts } else { [key] }
    guard parts.contains(.null) else { return true }
    do {
      return try read(key, session) != nil
    } catch is StoreError {
      return false
    }
  }
}

extension StoredValue {
  /// The bytes of the text and data of a row, which the journal does not keep in fewer.
  fileprivate var heldSize: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .malformedText(let bytes), .data(let bytes): bytes.count
    case .record(let fields): fields.reduce(0) { $0 + $1.value.heldSize }
    default: 0
    }
  }
}
