import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Expiry columns of caches, and columns that may be dates of business data instead.
struct DubiousExpiryTests {
  @Test(arguments: [
    "creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "creditcards (id TEXT PRIMARY KEY, data TEXT, expires INTEGER)",
    "rentals (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "accounts (name TEXT PRIMARY KEY, data TEXT, expires INTEGER)",
    "passwords (id INTEGER PRIMARY KEY, value TEXT, expires INTEGER)",
    "drugs (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "stock (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "invoices (key TEXT PRIMARY KEY, body TEXT, expires INTEGER)",
    "bankvouchers (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "possessions (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER)",
    "licenses (key TEXT PRIMARY KEY, value TEXT, valid_until INTEGER)",
    "coupons (code TEXT PRIMARY KEY, payload TEXT, expires_at INTEGER)",
    "passports (number TEXT PRIMARY KEY, photo BLOB, expiry_date INTEGER)",
    "names (key TEXT PRIMARY KEY, value TEXT, expires INTEGER, owner TEXT AS ('a'))",
  ])
  func `Rows of a table that is not known to be a cache are doubted`(schema: String) async throws {
    let expiry = try #require(try await expiry(schema, ["1790000123", "1790086611"]))
    #expect(expiry.isDubious && expiry.confidence == .likely)
    #expect(expiry.doubts.first?.contains("may be a business date") == true)
    #expect(expiry.spoken.contains("may be a business date"))
    let told = try #require(
      try await self.expiry(schema, ["1790000123"], ExpiryChoice(column: expiry.column)))
    #expect(!told.isDubious && told.doubts.isEmpty)
  }

  @Test(arguments: [
    ("jobs (key TEXT PRIMARY KEY, value TEXT, ttl INTEGER, created_at INTEGER)", false),
    ("lamps (key TEXT PRIMARY KEY, value TEXT, lifetime INTEGER, created_at INTEGER)", true),
    ("games (name TEXT PRIMARY KEY, data TEXT, max_age INTEGER, created_at INTEGER)", true),
    ("lamp_cache (key TEXT PRIMARY KEY, value TEXT, lifetime INTEGER, created_at INTEGER)", false),
    (
      "jobs (key TEXT PRIMARY KEY, value TEXT, ttl INTEGER, created_at INTEGER, owner AS ('a'))",
      true
    ),
  ])
  func `Lifetimes are doubted where goods may have one`(
    schema: String, isDubious: Bool
  ) async throws {
    let expiry = try #require(try await expiry(schema, ["3600, 1790000123"]))
    #expect(expiry.since == "created_at" && expiry.isDubious == isDubious)
  }

  @Test func `A value in a different unit causes a doubt but does not mean never`()
    async throws
  {
    let schema = "cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER NOT NULL)"
    let ends = ["1790000123", "1790086611000", "1790000777", "1790003600"]
    let expiry = try #require(try await expiry(schema, ends))
    #expect(expiry.unit == .seconds && expiry.confidence == .likely && !expiry.isDubious)
    #expect(expiry.doubts.count == 1)
    let far = try await self.expiry(schema, ["1790000123", "253402300799"])
    #expect(far?.doubts == [])
  }

  @Test(arguments: [
    // Midnights in UTC, the last seconds of days, and midnights in another time zone.
    ["1789948800", "1790035200"], ["1789948799", "1790035199"], ["1789941600", "1790028000"],
    // Several years apart.
    ["1790000123", "1990000123"],
  ])
  func `Expiries distributed like calendar dates are doubted`(ends: [String]) async throws {
    let columns = "(key TEXT PRIMARY KEY, value TEXT, expires INTEGER)"
    #expect(try await expiry("prices \(columns)", ends)?.isDubious == true)
    #expect(try await expiry("cache \(columns)", ends)?.isDubious == false)
    // A name that also fits other dates.
    let weak = columns.replacing("expires", with: "valid_until")
    #expect(try await expiry("cache \(weak)", ends)?.isDubious == true)
  }

  @Test func `Rows valid for longer than a year are doubted`() async throws {
    let columns = "(key TEXT PRIMARY KEY, value TEXT, expires INTEGER, created INTEGER)"
    #expect(try await expiry("kept \(columns)", ["1790000123, 1690000000"])?.isDubious == true)
    #expect(try await expiry("kept \(columns)", ["1790000123, 1789990000"])?.isDubious == false)
  }

  @Test(arguments: [
    "cache (key VARCHAR PRIMARY KEY, value TEXT, expiration INTEGER)",
    "pages (cache_key VARCHAR PRIMARY KEY, value TEXT, expires INTEGER)",
    "django_session (session_key varchar PRIMARY KEY, session_data text, expire_date INTEGER)",
    "responses (key VARCHAR PRIMARY KEY, value BLOB, expires INTEGER)",
    "sessions (sid PRIMARY KEY, sess TEXT, expired INTEGER)",
    "store (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER)",
    "cache (id INTEGER PRIMARY KEY, data TEXT, expires_at INTEGER)",
    "tokens (id TEXT PRIMARY KEY, data TEXT, expires INTEGER)",
    "pages (url TEXT PRIMARY KEY, body BLOB, expires INTEGER)",
  ])
  func `Caches and sessions are not doubted`(schema: String) async throws {
    let expiry = try #require(try await expiry(schema, ["1790000123", "1790003600"]))
    #expect(!expiry.isDubious && expiry.doubts.isEmpty, "\(expiry.doubts)")
  }

  @Test func `Values with an expiry of their own are reported`() async throws {
    let folder = try TestFolder()
    func doubts(_ value: String) async throws -> [String]? {
      let name = UUID().uuidString
      let path = try await folder.database(
        """
        CREATE TABLE responses (key TEXT PRIMARY KEY, value BLOB, expires INTEGER);
        INSERT INTO responses VALUES ('k', \(value), 1790000123);
        """, name: name)
      return try await Stores.open(path).collections.first?.expiry?.doubts
    }
    func hex(_ text: String) -> String { text.utf8.map { String(format: "%02x", $0) }.joined() }
    let pickled = "x'8004" + hex("}(_content created_at expires u.") + "'"
    let found = try #require(try await doubts(pickled))
    #expect(
      found.count == 1 && found.first?.contains("its own pickled expiry") == true, "\(found)")
    #expect(try await doubts("x'8004" + hex("}(_content u.") + "'") == [])
    #expect(try await doubts("'created_at expires'") == [])
  }

  private func expiry(
    _ schema: String, _ ends: [String], _ choice: ExpiryChoice = ExpiryChoice()
  ) async throws -> CollectionExpiry? {
    let folder = try TestFolder()
    let table = try #require(schema.split(separator: " ").first)
    let rows = ends.enumerated().map { "(\($0 + 1), 'v', \($1))" }.joined(separator: ", ")
    let path = try await folder.database(
      "CREATE TABLE \(schema); INSERT INTO \(table) VALUES \(rows);")
    let options = OpenOptions(expiry: choice)
    return try await Stores.open(StoreLocation(path: path), options: options)
      .collections.first?.expiry
  }
}
