import Foundation
import HarmonySQLite
import LarderModel
import LarderFiles
import LarderFormats

/// Queries of the journal's tables, and the encoding of their rows.
extension JournalTable {
  var select: String {
    """
    SELECT s.number, s.time, s.path, s.collection, s.action,
      coalesce(count, (SELECT count(*) FROM items
        WHERE step = s.number AND (NOT shifted OR after IS NULL))),
      (SELECT key FROM items WHERE step = s.number AND number = 0),
      \(Self.isDone), CASE WHEN NOT s.pending THEN 0 WHEN s.pending = 1 THEN 1 ELSE 2 END,
      (SELECT new_key FROM items WHERE step = s.number AND number = 0), s.process,
      s.was_done AND NOT \(Self.isWhole)
    FROM steps AS s
    """
  }

  /// The columns of an item, for ``item(_:of:)``.
  static let itemColumns =
    "i.key, i.new_key, i.before, i.after, i.done, i.shifted, i.known"

  /// The SQL condition that any entry is in the state after the change, so that there is something
  /// to undo.
  static let isDone = "EXISTS(SELECT 1 FROM items WHERE step = s.number AND done)"
  /// The SQL condition that all entries are; otherwise there is something to redo, as after an
  /// interrupted undo or redo.
  static let isWhole = "NOT EXISTS(SELECT 1 FROM items WHERE step = s.number AND NOT done)"
  /// The SQL expression for a number that increases with every change, undo and redo.
  static let nextTurn = "(SELECT coalesce(max(turn), 0) + 1 FROM steps)"

  /// The SQL condition that a change is being undone or redone, or was when its process was killed.
  private static let isReplayed = "(s.pending = 1 AND s.was_done)"

  /// Returns the SQL condition for the changes that can be undone or redone.
  ///
  /// The first of them in order is the next.
  ///
  /// An interrupted undo may have been completed, so it also qualifies for redo; only the store can
  /// tell.
  static func isNext(_ isRedo: Bool) -> String {
    isRedo
      ? "(s.redoable AND (\(isReplayed) OR (s.was_done OR NOT s.pending) AND NOT \(isWhole)))"
      : "(s.pending OR \(isDone))"
  }

  /// The SQL condition for the changes of one store, which uses ``values(_:)``.
  static let isHere = "s.path = ?1 AND s.collection IS ?2"

  static let latestFirst = " ORDER BY s.turn DESC"
  static let newestFirst = " ORDER BY s.number DESC"

  /// Returns the SQL order of the changes of one store that can be undone or redone.
  static func order(_ isRedo: Bool) -> String {
    isRedo ? " ORDER BY \(isReplayed) DESC, s.turn DESC" : latestFirst
  }

  static func values(_ location: StoreLocation) -> [SQLiteValue] {
    [.text(location.path), location.collection.map { .text($0) } ?? .null]
  }

  func record(_ row: [SQLiteValue]) -> JournalRecord? {
    guard row.count == 12, let number = row[0].integer, case .real(let time) = row[1],
      let path = row[2].text, let process = row[10].text, let count = row[5].integer,
      let action = row[4].text.flatMap(ChangeSummary.Action.init)
    else { return nil }
    let key = row[6].blob.flatMap(EntryCoding.key)
    let date = Date(timeIntervalSince1970: time)
    var step = ChangeSummary(
      number: number, action: action, count: Int(count), key: key ?? .null,
      newKey: row[9].blob.flatMap(EntryCoding.key), isUndone: row[7] != .integer(1))
    step.time = date
    return JournalRecord(
      step: step, time: date,
      location: StoreLocation(path: path, collection: row[3].text),
      state: row[8] == .integer(0)
        ? .settled
        : row[8] == .integer(1) && lock.isRunning(process) ? .running : .interrupted,
      isReadable: key != nil, isPartlyUndone: row[7] == .integer(1) && row[11] == .integer(1))
  }

  /// Adds the columns and the member that were changed, if the change is a write of a single entry
  /// of at most 64 KiB.
  func withColumns(_ record: JournalRecord) throws -> JournalRecord {
    guard record.step.action == .write, record.step.count == 1 else { return record }
    let rows = try session.rows(
      "SELECT before, after FROM items WHERE step = ? AND length(before) <= 65536 "
        + "AND length(after) <= 65536 LIMIT 2", [.integer(record.step.number)])
    let values = rows.joined().compactMap { $0.blob.flatMap(EntryCoding.value) }
    guard values.count == 2 else { return record }
    var known = record
    (known.step.columns, known.step.member) = ChangedMember.find(from: values[0], to: values[1])
    return known
  }

  static func item(_ row: [SQLiteValue], of step: JournalRecord) throws -> JournalItem {
    guard row.count == 7, let key = row[0].blob.flatMap(EntryCoding.key) else {
      throw StoreError.damagedJournal
    }
    func side(_ column: SQLiteValue) throws -> JournalItem.Side? {
      try decoded(column) { bytes in
        EntryCoding.value(bytes).map {
          JournalItem.Side(
            value: $0, form: EntryCoding.form(bytes), print: EntryCoding.fingerprint(bytes))
        }
      }
    }
    var item = JournalItem(
      key: key, newKey: try decoded(row[1], EntryCoding.key), before: try side(row[2]),
      after: try side(row[3]), isDone: row[4] == .integer(1), isShifted: row[5] == .integer(1))
    item.known = row[6].integer ?? 0
    let action = step.step.action
    item.subject = action == .touch ? .expiry : action.isOfCache ? .cached : .value
    return item
  }

  static func row(_ item: JournalItem) -> [SQLiteValue] {
    func blob(_ side: JournalItem.Side?) -> SQLiteValue {
      Self.blob(side.map { EntryCoding.encode($0.value, form: $0.form, fingerprint: $0.print) })
    }
    return [
      .blob(EntryCoding.encode(item.key)), Self.blob(item.newKey.map(EntryCoding.encode)),
      blob(item.before), blob(item.after),
      .flag(item.isShifted), .flag(item.isDone), .integer(item.known),
    ]
  }

  static func decoded<Value>(
    _ column: SQLiteValue, _ decode: ([UInt8]) -> Value?
  ) throws -> Value? {
    guard let bytes = column.blob else { return nil }
    guard let value = decode(bytes) else { throw StoreError.damagedJournal }
    return value
  }

  static func blob(_ bytes: [UInt8]?) -> SQLiteValue {
    bytes.map { .blob($0) } ?? .null
  }
}

extension JournalItem {
  /// A bit mask of the states whose ``Side/isKnown`` is set, as stored in the file; the bits must
  /// never be reassigned.
  var known: Int64 {
    get { (before?.isKnown == true ? 1 : 0) | (after?.isKnown == true ? 2 : 0) }
    set {
      let (old, new) = (before?.print, after?.print)
      before?.isKnown = newValue & 1 != 0 || old != nil
      after?.isKnown = newValue & 2 != 0 || new != nil
    }
  }
}

extension SQLiteValue {
  static func number(_ number: Int?) -> SQLiteValue { number.map { .integer(Int64($0)) } ?? .null }

  static func flag(_ isSet: Bool) -> SQLiteValue { .integer(isSet ? 1 : 0) }
}
