import LarderCore

/// What rows were before they got other keys: triggers and foreign keys may change more of them.
final class RenamedRows {
  /// Whether rows are noted that are the same but for their keys, as a later row's triggers may
  /// still change them.
  private let notesAll: Bool
  /// The values, by the keys that the rows have got.
  private(set) var values: [EntryKey: StoredValue] = [:]

  init(notesAll: Bool) {
    self.notesAll = notesAll
  }

  /// Notes a row that has got another key.
  func note(_ before: Entry, as after: Entry) {
    guard notesAll || before.value != after.value else { return }
    values[after.key] = before.value
  }
}

extension RenamedRows {
  /// The rows that are not what they were but for their keys, as a step records them.
  func changed(_ written: [Entry], of table: String) -> [SideRows.Row] {
    written.compactMap { entry in
      guard let before = values[entry.key], before != entry.value else { return nil }
      return SideRows.Row(table: table, key: entry.key, before: before, after: entry.value)
    }
  }
}

extension RevisionQuery.Request {
  /// What a step has recorded of rows that it renamed.
  ///
  /// - Parameters:
  ///   - rows: What the step has recorded.
  ///   - table: The table of the step.
  ///   - isUndo: Whether the step is taken back, and not done again.
  /// - Returns: The values that the rows are to have, by the keys that they get; without those whose
  ///   value the step has not changed.
  func renamedValues(
    _ rows: SideRows?, of table: String, isUndo: Bool
  ) -> [EntryKey: StoredValue] {
    guard case .renames(let query) = self, let rows = rows?.rows, !rows.isEmpty else { return [:] }
    let own = rows.filter { $0.table == table && $0.before != nil && $0.after != nil }
    let known = Dictionary(own.map { ($0.key, $0) }) { first, _ in first }
    var values: [EntryKey: StoredValue] = [:]
    for rename in query.renames {
      let row = known[isUndo ? rename.entryKey : rename.newKey]
      values[rename.newKey] = isUndo ? row?.before : row?.after
    }
    return values
  }
}
