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
  /// Whether nobody needs to know where the table has no triggers.
  var onlyWithTriggers = false
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

  /// Whether rows have a rowid beside their key that nobody can ask for, as columns hide all names
  /// of it.
  var hasUnreadableRowid: Bool { !isWithoutRowid && rowid == nil && index != nil }
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

extension RowReader {
  /// Which rows came back under another rowid than they had, in a sentence.
  func otherNumbers(
    _ wanted: [(key: EntryKey, number: RowNumber)], _ session: SQLiteSession
  ) throws -> [String] {
    var numbers: [EntryKey: StoredValue] = [:]
    for entry in try rowNumbers(wanted.map(\.key), session) { numbers[entry.key] = entry.value }
    let moved = wanted.map(\.key).enumerated().filter { place, key in
      numbers[key].map { $0 != .integer(wanted[place].number.number) } ?? false
    }.map(\.element)
    guard !moved.isEmpty else { return [] }
    let names = moved.prefix(3).map(\.spoken).joined(separator: ", ")
    let more = moved.count > 3 ? " and \(moved.count - 3) more" : ""
    return [
      "\(names)\(more) of \"\(layout.name)\" came back under "
        + (moved.count == 1 ? "another rowid" : "other rowids")
        + "; what refers to \(moved.count == 1 ? "it" : "them") by rowid finds other rows or none"
    ]
  }
}

extension RowWriter {
  /// Gives a row the rowid that it had, if no other has it.
  func renumber(_ key: EntryKey, to row: RowNumber) throws {
    let found = try reader.rowNumbers([key], session).first?.value
    guard found != .integer(row.number), let (name, number) = try free(row) else { return }
    try session.run(
      "UPDATE\(layout.orAbort) \(layout.target) SET \(name) = ? WHERE \(layout.keyCondition)",
      [.integer(number)] + layout.values(of: key))
    try checkCount("changed", key)
  }

  /// The rowid that a new row gets, if it is free.
  func free(_ row: RowNumber?) throws -> (name: String, number: Int64)? {
    guard let row, let rowid = layout.hiddenRowid else { return nil }
    let isTaken = try session.query(
      "SELECT 1 FROM \(layout.target) WHERE t.\(rowid) = ?", [.integer(row.number)]
    ) { try $0.step() }
    return isTaken ? nil : (rowid, row.number)
  }
}
