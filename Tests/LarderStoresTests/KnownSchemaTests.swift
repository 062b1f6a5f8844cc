import Foundation
import Harmony
import TestPrograms
import LarderJournal
import LarderModel
import LarderStores
import Testing

/// Tables of known programs, with the schemas that these document.
struct KnownSchemaTests {
  private let bench: JournalBench

  init() throws { bench = try JournalBench() }

  private static let chromium =
    "CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);"
    + "CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL, "
    + "top_frame_site_key TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, "
    + "encrypted_value BLOB NOT NULL, path TEXT NOT NULL, expires_utc INTEGER NOT NULL, "
    + "is_secure INTEGER NOT NULL, is_httponly INTEGER NOT NULL, last_access_utc INTEGER NOT NULL, "
    + "has_expires INTEGER NOT NULL, is_persistent INTEGER NOT NULL, priority INTEGER NOT NULL, "
    + "samesite INTEGER NOT NULL, source_scheme INTEGER NOT NULL, source_port INTEGER NOT NULL, "
    + "last_update_utc INTEGER NOT NULL, source_type INTEGER NOT NULL, "
    + "has_cross_site_ancestor INTEGER NOT NULL);"
    + "CREATE UNIQUE INDEX cookies_unique_index ON cookies(host_key, top_frame_site_key, "
    + "has_cross_site_ancestor, name, path, source_scheme, source_port);"

  private static func chromeRow(_ host: String, _ name: String, _ expires: Int64) -> String {
    "INSERT INTO cookies VALUES(13340000000000000, '\(host)', '', '\(name)', '', x'763130ff', '/', "
      + "\(expires), 1, 1, 13340000000000001, \(expires == 0 ? "0, 0" : "1, 1"), 1, -1, 2, 443, "
      + "13340000000000002, 0, 0);"
  }

  @Test func `Cookies of Chromium have their host, name and path as the key`() async throws {
    // 2100-01-01 and 2020-01-01 in microseconds since 1601.
    let path = try bench.database(
      Self.chromium + Self.chromeRow("b.org", "session", 0)
        + Self.chromeRow("a.org", "z", 15_746_918_400_000_000)
        + Self.chromeRow("a.org", "a", 13_222_310_400_000_000), name: "Cookies")
    func key(_ host: String, _ name: String) -> EntryKey {
      .composite([
        .text(host), .text(name), .text("/"), .text(""), .integer(0), .integer(2), .integer(443),
      ])
    }
    let store = try await bench.open(path, "cookies")
    #expect(store.keyColumns.prefix(3).map(\.name) == ["host_key", "name", "path"])
    let keys = [key("a.org", "a"), key("a.org", "z"), key("b.org", "session")]
    #expect(try await store.keys(pages: 1) == keys)
    #expect(try await store.keys(pages: 2, direction: .backward) == keys.reversed())
    let before = try bench.dump(path)
    let future = try await store.source.get(EntryQuery(keys[1])).get()
    #expect(future.expires == Date(timeIntervalSince1970: 4_102_444_800))
    #expect(try await store.source.get(EntryQuery(keys[2])).get().expires == nil)

    // A session cookie that expires has the flags of one, and one that never does has not.
    let expiry = try #require(store.expiry)
    let date = Date(timeIntervalSince1970: 4_102_444_800)
    for (key, date, flag) in [(keys[2], date, 1), (keys[1], nil, 0)] as [(EntryKey, Date?, Int64)] {
      let entry = try await store.source.get(EntryQuery(key)).get()
      let touched = try await expiry.entry(entry, expiring: date)
      try await bench.put(store, key, try #require(touched.value))
      let row = try await store.value(key)
      #expect(row?.field("expires_utc") == .integer(flag * 15_746_918_400_000_000))
      #expect(row?.field("has_expires") == .integer(flag))
      #expect(row?.field("is_persistent") == .integer(flag))
    }
    // An encrypted value stays bytes, and gives way to one that is not encrypted.
    let row = try #require(future.value)
    await #expect(throws: StoreError.self) {
      try await bench.put(store, keys[0], row.setting("encrypted_value", to: .text("v10")))
    }
    let old = try #require(try await store.value(keys[0]))
    try await bench.put(store, keys[0], old.setting("value", to: .text("plain")))
    #expect(try await store.value(keys[0])?.field("encrypted_value") == .data([]))
    let added = EntryKey.composite([
      .text("c.org"), .text("n"), .text("/"), .text(""), .integer(0), .integer(2), .integer(443),
    ])
    try await bench.put(store, added, .record([StoredValue.Field("value", .text("v"))]))
    #expect(try await store.source.get(EntryQuery(added)).get().modified != nil)
    try await store.source.delete(EntryQuery(keys[2])).get()
    for _ in 0..<5 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
  }

  @Test func `A cookie with an encrypted value keeps its host, and has no other value`()
    async throws
  {
    let path = try bench.database(
      Self.chromium + Self.chromeRow("a.org", "x", 0) + Self.chromeRow("b.org", "y", 0),
      name: "Cookies")
    func key(_ host: String, _ name: String) -> EntryKey {
      .composite([
        .text(host), .text(name), .text("/"), .text(""), .integer(0), .integer(2), .integer(443),
      ])
    }
    let store = try await bench.open(path, "cookies")
    let before = try bench.dump(path)
    let entry = try await store.source.get(EntryQuery(key("a.org", "x"))).get()
    func rename(_ entry: Entry, to key: EntryKey) async throws {
      let query = RenameQuery(entry.key, to: key, expecting: try #require(entry.fingerprint))
      _ = try await store.source.put(nil, in: query).get()
    }
    await #expect(throws: StoreError.self) { try await rename(entry, to: key("c.org", "x")) }
    let both = try #require(entry.value).setting("value", to: .text("plain"))
    for host in ["a.org", "c.org"] {
      await #expect(throws: StoreError.self) {
        _ = try await take(
          Entry(key: key(host, "x"), value: both), into: "cookies", at: path, replaces: true)
      }
    }
    #expect(try bench.dump(path) == before)
    // Another name does not matter, nor does the host of a value that is not encrypted.
    try await rename(entry, to: key("a.org", "z"))
    let plain = both.setting("encrypted_value", to: .data([]))
    try await bench.put(store, key("b.org", "y"), plain)
    let other = try await store.source.get(EntryQuery(key("b.org", "y"))).get()
    try await rename(other, to: key("c.org", "y"))
    #expect(try await store.keys() == [key("a.org", "z"), key("c.org", "y")])
  }

  @Test(arguments: [1, 1_000] as [Int64])
  func `Cookies of Firefox expire in seconds or milliseconds`(_ scale: Int64) async throws {
    let path = try bench.database(
      "CREATE TABLE moz_cookies(id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', "
        + "name TEXT, value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, "
        + "creationTime INTEGER, isSecure INTEGER, isHttpOnly INTEGER, "
        + "inBrowserElement INTEGER DEFAULT 0, sameSite INTEGER DEFAULT 0, "
        + "schemeMap INTEGER DEFAULT 0, isPartitionedAttributeSet INTEGER DEFAULT 0, "
        + "CONSTRAINT moz_uniqueid UNIQUE (name, host, path, originAttributes));"
        + "INSERT INTO moz_cookies(name, value, host, path, expiry, lastAccessed, creationTime) VALUES"
        + "('b', '1', 'z.org', '/', \(1_577_836_800 * scale), 1577000000000000, 1576000000000000),"
        + "('z', '2', 'a.org', '/', \(4_102_444_800 * scale), 1577000000000000, 1576000000000000)",
      name: "cookies.sqlite")
    let store = try await bench.open(path, "moz_cookies")
    func key(_ host: String, _ name: String) -> EntryKey {
      .composite([.text(host), .text(name), .text("/"), .text("")])
    }
    let keys = [key("a.org", "z"), key("z.org", "b")]
    #expect(try await store.keys(pages: 1) == keys)
    let before = try bench.dump(path)
    let entry = try await store.source.get(EntryQuery(keys[1])).get()
    #expect(entry.expires == Date(timeIntervalSince1970: 1_577_836_800))
    #expect(entry.value?.field("id") == nil)
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    let touched = try await store.expiry?.entry(entry, expiring: date)
    try await bench.put(store, keys[1], try #require(touched?.value))
    #expect(try await store.value(keys[1])?.field("expiry") == .integer(4_000_000_000 * scale))
    let row = try #require(try await store.value(keys[0]))
    try await bench.put(store, keys[0], row.setting("value", to: .text("new")))
    try await store.source.delete(EntryQuery(keys[0])).get()
    for _ in 0..<3 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
  }

  private static let apple =
    "CREATE TABLE cfurl_cache_response(entry_ID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, "
    + "version INTEGER, hash_value INTEGER, storage_policy INTEGER, request_key TEXT UNIQUE, "
    + "time_stamp NOT NULL DEFAULT CURRENT_TIMESTAMP, partition TEXT);"
    + "CREATE TABLE cfurl_cache_blob_data(entry_ID INTEGER PRIMARY KEY, response_object BLOB, "
    + "request_object BLOB, proto_props BLOB, user_info BLOB);"
    + "CREATE TABLE cfurl_cache_receiver_data(entry_ID INTEGER PRIMARY KEY, isDataOnFS INTEGER, "
    + "receiver_data BLOB);"
    + "INSERT INTO cfurl_cache_response VALUES(4, 0, 11, 0, 'https://x/b', '2021-01-12 09:01:10', NULL),"
    + "(9, 0, 12, 1, 'https://x/a', '2022-01-12 09:01:10', NULL);"
    + "INSERT INTO cfurl_cache_blob_data VALUES(4, x'01', x'02', NULL, NULL), (9, x'03', x'04', NULL, NULL);"
    + "INSERT INTO cfurl_cache_receiver_data VALUES(4, 0, x'7b7d'), "
    + "(9, 1, '0A1B2C3D-0000-4000-8000-0123456789AB');"

  private static let file = "fsCachedData/0A1B2C3D-0000-4000-8000-0123456789AB"
  private let first = EntryKey.text("https://x/a")
  private let second = EntryKey.text("https://x/b")

  @Test func `An entry of Apple's URL cache is a row of three tables`() async throws {
    let path = try bench.database(Self.apple, name: "Cache.db")
    _ = try bench.folder.write(Array("a large body".utf8), to: Self.file)
    let store = try await bench.open(path, "cfurl_cache_response")
    #expect(try await store.keys() == [first, second])
    #expect(!store.capabilities.contains(.creates) && store.valueType == .data)
    let before = try bench.dump(path)
    let row = try #require(try await store.value(second))
    #expect(row.field("receiver_data") == .data([0x7b, 0x7d]))
    #expect(row.field("response_object") == .data([1]))
    #expect(row.field("storage_policy") == .integer(0))
    #expect(row.field("entry_ID") == nil)
    let body = try await store.source.entry(first, readsFiles: true)?.value
    #expect(body?.field("receiver_data") == .data(Array("a large body".utf8)))

    // A change of columns in two tables, and of none.
    let changed = row.setting("receiver_data", to: .data([0x31]))
      .setting("storage_policy", to: .integer(1))
    try await bench.put(store, second, changed)
    #expect(try await store.value(second) == changed)
    #expect(try bench.dump(path).contains("cfurl_cache_receiver_data VALUES(4,0,X'31')"))
    try await bench.put(store, first, try #require(body))
    #expect(try bench.folder.bytes(Self.file) == Array("a large body".utf8))

    // Another body is stored in the table, and its file is deleted.
    try await bench.put(
      store, first, try #require(body).setting("receiver_data", to: .data([0x32])))
    #expect(try bench.dump(path).contains("cfurl_cache_receiver_data VALUES(9,0,X'32')"))
    #expect(throws: (any Error).self) { try bench.folder.bytes(Self.file) }
    #expect(try bench.folder.names().contains("fsCachedData"))
    try await bench.undo(store)
    #expect(try bench.folder.bytes(Self.file) == Array("a large body".utf8))
    try await bench.undo(store)
    #expect(try bench.dump(path) == before)

    // Only the program makes entries and keys.
    let added = await refusal { try await bench.put(store, .text("https://x/c"), row) }
    #expect(added?.contains("can add or rename entries here") == true, "\(added ?? "")")
    let rename = try #require(
      try await bench.renaming(store, "https://x/a", to: .text("https://x/d")))
    await #expect(throws: StoreError.self) {
      _ = try await store.source.put(nil, in: rename).get()
    }
    #expect(try bench.dump(path) == before)
  }

  /// Imports an entry without a journal and returns the number of entries that were written.
  private func take(
    _ entry: Entry, into table: String, at path: String, replaces: Bool
  ) async throws -> StoredValue? {
    let store = try await Stores.store(path, table)
    let asked = Counter()
    let query = ImportQuery(replaces: replaces) { asked.next() == 0 ? [entry] : nil }
    return try await store.source.put(nil, in: query).get().value
  }

  @Test func `An imported body is stored in the table, and the file of the old one is deleted`()
    async throws
  {
    let path = try bench.database(Self.apple, name: "Cache.db")
    _ = try bench.folder.write(Array("a large body".utf8), to: Self.file)
    let store = try await bench.open(path, "cfurl_cache_response")
    let body = try #require(try await store.source.entry(first, readsFiles: true)?.value)
    let entry = Entry(key: first, value: body.setting("receiver_data", to: .data([0x33])))
    #expect(
      try await take(entry, into: "cfurl_cache_response", at: path, replaces: true) == .integer(1))
    #expect(try bench.dump(path).contains("cfurl_cache_receiver_data VALUES(9,0,X'33')"))
    #expect(throws: (any Error).self) { try bench.folder.bytes(Self.file) }
  }

  @Test func `An import of entries as they are changes nothing`() async throws {
    let path = try bench.database(Self.apple, name: "Cache.db")
    _ = try bench.folder.write(Array("a large body".utf8), to: Self.file)
    let store = try await bench.open(path, "cfurl_cache_response")
    let before = try bench.dump(path)
    for key in [first, second] {
      let entry = try #require(try await store.source.entry(key, readsFiles: true))
      #expect(
        try await take(entry, into: "cfurl_cache_response", at: path, replaces: false)
          == .integer(0))
    }
    #expect(try bench.dump(path) == before)
    #expect(try bench.folder.bytes(Self.file) == Array("a large body".utf8))
  }

  @Test(arguments: [
    // Not the name of a file, and the name of another entry's.
    "x'7b7d'", "'0A1B2C3D-0000-4000-8000-0123456789AB'",
  ])
  func `An entry of Apple's URL cache is not given a file that is not its own`(_ body: String)
    async throws
  {
    let path = try bench.database(
      Self.apple
        + "UPDATE cfurl_cache_receiver_data SET receiver_data = \(body) WHERE entry_ID = 4;",
      name: "Cache.db")
    _ = try bench.folder.write(Array("a large body".utf8), to: Self.file)
    let store = try await bench.open(path, "cfurl_cache_response")
    let before = try bench.dump(path)
    let row = try #require(try await store.value(second))
    await #expect(throws: StoreError.self) {
      try await bench.put(store, second, row.setting("isDataOnFS", to: .integer(1)))
    }
    #expect(try bench.dump(path) == before)
  }

  @Test(arguments: [true, false])
  func `A deletion takes the rows of all tables and the file, and undo brings them back`(
    isPrefix: Bool
  ) async throws {
    let path = try bench.database(Self.apple, name: "Cache.db")
    _ = try bench.folder.write(Array("a large body".utf8), to: Self.file)
    let store = try await bench.open(path, "cfurl_cache_response")
    let before = try bench.dump(path)
    if isPrefix {
      try await store.source.delete(PrefixQuery("https://x/a")).get()
    } else {
      try await store.source.delete(EntryQuery(first)).get()
    }
    #expect(try await store.keys() == [second])
    for table in ["response", "blob_data", "receiver_data"] {
      #expect(try !bench.dump(path).contains("cfurl_cache_\(table) VALUES(9"))
    }
    #expect(throws: (any Error).self) { try bench.folder.bytes(Self.file) }
    try await bench.undo(store)
    #expect(try bench.dump(path) == before)
    #expect(try bench.folder.bytes(Self.file) == Array("a large body".utf8))
  }

  @Test func `A conflict in a joined table is one of the entry`() async throws {
    let path = try bench.database(Self.apple, name: "Cache.db")
    let store = try await bench.open(path, "cfurl_cache_response")
    let entry = try await store.source.get(EntryQuery(second)).get()
    try Outsider.run("sqlite3", path, "UPDATE cfurl_cache_blob_data SET user_info = 'x'")
    let replace = ReplaceQuery(second, expecting: entry.fingerprint)
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.source.put(entry, in: replace).get()
    }
    guard case .conflict? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    // Without the unique index, one of the columns, or a joined table.
    "CREATE TABLE meta(key, value); CREATE TABLE cookies(host_key TEXT, name TEXT, path TEXT)",
    Self.chromium.replacing("CREATE UNIQUE INDEX", with: "CREATE INDEX"),
    Self.apple + "DROP TABLE cfurl_cache_blob_data",
    // Joined rows that may belong to several entries, and a column that two tables have.
    Self.apple.replacing(
      "blob_data(entry_ID INTEGER PRIMARY KEY", with: "blob_data(entry_ID INTEGER"
    )
    .replacing("user_info BLOB)", with: "user_info BLOB, PRIMARY KEY(entry_ID, response_object))"),
    Self.apple.replacing("receiver_data(entry_ID INTEGER", with: "receiver_data(entry_ID TEXT"),
    Self.apple + "ALTER TABLE cfurl_cache_response ADD COLUMN User_Info",
  ])
  func `Another schema with the name of a known table is not mistaken`(_ sql: String) async throws {
    let path = try bench.database(sql, name: "x.db")
    let open = try await Stores.open(path)
    let table = sql.contains("cfurl") ? "cfurl_cache_response" : "cookies"
    let store = try await open.store(table)
    #expect(store.keyColumns.count == 1)
    #expect(!(open.facts.first { $0.name == "key-value" }?.text.contains("--raw") ?? false))
  }
}
