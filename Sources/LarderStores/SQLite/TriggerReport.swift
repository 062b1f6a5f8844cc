import LarderCore

/// What the triggers of a table did beside a change.
struct TriggerReport {
  /// Where the rows are; nil where they cannot be told, or are too many.
  var places: Set<TriggerWatch.Place>? = []
  /// What became of them; nil where that was not recorded, as a whole or in part.
  var rows: [SideRows.Row]?
  /// Whether they changed rows that were named as well.
  var touchesOwn = false

  /// What the journal keeps of it; nil where they did nothing.
  var record: SideRows? {
    if let rows {
      if rows.isEmpty { return nil }
      if let rows = SideRows(rows) { return rows }
    }
    let count = rows?.count ?? places?.count
    return places?.isEmpty == true && rows == nil ? nil : SideRows(lost: count ?? 0)
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
    let tables = rows?.map(\.table) ?? places.map(\.table)
    guard !tables.isEmpty else { return [] }
    let names = Set(tables).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let what =
      "the triggers of \"\(layout.name)\" changed \(tables.count) more "
      + "\(tables.count == 1 ? "row" : "rows"), of \(names)"
    guard isUndoable else { return [what] }
    let isKept = record?.lost == nil
    return [what + (isKept ? "; undo brings that back" : ", which undo does not bring back")]
  }
}
