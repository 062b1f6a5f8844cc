import Harmony
import HarmonySQLite
import LarderCore

/// Asks for the rowids of entries, where a table has them beside its key.
///
/// Answered by `getAll` with an entry for each key that is there, whose value is the number; with
/// none where the key is the rowid, or there is no rowid. Other tables may refer to a row by it, as
/// those of full-text search do.
struct RowNumbersQuery: Query {
  let keys: [EntryKey]
}

/// The word that a step of the journal has for the rowid that an entry had.
struct RowNumber: Hashable, Sendable {
  let number: Int64

  init(_ number: Int64) {
    self.number = number
  }

  /// Reads the word; nil for one of another kind of store.
  init?(form: String?) {
    guard let form, form.hasPrefix(Self.start), let number = Int64(form.dropFirst(Self.start.count))
    else { return nil }
    self.number = number
  }

  var form: String { Self.start + String(number) }

  private static let start = "row "
}

extension TableLayout {
  /// The name of the rowid where rows have one that is neither their key nor in their value.
  var hiddenRowid: String? { isWritable && index != nil ? rowid : nil }
}

extension RowReader {
  /// The rowids of the entries of some keys.
  func rowNumbers(_ keys: [EntryKey], _ session: SQLiteSession) throws -> [Entry] {
    guard let rowid = layout.hiddenRowid else { return [] }
    let columns = (layout.keySQL + ["t.\(rowid)"]).joined(separator: ", ")
    let sql = "SELECT \(columns) FROM \(layout.target) WHERE \(layout.keyCondition)"
    return try keys.compactMap { key in
      try session.query(sql, try layout.values(of: key)) { statement in
        while try statement.step() {
          guard self.key(statement) == key else { continue }
          return Entry(key: key, value: .integer(statement.integer(at: layout.keySQL.count)))
        }
        return nil
      }
    }
  }
}

extension RowWriter {
  /// The rowid that a new row gets, if it is free.
  func free(_ row: RowNumber?) throws -> (name: String, number: Int64)? {
    guard let row, let rowid = layout.hiddenRowid else { return nil }
    let isTaken = try session.query(
      "SELECT 1 FROM \(layout.target) WHERE t.\(rowid) = ?", [.integer(row.number)]
    ) { try $0.step() }
    return isTaken ? nil : (rowid, row.number)
  }
}
