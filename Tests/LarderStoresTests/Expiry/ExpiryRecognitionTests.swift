import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Tables that are recognized as caches with an expiry, and tables that are not.
struct ExpiryRecognitionTests {
  private static let soon = 1_790_000_000

  @Test(arguments: [
    // Laravel, Django, Symfony, requests-cache, diskcache, sessions of web frameworks, and others.
    (
      "CREATE TABLE cache (key VARCHAR PRIMARY KEY NOT NULL, value TEXT NOT NULL, "
        + "expiration INTEGER NOT NULL)", "('a', 'v', 1790000000)", "expiration", ExpiryUnit.seconds
    ),
    (
      "CREATE TABLE c (cache_key VARCHAR(255) NOT NULL PRIMARY KEY, value TEXT NOT NULL, "
        + "expires datetime NOT NULL)", "('a', 'v', '2026-09-21 14:13:20')", "expires", .iso
    ),
    // The token table of an OAuth client.
    (
      "CREATE TABLE tokens (key TEXT PRIMARY KEY, value TEXT, expires_in INTEGER, "
        + "issued_at INTEGER)", "('a', 'v', 3600, 1789996400)", "expires_in", .seconds
    ),
    (
      "CREATE TABLE cache_items (item_id VARBINARY(255) NOT NULL PRIMARY KEY, "
        + "item_data BLOB NOT NULL, item_lifetime INTEGER, item_time INTEGER NOT NULL)",
      "('a', 'v', 600, 1789999400)", "item_lifetime", .seconds
    ),
    (
      "CREATE TABLE responses (key VARCHAR PRIMARY KEY, value BLOB, expires REAL)",
      "('a', 'v', 1790000000.0)", "expires", .seconds
    ),
    (
      "CREATE TABLE Cache (rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, "
        + "expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB, "
        + "size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB)",
      "(1, 'a', 1, 1.7e9, 1790000000.0, 1.7e9, 0, NULL, 1, 1, NULL, 'v')", "expire_time", .seconds
    ),
    (
      "CREATE TABLE django_session (session_key varchar(40) NOT NULL PRIMARY KEY, "
        + "session_data text NOT NULL, expire_date datetime NOT NULL)",
      "('a', 'v', '2026-09-21 14:13:20.000000')", "expire_date", .iso
    ),
    (
      "CREATE TABLE sessions (sid PRIMARY KEY, expired, sess)", "('a', 1790000000000, 'v')",
      "expired", .milliseconds
    ),
    (
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v BLOB, expiresAt INTEGER)",
      "('a', 'v', 1790000000000000)", "expiresAt", .microseconds
    ),
    (
      "CREATE TABLE entries (name TEXT PRIMARY KEY, payload BLOB, ttl INTEGER, created_at INTEGER)",
      "('a', 'v', 600, 1789999400)", "ttl", .seconds
    ),
    (
      "CREATE TABLE items (url TEXT PRIMARY KEY, body BLOB, max_age INTEGER, fetched_at TEXT)",
      "('a', 'v', 600, '2026-09-21T14:03:20Z')", "max_age", .iso
    ),
    (
      "CREATE TABLE ZCACHEENTRY (ZKEY TEXT PRIMARY KEY, ZDATA BLOB, ZEXPIRATIONDATE TIMESTAMP)",
      "('a', 'v', 811692800.0)", "ZEXPIRATIONDATE", .apple
    ),
    (
      "CREATE TABLE cache (id TEXT PRIMARY KEY, data TEXT, valid_until TEXT)",
      "('a', 'v', '2026-09-21T14:13:20+00:00')", "valid_until", .iso
    ),
    (
      "CREATE TABLE kv (id TEXT PRIMARY KEY, data TEXT, expiry REAL)",
      "('a', 'v', 2461305.0925925926)", "expiry", .julian
    ),
    (
      "CREATE TABLE cookies (host TEXT, name TEXT PRIMARY KEY, value TEXT, expires_utc INTEGER)",
      "('h', 'a', 'v', 13434473600000000)", "expires_utc", .webkit
    ),
  ])
  func `Caches are recognized`(
    _ schema: String, _ row: String, _ column: String, _ unit: ExpiryUnit
  ) async throws {
    let folder = try TestFolder()
    let table = try #require(schema.split(separator: " ").dropFirst(2).first)
    let path = try await folder.database("\(schema); INSERT INTO \(table) VALUES \(row);")
    let open = try await Stores.open(path)
    let expiry = try #require(open.collections.first?.expiry)
    #expect(expiry.column == column)
    #expect(expiry.unit == unit)
    let fact = try #require(open.facts.first { $0.name == "expiry" })
    #expect(fact.text.hasPrefix("\(table): expiry from column \(column), "))
    #expect(fact.text.contains("because"))
    let store = try await open.store(nil)
    #expect(store.capabilities.contains(.expiry))
    let entry = try #require(
      try await store.source.getAll(EntryPageQuery(detail: .summary)).get().first)
    let expires = try #require(entry.expires)
    #expect(abs(expires.timeIntervalSince1970 - 1_790_000_000) < 0.01)
    #expect(try await store.source.get(EntryQuery(entry.key)).get().expires == expires)
  }

  @Test(arguments: [
    "people (id INTEGER PRIMARY KEY, name TEXT, birthday TEXT); 1, 'a', '1990-01-31 00:00:00'",
    "invoices (id INTEGER PRIMARY KEY, data TEXT, due_date INTEGER); 1, 'a', 1790000000",
    "members (id INTEGER PRIMARY KEY, name TEXT, valid_until TEXT); 1, 'a', '2026-09-21 14:13:20'",
    "licences (licence_key TEXT PRIMARY KEY, product TEXT, expires TEXT); 'a', 'v', '2027-01-01'",
    "passports (number TEXT PRIMARY KEY, holder TEXT, expiry_date TEXT); 'a', 'v', '2030-01-01'",
    "cards (id INTEGER PRIMARY KEY, holder TEXT, expiry TEXT); 1, 'a', '12/27'",
    "kv (key TEXT PRIMARY KEY, value TEXT, updated_at INTEGER); 'a', 'v', 1790000000",
    "kv (key TEXT PRIMARY KEY, value TEXT, expires TEXT); 'a', 'v', '2026-09'",
    "kv (key TEXT PRIMARY KEY, value TEXT, expires INTEGER); 'a', 'v', 1",
    "kv (key TEXT PRIMARY KEY, value TEXT, expires TEXT); 'a', 'v', 'tomorrow'",
    "kv (key TEXT PRIMARY KEY, value TEXT, ttl INTEGER); 'a', 'v', 600",
    "kv (key TEXT PRIMARY KEY, value TEXT, ends INTEGER); 'a', 'v', 1790000000",
    "domains (name TEXT PRIMARY KEY, registrar TEXT, expires_at TEXT); 'a', 'v', '2026-09-21 14:13:20'",
    "subscriptions (id INTEGER PRIMARY KEY, customer_id INTEGER, expires_at INTEGER); 1, 2, 1790000000",
    "tokens (id INTEGER PRIMARY KEY, user_id INTEGER, token TEXT, expires_at INTEGER); 1, 2, 'a', 1790000000",
    "food (id INTEGER PRIMARY KEY, name TEXT, best_before INTEGER); 1, 'a', 1790000000",
    "jobs (id INTEGER PRIMARY KEY, payload TEXT, available_at INTEGER); 1, 'a', 1790000000",
    "events (id INTEGER PRIMARY KEY, title TEXT, starts INTEGER, ends INTEGER); 1, 'a', 1790000000, 1790000001",
    "solid_cache_entries (id INTEGER PRIMARY KEY, key BLOB, value BLOB, created_at datetime); 1, 'a', 'v', '2026-09-21 14:13:20'",
    "users (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, city TEXT, data TEXT, expires INTEGER); 1, 'a', 'b', 'c', 'd', 1790000000",
    "history (id INTEGER PRIMARY KEY, url TEXT, data BLOB, created INTEGER, expired INTEGER); 1, 'a', 'v', 1790000000, 1500000000",
  ])
  func `Dates of business data are not mistaken for expiries`(_ table: String) async throws {
    let folder = try TestFolder()
    let parts = table.split(separator: "; ", maxSplits: 1)
    let name = try #require(table.split(separator: " ").first)
    let path = try await folder.database(
      "CREATE TABLE \(parts[0]); INSERT INTO \(name) VALUES (\(parts[1]));")
    let open = try await Stores.open(path)
    #expect(open.collections.first?.expiry == nil)
    let store = try await open.store(nil)
    #expect(!store.capabilities.contains(.expiry))
    #expect(
      try await store.source.getAll(EntryPageQuery(detail: .summary)).get().first?.expires == nil)
  }

  @Test func `A cache without an expiry is explained`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE solid_cache_entries (id INTEGER PRIMARY KEY, key BLOB, value BLOB, created_at)")
    let fact = try #require(try await Stores.open(path).facts.first { $0.name == "expiry" })
    #expect(
      fact.text
        == "solid_cache_entries: no expiry: no column is named like an expiry; created_at "
        + "records when rows were written")
  }

  @Test func `Bookkeeping columns are listed`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE Cache (key PRIMARY KEY, value, store_time REAL, expire_time REAL,
        access_time REAL, access_count INTEGER, tag BLOB, size INTEGER);
      INSERT INTO Cache VALUES ('a', 'b', 1.7e9, NULL, 1.7e9, 0, NULL, 1);
      """)
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    // No row expires, so the unit is inferred from the store times.
    #expect(expiry.column == "expire_time")
    #expect(
      expiry.bookkeeping == [
        "store_time: time of writing", "access_time: last use", "access_count: number of uses",
        "tag: tag", "size: size",
      ])
  }

  @Test func `An explicit choice overrides detection`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, until INTEGER, gone INTEGER);
      INSERT INTO members VALUES (1, 'ada', 1790000000, 7);
      CREATE TABLE empty (key TEXT PRIMARY KEY, value, expires INTEGER);
      """)
    func expires(_ table: String, _ choice: ExpiryChoice) async throws -> Date? {
      let options = OpenOptions(expiry: choice)
      let store = try await Stores.store(path, table, options: options)
      #expect(store.capabilities.contains(.expiry))
      return try await store.source.getAll(EntryPageQuery(detail: .summary)).get().first?.expires
    }
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    #expect(try await expires("members", ExpiryChoice(column: "until")) == date)
    #expect(
      try await expires("members", ExpiryChoice(column: "UNTIL", unit: .apple))
        == Date(timeIntervalSinceReferenceDate: 1_790_000_000))
    #expect(try await expires("empty", ExpiryChoice(unit: .milliseconds)) == nil)
    let missing = await refusal {
      _ = try await Stores.open(
        StoreLocation(path: path), options: OpenOptions(expiry: ExpiryChoice(column: "nope")))
    }
    #expect(missing?.contains("has a column “nope”") == true)
    let none = await refusal { _ = try await expires("members", ExpiryChoice(column: "gone")) }
    #expect(none == "gone of members holds no expiry: the values of gone are not times")
    // Read as microseconds since 1970, Chromium's microseconds since 1601 would be in the year
    // 2395.
    try await SQLiteConnection(path: path, access: .writing).perform {
      try $0.execute("UPDATE members SET gone = 13434473600000000")
    }
    let wrong = ExpiryChoice(column: "gone", unit: .microseconds)
    #expect(await refusal { _ = try await expires("members", wrong) } != nil)
    #expect(try await expires("members", ExpiryChoice(column: "gone", unit: .webkit)) == date)
  }

  @Test func `The unit is recognized from the last rows of a table`() async throws {
    let folder = try TestFolder()
    // Rows at the end are sampled too: the first ones never expire.
    let path = try await folder.database(
      """
      CREATE TABLE cache (key INTEGER PRIMARY KEY, value, expires INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO cache SELECT i, 'v', CASE WHEN i > 990 THEN 1790000000 END FROM n;
      """)
    #expect(try await Stores.open(path).collections.first?.expiry?.unit == .seconds)
  }
}
