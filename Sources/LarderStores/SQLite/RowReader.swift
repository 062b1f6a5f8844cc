import Foundation
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// Reads the rows of a statement as entries: key columns first, then value columns.
///
/// A class, because copying its fields for each of millions of rows would take most of the time.
final class RowReader {
  let layout: TableLayout
  private let keyCount: Int
  /// The index of the main value column among all value columns; nil if rows have none.
  let valueOffset: Int?
  /// The statement that reads the row of a key, whose parts are the parameters.
  let lookup: String
  /// The statement that reads rows in any order.
  let unordered: String
  /// The expiry, with the indexes of its columns.
  private let timing: Timing?
  /// The form and the index of the columns with the age and use of rows.
  private let made: (form: TimestampForm, column: Int)?
  private let used: (form: TimestampForm, column: Int)?
  private let hits: Int?
  /// The indexes of the value column, of the column that names the value's file, and of its mode.
  private let outside: (value: Int, file: Int, mode: Int, files: TableLens.Files)?
  /// Reads those files when values are searched.
  @exclusivity(unchecked) var contents: ValueContents?
  /// The values of the current row that are too large to be read.
  @exclusivity(unchecked) var large: LargeValues?

  init(_ layout: TableLayout) {
    self.layout = layout
    let keyCount = layout.keyColumns.count
    self.keyCount = keyCount
    func place(_ name: String) -> Int? {
      layout.values.firstIndex { $0.name.hasBytes(of: name) }.map { $0 + keyCount }
    }
    valueOffset = layout.valueColumn.flatMap(place).map { $0 - keyCount }
    timing = layout.timing.flatMap { expiry in
      place(expiry.column).map {
        Timing(expiry: expiry, column: $0, since: expiry.since.flatMap(place))
      }
    }
    func moments(_ moments: TableExpiry.Moments?) -> (form: TimestampForm, column: Int)? {
      moments.flatMap { moments in place(moments.column).map { (moments.form, $0) } }
    }
    let uses = layout.timing?.uses
    made = moments(uses?.made)
    used = moments(uses?.used)
    hits = uses?.hits.flatMap(place)
    outside = layout.lens.flatMap { lens in
      guard let files = lens.files, let value = lens.plainValue.flatMap({ place($0.column) }),
        let file = place(files.column), let mode = place(files.modeColumn)
      else { return nil }
      return (value, file, mode, files)
    }
    lookup =
      Self.select(layout, values: true, inOrder: true) + " WHERE " + layout.keyCondition
    unordered = Self.select(layout, values: true, inOrder: false)
  }

  /// A class for the same reason as the reader.
  private final class Timing {
    let expiry: TableExpiry
    let column: Int
    let since: Int?

    init(expiry: TableExpiry, column: Int, since: Int?) {
      self.expiry = expiry
      self.column = column
      self.since = since
    }
  }

  /// Returns a SELECT for this reader, bound to the index of the keys.
  ///
  /// - Parameters:
  ///   - values: Whether value columns are read.
  ///   - places: The indexes of the value columns to read, counted in the row; nil for all.
  /// - Returns: The statement without a condition.
  func select(values: Bool, only places: Set<Int>? = nil) -> String {
    Self.select(layout, values: values, only: places, inOrder: true)
  }

  /// Returns a SELECT that reads rows in the order in which the table stores them.
  func selectInTableOrder(values: Bool) -> String {
    Self.select(layout, values: values, inOrder: false) + " NOT INDEXED"
  }

  private static func select(
    _ layout: TableLayout, values: Bool, only places: Set<Int>? = nil, inOrder: Bool
  ) -> String {
    let keyCount = layout.keyColumns.count
    let read = layout.values.enumerated().map { place, column in
      places?.contains(keyCount + place) == false ? "NULL" : column.sql
    }
    let columns = layout.keySQL + (values ? read : [])
    let list = columns.isEmpty ? "1" : columns.joined(separator: ", ")
    return "SELECT \(list) FROM \(inOrder ? layout.from : layout.target)"
  }

  /// Returns a statement that reads a row without its large values.
  func lookup(_ row: RowAddress, without large: LargeValues) -> String {
    let values = layout.values.enumerated().map { place, column in
      large.values[place] == nil ? column.sql : "NULL"
    }
    return "SELECT \((layout.keySQL + values).joined(separator: ", ")) FROM \(row.source) LIMIT 1"
  }

  /// Returns the key of the current row.
  func key(_ statement: SQLiteStatement) -> EntryKey {
    if keyCount == 1 { return EntryKey(statement.value(at: 0)) }
    return .composite((0..<keyCount).map { EntryKey(statement.value(at: $0)) })
  }

  /// Returns the whole value of the current row.
  func value(_ statement: SQLiteStatement) -> StoredValue {
    if layout.isSingleValue { return StoredValue(statement.value(at: keyCount)) }
    return .record(
      layout.values.enumerated().map { offset, column in
        StoredValue.Field(column.name, StoredValue(statement.value(at: keyCount + offset)))
      })
  }

  /// Returns the current row in the detail of a page.
  func entry(
    _ statement: SQLiteStatement, key: EntryKey, _ detail: EntryPageQuery.Detail
  ) -> Entry {
    switch detail {
    case .keys: return Entry(key: key)
    case .values:
      var entry = Entry(
        key: key, value: value(statement), size: size(statement), expires: expires(statement))
      if outsidePath(statement) != nil { entry.isWhole = false }
      return withUses(statement, entry)
    case .summary:
      var entry = Entry(
        key: key, type: type(statement), size: size(statement), expires: expires(statement))
      if entry.type == .record, let valueOffset {
        entry.contentType = type(statement, valueOffset)
      }
      return withUses(statement, entry)
    }
  }

  /// Returns an entry with the age and use that the current row records.
  private func withUses(_ statement: SQLiteStatement, _ entry: Entry) -> Entry {
    guard recordsUse else { return entry }
    var entry = entry
    let uses = uses(statement)
    entry.modified = uses.made
    entry.lastUsed = uses.used
    entry.hits = uses.hits
    return entry
  }

  /// Whether the table records when rows were written or used.
  var recordsUse: Bool { made != nil || used != nil || hits != nil }

  /// Returns when the current row was written, if the table says so.
  func made(_ statement: SQLiteStatement) -> Date? {
    made.flatMap { $0.form.date(statement.value(at: $0.column)) }
  }

  /// Returns when the current row was written and last used, and how often, if the table says so.
  func uses(_ statement: SQLiteStatement) -> (made: Date?, used: Date?, hits: Int?) {
    var count: Int?
    if let hits, case .integer(let number) = statement.value(at: hits), number >= 0 {
      count = Int(number)
    }
    return (
      made(statement),
      used.flatMap { $0.form.date(statement.value(at: $0.column)) }, count
    )
  }

  /// Returns when the current row expires; nil if it never does or the table does not say.
  func expires(_ statement: SQLiteStatement) -> Date? {
    guard let timing else { return nil }
    return timing.expiry.date(
      statement.value(at: timing.column),
      since: timing.since.map { statement.value(at: $0) } ?? .null)
  }

  /// Returns the path of the file that holds the value of the current row; nil if there is none.
  private func outsidePath(_ statement: SQLiteStatement) -> String? {
    guard let outside else { return nil }
    return outside.files.path(
      named: StoredValue(statement.value(at: outside.file)),
      mode: StoredValue(statement.value(at: outside.mode)),
      hasValue: statement.type(at: outside.value) != .null)
  }

  /// Returns the size in bytes of the current row's main value or, if it has none, of all values.
  func size(_ statement: SQLiteStatement) -> Int {
    if let valueOffset { return byteCount(statement, keyCount + valueOffset) }
    return layout.values.indices.reduce(0) { $0 + byteCount(statement, keyCount + $1) }
  }

  private func byteCount(_ statement: SQLiteStatement, _ column: Int) -> Int {
    if let value = large?.values[column - keyCount] { return value.byteCount }
    return switch statement.type(at: column) {
    case .null: 0
    case .integer, .real: 8
    case .text, .blob: statement.byteCount(at: column)
    }
  }

  /// Returns the type of the current row's value.
  func type(_ statement: SQLiteStatement) -> StoredType {
    layout.isSingleValue ? type(statement, 0) : .record
  }

  /// Returns the type of a column of the current row's value.
  private func type(_ statement: SQLiteStatement, _ offset: Int) -> StoredType {
    if let value = large?.values[offset] { return value.type }
    return switch statement.type(at: keyCount + offset) {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .data
    }
  }

  /// Whether the key of the current row matches; text is tested without copying it.
  func keyMatches(_ statement: SQLiteStatement, _ matcher: KeyMatcher) -> Bool {
    matcher.matches(keyOf: keyCount) { statement.lent(at: $0) }
  }

  /// Whether the value of the current row matches.
  ///
  /// Each term may occur in any column; in numbers, digits are searched.
  func valueMatches(
    _ statement: SQLiteStatement, _ matcher: KeyMatcher, key: EntryKey?
  ) -> Bool {
    let bytes: [UInt8]?
    do {
      bytes = try outsidePath(statement).flatMap { path in
        try contents?.bytes(of: path, maximumSize: nil)
      }
    } catch {
      matcher.report(unreadable: key ?? self.key(statement), StoreError(error))
      return false
    }
    return matcher.allHold(of: key ?? self.key(statement)) { term in
      occurs(in: statement, term) || bytes?.withUnsafeBytes(term.occurs(in:)) == true
    }
  }

  private func occurs(in statement: SQLiteStatement, _ term: TermMatcher) -> Bool {
    (keyCount..<(keyCount + layout.values.count)).contains {
      term.occurs(in: statement.lent(at: $0))
    }
  }
}

extension RowReader {
  /// Returns the entry with a key, or nil.
  ///
  /// The key has to be the same byte for byte, even if the table's collation or affinity treats
  /// another as equal.
  ///
  /// - Throws: ``StoreError`` if the key does not have the parts of this table's keys or several
  ///   rows share it; ``SQLiteError``.
  func read(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    if case .ordinal = layout.keys { return try read(rowNumber: key, session) }
    return try find(key, session) { $0 == key }
  }

  /// Returns the entry with a key as a list of keys shows it; nil if there is none.
  ///
  /// - Throws: The errors of ``read(_:_:)``.
  func present(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    if case .ordinal = layout.keys { return try read(rowNumber: key, session) }
    return try find(key, session, .keys) { $0 == key }
  }

  /// Returns the entries of consecutive row numbers with one statement, so that a view is computed
  /// once; nil for other keys, or if a value is too large.
  func numbered(_ query: EntriesQuery, _ session: SQLiteSession) throws -> [Entry]? {
    guard case .ordinal = layout.keys, query.keys.count > 1,
      case .integer(let first) = query.keys[0], first > 0,
      zip(query.keys, first...).allSatisfy({ $0 == .integer($1) })
    else { return nil }
    let sql = select(values: true) + " LIMIT \(query.keys.count) OFFSET \(first - 1)"
    var entries: [Entry] = []
    do {
      try session.limitingValues(to: query.maximumSize ?? .max) {
        try session.query(sql, []) { statement in
          while try statement.step() {
            entries.append(entry(statement, key: query.keys[entries.count], .values))
          }
        }
      }
    } catch let error as SQLiteError where error.code == .tooBig {
      return nil
    }
    return entries + query.keys[entries.count...].map { Entry(key: $0) }
  }

  /// Returns the entry with a key without columns larger than a limit in bytes; nil if there is
  /// none.
  ///
  /// - Throws: The errors of ``read(_:_:)``.
  func read(
    _ key: EntryKey, leavingOutMoreThan limit: Int, _ session: SQLiteSession
  ) throws -> Entry? {
    do {
      return try session.limitingValues(to: limit) { try read(key, session) }
    } catch let error as SQLiteError where error.code == .tooBig {
      guard let entry = try present(key, session) else { return nil }
      if case .ordinal = layout.keys { return entry }
      let values = try layout.values(of: key)
      let rowids = try layout.rowid.map { name in
        try session.rows(
          "SELECT t.\(name) FROM \(layout.target) WHERE \(layout.keyCondition) LIMIT 2", values)
      }
      // Several rows have the key if the table treats different spellings as equal.
      if let rowids, rowids.count != 1 { return entry }
      let row = RowAddress(layout, values, rowid: rowids?.first?.first ?? .null)
      return try read(row, leavingOut: try LargeValues(layout, row, session, over: limit), session)
    }
  }

  /// Returns the entry of a row without its large values.
  private func read(
    _ row: RowAddress, leavingOut large: LargeValues, _ session: SQLiteSession
  ) throws -> Entry? {
    self.large = large
    defer { self.large = nil }
    return try session.query(lookup(row, without: large), row.bindings) { statement in
      guard try statement.step() else { return nil }
      let key = self.key(statement)
      // Without its main value, the entry has nothing to show.
      if layout.isSingleValue || valueOffset.map({ large.values[$0] != nil }) == true {
        var entry = self.entry(statement, key: key, .summary)
        if let valueOffset { entry.type = large.values[valueOffset]?.type }
        return entry
      }
      var entry = self.entry(statement, key: key, .values)
      entry.isWhole = false
      if case .record(let fields) = entry.value {
        entry.value = .record(
          fields.enumerated().filter { large.values[$0.offset] == nil }.map(\.element))
      }
      return entry
    }
  }

  /// Returns the entry whose key the table treats as equal, which may be spelled differently.
  func readAnySpelling(_ key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    try find(key, session) { _ in true }
  }

  /// Returns the entry of the row with a rowid.
  func read(rowid: Int64, named name: String, _ session: SQLiteSession) throws -> Entry? {
    try session.query(
      unordered + " WHERE t.\(name) = ?", [.integer(rowid)]
    ) { statement in
      try statement.step() ? entry(statement, key: self.key(statement), .values) : nil
    }
  }

  private func find(
    _ key: EntryKey, _ session: SQLiteSession, _ detail: EntryPageQuery.Detail = .values,
    _ isWanted: (EntryKey) -> Bool
  ) throws -> Entry? {
    var entry: Entry?
    var count = 0
    try session.query(
      detail == .keys ? select(values: false) + " WHERE " + layout.keyCondition : lookup,
      try layout.values(of: key)
    ) { statement in
      while try statement.step() {
        let found = self.key(statement)
        guard isWanted(found) else { continue }
        count += 1
        if count == 1 { entry = self.entry(statement, key: found, detail) }
      }
    }
    guard count <= 1 else {
      throw StoreError.repeatedKey(key, count: count)
    }
    return entry
  }

  private func read(rowNumber key: EntryKey, _ session: SQLiteSession) throws -> Entry? {
    guard case .integer(let number) = key, number > 0 else { return nil }
    return try session.query(
      select(values: true) + " LIMIT 1 OFFSET ?", [.integer(number - 1)]
    ) { statement in
      try statement.step() ? entry(statement, key: key, .values) : nil
    }
  }
}

extension TableLayout {
  /// The condition that finds the row of a key, whose parts are the parameters.
  var keyCondition: String {
    keyColumns.map { "\($0.sql) IS ?" }.joined(separator: " AND ")
  }
}
