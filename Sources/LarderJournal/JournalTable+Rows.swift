import Foundation
import HarmonySQLite
import LarderCore

/// What the journal's tables say, and how.
extension JournalTable {
  func select() throws -> String {
    let count = try count
    return """
      SELECT s.number, s.time, s.path, s.collection, s.action,
        coalesce(\(count), (SELECT count(*) FROM items
          WHERE step = s.number AND (NOT shifted OR after IS NULL))),
        (SELECT key FROM items WHERE step = s.number AND number = 0),
        \(Self.isDone), CASE WHEN NOT s.pending THEN 0 WHEN s.pending = 1 THEN 1 ELSE 2 END,
        (SELECT new_key FROM items WHERE step = s.number AND number = 0), s.process,
        s.was_done AND NOT \(Self.isWhole)
      FROM steps AS s
      """
  }
  /// The column of the count of a step of which only the first entry is listed.
  var count: String {
    get throws {
      let version = try JournalSchema.version(session) ?? 0
      return version >= JournalSchema.versionWithCounts ? "s.count" : "NULL"
    }
  }
  /// Whether any entry is as the step made it: then there is something to undo.
  static let isDone = "EXISTS(SELECT 1 FROM items WHERE step = s.number AND done)"
  /// Whether all are: else there is something to do again, as after a replay that was killed.
  static let isWhole = "NOT EXISTS(SELECT 1 FROM items WHERE step = s.number AND NOT done)"
  /// A number that grows each time that a step is made, taken back or done again.
  static let nextTurn = "(SELECT coalesce(max(turn), 0) + 1 FROM steps)"

  /// Whether a step is being taken back or done again, or was when its process was killed.
  private static let isReplayed = "(s.pending = 1 AND s.was_done)"

  /// Whether a step is one to undo, or to do again: the first of these in their order is the next.
  ///
  /// One that was about to be undone may be the one that was undone last, which the store tells.
  static func isNext(_ isRedo: Bool) -> String {
    isRedo
      ? "(s.redoable AND (\(isReplayed) OR (s.was_done OR NOT s.pending) AND NOT \(isWhole)))"
      : "(s.pending OR \(isDone))"
  }

  static let latestFirst = " ORDER BY s.turn DESC"

  /// The order of the steps of one store that are to undo, or to do again.
  static func order(_ isRedo: Bool) -> String {
    isRedo ? " ORDER BY \(isReplayed) DESC, s.turn DESC" : latestFirst
  }

  static func values(_ location: StoreLocation) -> [SQLiteValue] {
    [.text(location.path), location.collection.map { .text($0) } ?? .null]
  }

  func record(_ row: [SQLiteValue]) -> JournalRecord? {
    guard row.count == 12, case .integer(let number) = row[0], case .real(let time) = row[1],
      case .text(let path) = row[2], case .text(let word) = row[4],
      case .text(let process) = row[10], let action = JournalStep.Action(rawValue: word),
      case .integer(let count) = row[5]
    else { return nil }
    let key = Self.bytes(row[6]).flatMap(EntryCoding.key)
    let collection: String? = if case .text(let name) = row[3] { name } else { nil }
    return JournalRecord(
      step: JournalStep(
        number: number, action: action, count: Int(count), key: key ?? .null,
        newKey: Self.bytes(row[9]).flatMap(EntryCoding.key), isUndone: row[7] != .integer(1)),
      time: Date(timeIntervalSince1970: time),
      location: StoreLocation(path: path, collection: collection),
      state: row[8] == .integer(0)
        ? .settled
        : row[8] == .integer(1) && isRunning(process) ? .running : .interrupted,
      isReadable: key != nil, isPartlyUndone: row[7] == .integer(1) && row[11] == .integer(1))
  }

  /// A step with the columns and the member that it changed, where it is about one entry that is soon
  /// read.
  func withColumns(_ record: JournalRecord) throws -> JournalRecord {
    guard record.step.action == .write, record.step.count == 1 else { return record }
    let rows = try session.rows(
      "SELECT before, after FROM items WHERE step = ? AND length(before) <= 65536 "
        + "AND length(after) <= 65536 LIMIT 2", [.integer(record.step.number)])
    guard rows.count == 1, let row = rows.first, row.count == 2 else { return record }
    var known = record
    let before = Self.bytes(row[0]).flatMap(EntryCoding.value)
    let after = Self.bytes(row[1]).flatMap(EntryCoding.value)
    let columns = JournalItem.columns(from: before, to: after)
    known.step.columns = columns
    func part(_ value: StoredValue?) -> StoredValue? {
      if case .record = value { columns.count == 1 ? value?.field(columns[0]) : nil } else { value }
    }
    if let before = part(before), let after = part(after) {
      known.step.member = ChangedMember.shownName(from: before, to: after)
    }
    return known
  }

  static func item(_ row: [SQLiteValue]) throws -> JournalItem {
    guard row.count == 7, let key = bytes(row[0]).flatMap(EntryCoding.key) else {
      throw StoreError.corrupt("the journal holds a step that cannot be read")
    }
    var item = JournalItem(
      key: key, newKey: try decoded(row[1], EntryCoding.key),
      before: try decoded(row[2], EntryCoding.value),
      after: try decoded(row[3], EntryCoding.value), isDone: row[4] == .integer(1),
      isShifted: row[5] == .integer(1), beforeForm: bytes(row[2]).flatMap(EntryCoding.form),
      afterForm: bytes(row[3]).flatMap(EntryCoding.form),
      beforePrint: bytes(row[2]).flatMap(EntryCoding.fingerprint),
      afterPrint: bytes(row[3]).flatMap(EntryCoding.fingerprint))
    if case .integer(let known) = row[6] { item.known = JournalSides(rawValue: known) }
    if item.beforePrint != nil { item.known.insert(.before) }
    if item.afterPrint != nil { item.known.insert(.after) }
    return item
  }

  static func row(_ item: JournalItem) -> [SQLiteValue] {
    [
      .blob(EntryCoding.encode(item.key)), blob(item.newKey.map(EntryCoding.encode)),
      blob(
        item.before.map {
          EntryCoding.encode($0, form: item.beforeForm, fingerprint: item.beforePrint)
        }),
      blob(
        item.after.map {
          EntryCoding.encode($0, form: item.afterForm, fingerprint: item.afterPrint)
        }),
      .flag(item.isShifted), .flag(item.isDone), .integer(item.known.rawValue),
    ]
  }

  static func decoded<Value>(
    _ column: SQLiteValue, _ decode: ([UInt8]) -> Value?
  ) throws -> Value? {
    guard let bytes = bytes(column) else { return nil }
    guard let value = decode(bytes) else {
      throw StoreError.corrupt("the journal holds a step that cannot be read")
    }
    return value
  }

  static func bytes(_ column: SQLiteValue) -> [UInt8]? {
    if case .blob(let bytes) = column { bytes } else { nil }
  }

  static func blob(_ bytes: [UInt8]?) -> SQLiteValue {
    bytes.map { .blob($0) } ?? .null
  }

  /// How many bytes of the journal's limit an entry of a step takes.
  static func size(of item: JournalItem) -> Int {
    row(item).reduce(0) { $0 + size(of: $1) }
  }

  static func size(of column: SQLiteValue) -> Int {
    bytes(column)?.count ?? 0
  }
}

extension SQLiteValue {
  static func flag(_ isSet: Bool) -> SQLiteValue { .integer(isSet ? 1 : 0) }
}
