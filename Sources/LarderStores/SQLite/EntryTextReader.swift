import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

extension TableLayout {
  /// Whether keys may repeat or have no order, so that rows must be listed as entries.
  func keysRepeat(_ session: SQLiteSession) throws(SQLiteError) -> Bool {
    guard case .columns(let columns) = keys else { return true }
    guard columns.contains(where: \.isNullable) else { return false }
    guard columns.count == 1, let column = columns.first else { return true }
    // Only NULL repeats, and the index finds it quickly.
    return try !session.rows("SELECT 1 FROM \(from) WHERE \(column.sql) IS NULL LIMIT 1").isEmpty
  }
}

/// Writes consecutive rows as text: keys, lines of JSON, or the lines of a list.
struct EntryTextReader: ~Copyable {
  /// The number of rows that are read between two comparisons with `end`.
  private static let block = 256

  private let query: EntryTextQuery
  private let layout: TableLayout
  private let end: SQLiteValue?
  /// The number of bytes after which text is moved to `pieces`, so that it fits into the CPU cache.
  private static let piece = 96 << 10
  /// The number of bytes after which an answer ends, even if rows remain.
  private let enough: Int
  private let test: RowTest
  /// The condition by which only matching rows come out of SQLite; nil if they are tested here.
  private let sieve: RowFilter?
  private let form: Form
  private let terminator: UInt8
  private var text = ByteBuffer(capacity: 2 * piece)
  private var pieces: [[UInt8]] = []
  /// The number of bytes in `pieces`.
  private var aside = 0
  private var count = 0
  private var last: EntryKey?

  /// The text of each row.
  private enum Form {
    case key
    case line(RowLine)
    case summary(RowSummary)
  }

  init(
    _ query: EntryTextQuery, _ layout: TableLayout, _ session: SQLiteSession, end: SQLiteValue?,
    enough: Int
  ) throws {
    self.end = end
    self.enough = enough
    self.query = query
    self.layout = layout
    test = try RowTest(RowScan(query.page), layout, session)
    sieve = RowFilter(test, layout, session, most: .max)
    let newline = UInt8(ascii: "\n")
    switch query.form {
    case .keys(let terminator): (form, self.terminator) = (.key, terminator)
    case .lines: (form, terminator) = (.line(RowLine(test.reader)), newline)
    case .summaries(let collection, let now):
      let summary = RowSummary(test.reader, collection: collection, now: now)
      (form, terminator) = (.summary(summary), newline)
    }
  }

  mutating func read(_ session: SQLiteSession) throws -> EntryTextQuery.Page {
    let segments = try segments(after: query.page.after, isIncluded: query.includesAfter)
    if let end, test.allowsAll, segments.count == 1 {
      try readBlocks(session, segments, before: end)
    } else {
      try readRows(session, segments)
    }
    cut(atLeast: 1)
    let isComplete = last == nil && end == nil
    query.page.scan?.report(examined: count, position: last, isComplete: isComplete)
    let place = last.map { EntryTextQuery.Page.Place($0) }
    return EntryTextQuery.Page(
      pieces, count: count,
      next: place ?? end.map { EntryTextQuery.Page.Place(EntryKey($0), isIncluded: true) })
  }

  /// Reads rows up to `end`, with which SQLite compares each of them.
  private mutating func readRows(_ session: SQLiteSession, _ segments: [KeySegment]) throws {
    let sieve = sieve
    try session.testingRows(sieve.map { sieve in { sieve.keeps($0) } }) {
      for var segment in segments {
        if let sieve { segment.conditions.append(sieve.condition) }
        if let end, let column = layout.keyColumns.first {
          segment.conditions.append("\(column.sql) < ?")
          segment.bindings.append(end)
        }
        let statement = try statement(session, segment)
        while try take(statement, rows: Self.block), last == nil { cut() }
        statement.reset()
        if last != nil { break }
      }
    }
  }

  /// Reads rows that all match, and compares only one row in each block with `end`.
  ///
  /// Having SQLite compare every row would take up a fifth of the total time.
  private mutating func readBlocks(
    _ session: SQLiteSession, _ segments: [KeySegment], before end: SQLiteValue
  ) throws {
    var known: SQLiteValue?
    var mark = (bytes: 0, count: 0)
    let statement = try statement(session, segments[0])
    while try take(statement, rows: Self.block) {
      let key = statement.value(at: 0)
      guard last == nil, end.isOrdered(after: key) == true else { break }
      known = key
      cut()
      mark = (text.count, count)
    }
    statement.reset()
    // The last block may extend past the end, or is not full: it is read again row by row.
    last = nil
    text.truncate(to: mark.bytes)
    count = mark.count
    try readRows(
      session,
      known.map { try self.segments(after: EntryKey($0), isIncluded: false) } ?? segments)
  }

  /// Moves the text to `pieces` once it is large enough.
  private mutating func cut(atLeast size: Int = piece) {
    guard text.count >= size else { return }
    pieces.append(text.bytes)
    aside += text.count
    text.truncate(to: 0)
  }

  private func statement(
    _ session: SQLiteSession, _ segment: KeySegment
  ) throws(SQLiteError) -> SQLiteStatement {
    let select =
      sortsMatches
      ? test.reader.selectInTableOrder(values: readsValues)
      : test.reader.select(values: readsValues)
    return try session.statement(select + segment.sql, segment.bindings)
  }

  /// Whether rows come out of SQLite with their values.
  private var readsValues: Bool {
    if case .key = form { test.readsValues && sieve == nil } else { true }
  }

  /// Whether SQLite tests all rows before the first comes out, and sorts those that match.
  ///
  /// Only for a whole list, as each part of one would test all rows, and only for keys, as SQLite
  /// would write large values to a temporary file to sort them.
  var sortsMatches: Bool {
    guard case .key = form else { return false }
    return sieve?.prefersTableOrder(layout) == true && query.page.after == nil
      && query.page.limit == .max
      && end == nil
  }

  private func segments(after: EntryKey?, isIncluded: Bool) throws -> [KeySegment] {
    let page = query.page
    let after = try after.map { try layout.values(of: $0) }
    guard isIncluded, let start = after?.first, let column = layout.keyColumns.first else {
      return layout.segments(
        after: after, backward: page.direction == .backward, prefix: page.prefix)
    }
    // Only keys of a single column are used as an inclusive start.
    return layout.segments(after: nil, backward: false, prefix: "").map { segment in
      var segment = segment
      segment.conditions.append("\(column.sql) >= ?")
      segment.bindings.append(start)
      return segment
    }
  }

  /// Writes up to a number of rows; returns whether the statement still has a current row.
  private mutating func take(_ statement: SQLiteStatement, rows: Int) throws -> Bool {
    let test = test
    let limit = query.page.limit - count > rows ? count + rows : query.page.limit
    let keyCount = layout.keyColumns.count
    let allowsAll = test.allowsAll || sieve != nil
    let form = form
    let enough = enough - aside
    while count < limit, text.count < enough, try statement.step() {
      if !allowsAll {
        var key: EntryKey?
        guard test.allows(statement, key: &key) else { continue }
      }
      switch form {
      case .line(let line): line.write(statement, to: &text)
      case .summary(let summary): summary.write(statement, to: &text)
      case .key:
        text.append(notationOf: keyCount, query.style) { statement.lent(at: $0) }
      }
      text.append(terminator)
      count += 1
    }
    guard count == limit || text.count >= enough else { return false }
    if count == query.page.limit || text.count >= enough { last = test.reader.key(statement) }
    return true
  }
}
