import Harmony
import HarmonySQLite
import LarderModel

extension SQLiteEntrySource {
  /// Chooses the rowid of a new row as the database would: the one after the last, which
  /// AUTOINCREMENT never uses twice.
  func newKey() async throws -> EntryKey {
    try await future(.page) { session, layout in
      let target = "main." + SQLiteIdentifier.quoted(layout.name)
      var last = try session.integer("SELECT max(\(layout.rowid ?? "rowid")) FROM \(target)")
      let sequence = "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
      if try session.integer(sequence) != nil {
        let used = try session.integer(
          "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?", [.text(layout.name)])
        last = max(last ?? 0, used ?? 0)
      }
      guard let last else { return .integer(1) }
      let (next, isOver) = last.addingReportingOverflow(1)
      guard !isOver else { throw StoreError.noRowNumber }
      return .integer(next)
    }.getCancelling()
  }
}

extension ColumnAffinity {
  /// The form in which a column with this affinity stores values.
  var form: TypedKeyColumn.Form {
    switch self {
    case .integer: .integer
    case .text: .text
    case .none: .any
    case .real: .real
    case .numeric: .numeric
    }
  }
}
