import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Cache tables that show only their value column.
struct ValueColumnTests {
  @Test(arguments: [
    // Laravel, Django, requests-cache, and one with bookkeeping columns.
    (
      "cache", "key VARCHAR PRIMARY KEY NOT NULL, value TEXT NOT NULL, expiration INTEGER NOT NULL",
      "value"
    ),
    (
      "django_cache_table", "cache_key varchar(255) PRIMARY KEY, value text, expires datetime",
      "value"
    ),
    ("responses", "key VARCHAR PRIMARY KEY, value BLOB, expires INTEGER", "value"),
    (
      "cache",
      "key TEXT PRIMARY KEY, body BLOB, ttl INTEGER, created_at INTEGER, size INTEGER, hits INTEGER",
      "body"
    ),
    // In diskcache, rows are numbered, and the key is an ordinary column.
    (
      "Cache",
      "rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, expire_time REAL, "
        + "access_time REAL, access_count INTEGER, tag BLOB, size INTEGER, mode INTEGER, filename TEXT, "
        + "value BLOB", nil
    ),
    // A column needed to interpret the value must not be hidden.
    ("cache", "key TEXT PRIMARY KEY, value BLOB, expires INTEGER, encoding TEXT", nil),
    ("cache", "key TEXT PRIMARY KEY, value BLOB, data BLOB, expires INTEGER", nil),
    ("cache", "site TEXT, key TEXT, value BLOB, expires INTEGER, PRIMARY KEY(site, key)", nil),
    ("cache", "key TEXT PRIMARY KEY, value BLOB, note TEXT, expires INTEGER", nil),
    ("people", "name TEXT PRIMARY KEY, email TEXT, birthday TEXT", nil),
    ("cache", "key TEXT, value BLOB, expires INTEGER", nil),
  ])
  func `A value is shown alone only beside bookkeeping columns`(
    _ table: String, _ columns: String, _ value: String?
  )
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE \(table) (\(columns));")
    let open = try await Stores.open(path)
    let store = try await open.store(table)
    #expect(store.valueField == value)
    let fact = open.facts.first { $0.name == "key-value" }?.text
    if let value { #expect(fact?.contains("values from \(value)") == true, "\(fact ?? "")") }
  }

  @Test func `New rows reveal the unit that an empty table could not`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);")
    let store = try await Stores.store(path)
    #expect(store.capabilities.contains(.expiry))
    let order = EntryPageQuery(order: EntryOrder(.expires), detail: .values)
    #expect(try await store.source.getAll(order).get().isEmpty)
    let touch = ExpiryChange(
      .text("a"), expires: Date(timeIntervalSince1970: 1_800_000_000), expecting: nil)
    let other = SQLiteConnection(path: path, access: .writing)
    // A row that never expires does not reveal the unit.
    try await other.perform { try $0.execute("INSERT INTO cache VALUES ('a', 'x', NULL)") }
    let refused = await refusal { _ = try await store.setExpiry(touch) }
    #expect(refused?.contains("has no value yet") == true, "\(refused ?? "")")
    try await other.perform { try $0.execute("INSERT INTO cache VALUES ('b', 'y', 1790000000)") }
    let page = try await store.source.getAll(order).get()
    #expect(page.map(\.key) == [.text("b"), .text("a")])
    #expect(page.first?.expires == Date(timeIntervalSince1970: 1_790_000_000))
    let stored = try await store.setExpiry(touch)
    #expect(stored.expires == Date(timeIntervalSince1970: 1_800_000_000))
  }
}
