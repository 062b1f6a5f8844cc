import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Cache tables with the schemas that frameworks document: listed, changed, and queried as the
/// framework does.
struct FrameworkTableTests {
  private static let now = Date()
  private static var seconds: Int { Int(now.timeIntervalSince1970) }

  /// Returns the store of a table with a framework's schema.
  private static func store(
    _ schema: String, _ rows: String, table: String, _ folder: TestFolder
  ) async throws -> Store {
    let path = try await folder.database("\(schema); INSERT INTO \(table) VALUES \(rows);")
    let journal = Journal(path: folder.file("journal.db"))
    return try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
  }

  private static func ends(_ store: Store) async throws -> [EntryKey: Date?] {
    let page = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    return Dictionary(page.map { ($0.key, $0.expires) }) { $1 }
  }

  private static func extend(_ store: Store, _ key: EntryKey, by span: Int) async throws {
    let date = Date(timeIntervalSince1970: Double(seconds + span))
    _ = try await store.setExpiry(ExpiryChange(key, expires: date))
  }

  @Test func `Laravel finds an expired entry again after a touch`() async throws {
    let folder = try TestFolder()
    let now = Self.seconds
    let store = try await Self.store(
      "CREATE TABLE cache (key varchar NOT NULL, value text NOT NULL, expiration integer NOT NULL, "
        + "PRIMARY KEY (key))",
      "('app_cache_a', 's:1:\"x\";', \(now - 60)), ('app_cache_b', 'i:1;', \(now + 60))",
      table: "cache", folder)
    let ends = try await Self.ends(store)
    #expect(ends[.text("app_cache_a")]??.timeIntervalSince1970 == Double(now - 60))
    try await Self.extend(store, .text("app_cache_a"), by: 600)
    // `DatabaseStore::get` ignores rows with `time() >= expiration`.
    let found = try await rows(
      folder.file("test.db"),
      "SELECT value, typeof(expiration) FROM cache WHERE key = 'app_cache_a' "
        + "AND expiration > \(now + 599)")
    #expect(found == [[.text("s:1:\"x\";"), .text("integer")]])
  }

  @Test func `Symfony counts a lifetime from the time of writing`() async throws {
    let folder = try TestFolder()
    let now = Self.seconds
    let store = try await Self.store(
      "CREATE TABLE cache_items (item_id VARCHAR(255) NOT NULL PRIMARY KEY, item_data BLOB NOT NULL, "
        + "item_lifetime INTEGER UNSIGNED DEFAULT NULL, item_time INTEGER UNSIGNED NOT NULL)",
      "('ns:a', x'733a', 600, \(now - 900)), ('ns:b', x'00', NULL, \(now - 900))",
      table: "cache_items", folder)
    let ends = try await Self.ends(store)
    #expect(ends[.text("ns:a")]??.timeIntervalSince1970 == Double(now - 300))
    #expect(ends[.text("ns:b")] == .some(nil))
    try await Self.extend(store, .text("ns:a"), by: 100)
    // `PdoAdapter::doFetch` accepts rows without a lifetime, or whose lifetime is not over.
    let found = try await rows(
      folder.file("test.db"),
      "SELECT item_id, hex(item_data), item_lifetime, item_time FROM cache_items "
        + "WHERE item_lifetime IS NULL OR item_lifetime + item_time > \(now + 99) ORDER BY item_id")
    #expect(
      found == [
        [.text("ns:a"), .text("733A"), .integer(1_000), .integer(Int64(now - 900))],
        [.text("ns:b"), .text("00"), .null, .integer(Int64(now - 900))],
      ])
  }

  @Test(arguments: [
    (
      "solid_cache_entries",
      "CREATE TABLE solid_cache_entries (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, "
        + "key blob(1024) NOT NULL, value blob(536870912) NOT NULL, "
        + "created_at datetime(6) NOT NULL, key_hash integer(8) NOT NULL, "
        + "byte_size integer(4) NOT NULL)",
      "(1, x'61', x'0011', '2026-11-24 10:00:00.123456', -5, 123)"
    ),
    (
      "cfurl_cache_response",
      "CREATE TABLE cfurl_cache_response (entry_ID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, "
        + "version INTEGER, hash_value INTEGER, storage_policy INTEGER, request_key TEXT UNIQUE, "
        + "time_stamp NOT NULL DEFAULT CURRENT_TIMESTAMP, partition TEXT)",
      "(1, 0, 77, 0, 'https://example.com/a', '2026-11-24 10:00:00', NULL)"
    ),
  ])
  func `A table without an expiry column has no expiry and can still be edited`(
    _ table: String, _ schema: String, _ row: String
  ) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(schema, row, table: table, folder)
    #expect(!store.capabilities.contains(.expiry))
    let entry = try await store.source.get(EntryQuery(.integer(1))).get()
    guard case .record(let fields)? = entry.value else {
      Issue.record("\(String(describing: entry.value))")
      return
    }
    let before = try await rows(folder.file("test.db"), "SELECT * FROM \(table)")
    _ = try await store.source.put(
      entry, in: ReplaceQuery(entry.key, expecting: entry.fingerprint)
    ).get()
    #expect(try await rows(folder.file("test.db"), "SELECT * FROM \(table)") == before)
    #expect(fields.count >= 5)
  }
}
