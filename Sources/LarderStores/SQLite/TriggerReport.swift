import LarderCore

/// What the triggers of a table, and the foreign keys that carry its changes on, did beside a change.
struct TriggerReport {
  /// What did it, as the subject of a sentence.
  var cause: String
  /// Where the rows are; nil where they cannot be told, or are too many.
  var places: Set<TriggerWatch.Place>? = []
  /// Those of them where a row that was named has taken the place of another.
  var displaced: Set<TriggerWatch.Place> = []
  /// What became of them; nil where that was not recorded, as a whole or in part.
  var rows: [SideRows.Row]?
  /// What became of rows that got other keys, beside these keys; they are not told as more rows.
  var renamed: [SideRows.Row] = []
  /// The virtual tables that they changed: what these keep is their own matter.
  var virtualTables: Set<String> = []
  /// What became of the numbers that those of full-text search keep of themselves.
  var searchTotals: [String: [Int64]] = [:]
  /// Whether they changed rows that were named as well.
  var touchesOwn = false

  /// What the journal keeps of it.
  ///
  /// - Parameter sequences: The numbers that were given meanwhile.
  /// - Returns: What is kept, nil where they did nothing.
  func record(_ sequences: [SideRows.Sequence]) -> SideRows? {
    guard recordedRows != nil || !sequences.isEmpty || !virtualTables.isEmpty else { return nil }
    var record = recordedRows ?? SideRows(lost: nil)
    record.sequences = sequences
    record.virtualTables = virtualTables
    record.searchTotals = searchTotals
    return record
  }

  /// Whether rows were changed that the journal does not keep.
  var losesRows: Bool { recordedRows?.lost != nil }

  private var recordedRows: SideRows? {
    if let known = rows ?? (places?.isEmpty == true ? [] : nil) {
      let all = known + renamed
      if all.isEmpty { return nil }
      return SideRows(all) ?? SideRows(lost: all.count)
    }
    return SideRows(lost: places.map { $0.count + renamed.count } ?? 0)
  }

  /// What a person has to be told.
  ///
  /// - Parameter isUndoable: Whether the change is one that can be undone, but for what is not recorded.
  /// - Returns: A sentence, or none.
  func sentences(isUndoable: Bool) -> [String] {
    guard let places else {
      let what = "\(cause) may have changed more rows"
      return [isUndoable ? what + ", which undo does not bring back" : what]
    }
    let tables = rows?.map(\.table) ?? places.map(\.table)
    guard !tables.isEmpty else { return [] }
    let names = Set(tables).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let what =
      "\(cause) changed \(tables.count) more "
      + "\(tables.count == 1 ? "row" : "rows"), of \(names)"
    guard isUndoable else { return [what] }
    let isKept = recordedRows?.lost == nil
    // Later steps may need the room, and what others change since stays.
    return [
      what
        + (isKept
          ? "; undo brings that back, as long as it is unchanged and the journal has room for it"
          : ", which undo does not bring back")
    ]
  }
}
