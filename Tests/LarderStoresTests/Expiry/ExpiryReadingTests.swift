import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Entries filtered and sorted by expiry.
struct ExpiryReadingTests {
  private static let schemas = [
    "expires INTEGER": "1790000000 + i",
    "expires TEXT": "datetime(1790000000 + i, 'unixepoch')",
    "expires VARCHAR": "strftime('%Y-%m-%dT%H:%M:%S', 1790000000 + i, 'unixepoch') || '+0000'",
    "ttl INTEGER, created_at INTEGER": "i + 500, 1789999500",
    "ttl INTEGER, created_at TEXT": "i + 500, datetime(1789999500, 'unixepoch')",
  ]

  private static func store(_ schema: String, in folder: TestFolder) async throws -> Store {
    let values = try #require(schemas[schema])
    let never = schema.contains(",") ? "NULL, 1789999500" : "NULL"
    let path = try await folder.database(
      """
      CREATE TABLE cache (key INTEGER PRIMARY KEY, value BLOB, \(schema));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO cache SELECT i, 'v', \(values) FROM n;
      INSERT INTO cache VALUES (301, 'v', \(never));
      """)
    return try await Stores.store(path)
  }

  private func moment(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_790_000_000 + number)
  }

  @Test(arguments: schemas.keys.sorted())
  func `The store filters by expiry to the second`(_ schema: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(schema, in: folder)
    let spans: [(ExpiryRange, ClosedRange<Int64>)] = [
      (ExpiryRange(upTo: moment(10)), 1...10), (ExpiryRange(upTo: moment(10.5)), 1...10),
      (ExpiryRange(after: moment(10), upTo: moment(12)), 11...12),
      (ExpiryRange(after: moment(9.5), upTo: moment(400)), 10...300),
    ]
    for (span, keys) in spans {
      for direction in [EntryPageQuery.Direction.forward, .backward] {
        var found: [EntryKey] = []
        var query = EntryPageQuery(expiring: span, limit: 7, direction: direction, detail: .summary)
        while true {
          let page = try await store.source.getAll(query).get()
          found += page.map(\.key)
          guard page.count == 7, let last = page.last else { break }
          query.after = last.key
        }
        let wanted = keys.map { EntryKey.integer($0) }
        #expect(found == (direction == .forward ? wanted : wanted.reversed()))
      }
    }
  }

  @Test(arguments: schemas.keys.sorted())
  func `Pages are sorted by expiry`(_ schema: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(schema, in: folder)
    for isDescending in [false, true] {
      var query = EntryPageQuery(
        order: EntryOrder(.expires, isDescending: isDescending), limit: 40, detail: .summary)
      var found: [EntryKey] = []
      while true {
        let page = try await store.source.getAll(query).get()
        found += page.map(\.key)
        guard page.count == 40, let last = page.last else { break }
        query.after = last.key
        query.afterRank = query.order.rank(of: last)
      }
      let timed = (1...300).map { EntryKey.integer($0) }
      #expect(found == (isDescending ? timed.reversed() : timed) + [.integer(301)])
    }
  }

  @Test func `A store without an expiry refuses to sort by it`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t (key TEXT PRIMARY KEY, value)")
    let store = try await Stores.store(path)
    let query = EntryPageQuery(order: EntryOrder(.expires))
    let message = await refusal { _ = try await store.source.getAll(query).get() }
    #expect(message?.contains("has no expiry") == true)
  }
}
