import Harmony
import HarmonySQLite
import LarderCore

extension SQLiteEntrySource {
  /// How many bytes of a table two threads read for an answer; the keys are a part of them.
  private static let share = 16 << 20
  /// The most bytes that one thread writes for an answer.
  private static let enough = 8 << 20

  /// Keys as text, copied from SQLite's memory without a value for each.
  ///
  /// A large table is read by two threads, each from its own connection. As from one page to the
  /// next, what is written meanwhile may be seen by one and not by the other.
  func keyList(_ query: KeyListQuery) -> Future<Entry> {
    let page = query.page
    guard page.prefix.isEmpty, page.direction == .forward, page.limit == .max, page.scan == nil
    else { return part(of: query, upTo: nil, .scan).map { $0.entry } }
    let path = table.database.path
    return future(.scan) { session, layout in
      let after = try page.after.map { try layout.values(of: $0) }?.first
      return try KeyPartition(session, layout, path: path)?
        .keys(after: after, bytes: Self.share)
    }.flatMap { [self] partition in
      guard let (keys, isComplete) = partition, keys.count >= 2 else {
        return part(of: query, upTo: nil, .scan)
      }
      return parts(
        of: query, middle: keys[(keys.count - 1) / 2], end: isComplete ? nil : keys.last)
    }.map { $0.entry }
  }

  /// The keys on both sides of one, read at the same time.
  private func parts(
    of query: KeyListQuery, middle: SQLiteValue, end: SQLiteValue?
  ) -> Future<KeyListQuery.Page> {
    var rest = query
    rest.page.after = EntryKey(middle)
    rest.includesAfter = true
    let first = part(of: query, upTo: middle, .scan)
    let second = part(of: rest, upTo: end, .sideScan)
    return Future { resolver in
      resolver.onCancel { second.cancel() }
      resolver.set(
        first.flatMap { first in
          // The first has too many for one answer, and the rest is asked for again.
          guard first.next?.key == EntryKey(middle) else {
            second.cancel()
            return Future(first)
          }
          return second.map { second in
            KeyListQuery.Page(
              first.text + second.text, count: first.count + second.count, next: second.next)
          }
        })
    }
  }

  /// The keys from where the query begins, up to one that is not included.
  private func part(
    of query: KeyListQuery, upTo end: SQLiteValue?, _ lane: SQLiteDatabase.Lane
  ) -> Future<KeyListQuery.Page> {
    future(lane) { session, layout in
      guard layout.takesPrefixRange || query.page.prefix.isEmpty, try !keysRepeat(session, layout)
      else { throw CoreError.QueryNotSupported("these keys are listed as entries") }
      return try KeyListReader(query, layout, end: end, enough: Self.enough).read(session)
    }
  }
}

/// Whether keys can repeat or have no order, so that they need the care that pages of entries take.
private func keysRepeat(
  _ session: SQLiteSession, _ layout: TableLayout
) throws(SQLiteError) -> Bool {
  guard case .columns(let columns) = layout.keys else { return true }
  guard columns.contains(where: \.isNullable) else { return false }
  guard columns.count == 1, let column = columns.first else { return true }
  // Only NULL repeats, and the index knows at once whether there is one.
  let nulls = try session.rows("SELECT 1 FROM \(layout.from) WHERE \(column.sql) IS NULL LIMIT 1")
  return !nulls.isEmpty
}

/// Writes the keys of rows one behind the other.
private struct KeyListReader {
  private let query: KeyListQuery
  private let layout: TableLayout
  private let end: SQLiteValue?
  /// So many bytes are enough for an answer, whatever is missing.
  private let enough: Int
  private let test: RowTest
  private var text: [UInt8] = []
  private var count = 0
  private var last: EntryKey?

  init(
    _ query: KeyListQuery, _ layout: TableLayout, end: SQLiteValue?, enough: Int
  ) throws(StoreError) {
    self.end = end
    self.enough = enough
    self.query = query
    self.layout = layout
    test = try RowTest(RowScan(query.page), layout)
  }

  func read(_ session: SQLiteSession) throws -> KeyListQuery.Page {
    var reader = self
    let needle = try exactNeedle(session)
    for var segment in try segments() {
      if let column = layout.keyColumns.first {
        if let needle {
          segment.conditions.append("instr(\(column.sql), ?)")
          segment.bindings.append(.text(needle))
        }
        if let end {
          segment.conditions.append("\(column.sql) < ?")
          segment.bindings.append(end)
        }
      }
      let sql = test.reader.select(values: test.readsValues) + segment.sql
      let statement = try session.statement(sql, segment.bindings)
      try reader.take(statement)
      statement.reset()
      if reader.last != nil { break }
    }
    let isComplete = reader.last == nil && end == nil
    query.page.scan?.report(
      examined: reader.count, position: reader.last, isComplete: isComplete)
    let place = reader.last.map { KeyListQuery.Page.Place($0) }
    return KeyListQuery.Page(
      reader.text, count: reader.count,
      next: place ?? end.map { KeyListQuery.Page.Place(EntryKey($0), isIncluded: true) })
  }

  private func segments() throws -> [KeySegment] {
    let page = query.page
    let after = try page.after.map { try layout.values(of: $0) }
    guard query.includesAfter, let start = after?.first, let column = layout.keyColumns.first else {
      return layout.segments(
        after: after, backward: page.direction == .backward, prefix: page.prefix)
    }
    // Only a single column is ever begun with the key itself.
    return layout.segments(after: nil, backward: false, prefix: "").map { segment in
      var segment = segment
      segment.conditions.append("\(column.sql) >= ?")
      segment.bindings.append(start)
      return segment
    }
  }

  /// The text that SQLite itself can look for, which saves a step out of it for each row that does
  /// not match; nil where a column of text also holds bytes, which are matched by their notation.
  private func exactNeedle(_ session: SQLiteSession) throws -> String? {
    guard let needle = test.keyMatcher?.exactText, layout.takesPrefixRange,
      let column = layout.keyColumns.first
    else { return nil }
    // Bytes are greater than any text, so the index knows at once.
    let bytes = try session.rows("SELECT 1 FROM \(layout.from) WHERE \(column.sql) >= x'' LIMIT 1")
    return bytes.isEmpty ? needle : nil
  }

  private mutating func take(_ statement: SQLiteStatement) throws {
    let test = test
    let limit = query.page.limit
    let isSingle = layout.keyColumns.count == 1
    let allowsAll = test.allowsAll
    let matcher = isSingle ? test.keyMatcher : nil
    while count < limit, text.count < enough, try statement.step() {
      if let matcher, statement.type(at: 0) == .text {
        guard statement.withBytes(at: 0, matcher.matches) else { continue }
      } else if !allowsAll {
        var key: EntryKey?
        guard test.allows(statement, key: &key) else { continue }
      }
      if !(isSingle && writeScalar(statement)) {
        test.reader.key(statement).appendNotation(query.style, to: &text)
      }
      text.append(query.terminator)
      count += 1
    }
    if count == limit || text.count >= enough { last = test.reader.key(statement) }
  }

  /// Writes a key of one column that is its own notation; says whether it was one.
  private mutating func writeScalar(_ statement: SQLiteStatement) -> Bool {
    switch statement.type(at: 0) {
    case .integer:
      EntryKey.appendDigits(of: statement.integer(at: 0), to: &text)
      return true
    case .text:
      return statement.withBytes(at: 0) { bytes in
        guard EntryKey.isPlain(bytes) else { return false }
        text.append(contentsOf: bytes)
        return true
      }
    case .null, .real, .blob: return false
    }
  }
}
