import Harmony
import HarmonySQLite
import LarderModel

extension SQLiteEntrySource {
  /// The maximum number of bytes that one thread writes for an answer.
  private static let enough = 8 << 20

  /// Returns rows as text, copied from SQLite's memory without creating a value for each.
  ///
  /// Two threads read a large table, each with its own connection. As between two pages, one may
  /// see a concurrent change that the other does not.
  func entryText(_ query: EntryTextQuery) -> Future<Entry> {
    let page = query.page
    guard page.prefix.isEmpty, page.direction == .forward, page.order == .key, page.limit == .max,
      page.scan == nil
    else { return part(of: query, upTo: nil, .scan).map { $0.entry } }
    let path = table.database.path
    return future(.scan) {
      session, layout -> (keys: [SQLiteValue], isComplete: Bool)? in
      let reader = try EntryTextReader(query, layout, session, end: nil, enough: Self.enough)
      guard !reader.sortsMatches else { return nil }
      let after = try page.after.map { try layout.values(of: $0) }?.first
      return try KeyPartition(session, layout, path: path)?
        .keys(after: after, bytes: query.share)
    }.flatMap { [self] partition in
      guard let (keys, isComplete) = partition, keys.count >= 2 else {
        return part(of: query, upTo: nil, .scan)
      }
      return parts(
        of: query, middle: keys[(keys.count - 1) / 2], end: isComplete ? nil : keys.last)
    }.map { $0.entry }
  }

  /// Returns the rows on both sides of a key, read in parallel.
  private func parts(
    of query: EntryTextQuery, middle: SQLiteValue, end: SQLiteValue?
  ) -> Future<EntryTextQuery.Page> {
    var rest = query
    rest.page.after = EntryKey(middle)
    rest.includesAfter = true
    let first = part(of: query, upTo: middle, .scan)
    let second = part(of: rest, upTo: end, .sideScan)
    return Future { resolver in
      resolver.onCancel { second.cancel() }
      resolver.set(
        first.flatMap { first in
          // The first half is too large for one answer, and the rest will be requested again.
          guard first.next?.key == EntryKey(middle) else {
            second.cancel()
            return Future(first)
          }
          return second.map { second in
            EntryTextQuery.Page(
              first.texts + second.texts, count: first.count + second.count, next: second.next)
          }
        })
    }
  }

  /// Returns the rows from the start of the query up to, but not including, a key.
  private func part(
    of query: EntryTextQuery, upTo end: SQLiteValue?, _ lane: SQLiteDatabase.Lane
  ) -> Future<EntryTextQuery.Page> {
    future(lane) { session, layout in
      // Values in files are read one by one.
      guard query.page.order == .key, query.page.expiring == nil,
        query.form != .lines || layout.lens?.files == nil,
        layout.takesPrefixRange || query.page.prefix.isEmpty,
        try !layout.keysRepeat(session)
      else { throw CoreError.QueryNotSupported.rowsAsEntries }
      var reader = try EntryTextReader(query, layout, session, end: end, enough: Self.enough)
      return try reader.read(session)
    }
  }
}
