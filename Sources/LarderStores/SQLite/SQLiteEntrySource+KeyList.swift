import Harmony
import HarmonySQLite
import LarderCore

extension SQLiteEntrySource {
  /// The keys of a page as text, copied from SQLite's memory without a value for each.
  func keyList(_ query: KeyListQuery) -> Future<Entry> {
    future(.scan) { session, layout in
      // Keys that can repeat or have no order need the care that pages of entries take.
      guard case .columns = layout.keys, !layout.keyColumns.contains(where: \.isNullable),
        layout.takesPrefixRange || query.page.prefix.isEmpty
      else { throw CoreError.QueryNotSupported("these keys are listed as entries") }
      return try KeyListReader(query, layout).read(session)
    }
  }
}

/// Writes the keys of rows one behind the other.
private struct KeyListReader {
  private let query: KeyListQuery
  private let layout: TableLayout
  private let test: RowTest
  private var text: [UInt8] = []
  private var count = 0
  private var last: EntryKey?

  init(_ query: KeyListQuery, _ layout: TableLayout) throws(StoreError) {
    self.query = query
    self.layout = layout
    test = try RowTest(RowScan(query.page), layout)
  }

  func read(_ session: SQLiteSession) throws -> Entry {
    var reader = self
    let page = query.page
    let segments = layout.segments(
      after: try page.after.map { try layout.values(of: $0) },
      backward: page.direction == .backward, prefix: page.prefix)
    let needle = try exactNeedle(session)
    for var segment in segments {
      if let needle, let column = layout.keyColumns.first {
        segment.conditions.append("instr(\(column.sql), ?)")
        segment.bindings.append(.text(needle))
      }
      let sql = test.reader.select(values: test.readsValues) + segment.sql
      let statement = try session.statement(sql, segment.bindings)
      try reader.take(statement)
      statement.reset()
      if reader.count >= page.limit { break }
    }
    page.scan?.report(
      examined: reader.count, position: reader.last, isComplete: reader.count < page.limit)
    return KeyListQuery.answer(
      reader.text, count: reader.count, last: reader.last ?? page.after ?? .null)
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
    let limit = query.page.limit
    let test = test
    let isSingle = layout.keyColumns.count == 1
    let allowsAll = test.allowsAll
    let matcher = isSingle ? test.keyMatcher : nil
    while count < limit, try statement.step() {
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
    if count == limit { last = test.reader.key(statement) }
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
