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
    for segment in segments {
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

  private mutating func take(_ statement: SQLiteStatement) throws {
    let limit = query.page.limit
    while count < limit, try statement.step() {
      if !test.allowsAll {
        var key: EntryKey?
        guard test.allows(statement, key: &key) else { continue }
      }
      write(statement)
      count += 1
      if count == limit { last = test.reader.key(statement) }
    }
  }

  private mutating func write(_ statement: SQLiteStatement) {
    if layout.keyColumns.count == 1, statement.type(at: 0) == .text {
      let isPlain = statement.withBytes(at: 0) { bytes in
        guard EntryKey.isPlain(bytes) else { return false }
        text.append(contentsOf: bytes)
        return true
      }
      if !isPlain { test.reader.key(statement).appendNotation(query.style, to: &text) }
    } else {
      test.reader.key(statement).appendNotation(query.style, to: &text)
    }
    text.append(query.terminator)
  }
}
