import Foundation
import Harmony
import LarderJournal
import LarderModel
import LarderStores
import TestPrograms
import Testing

/// History and storage of browsers, Android's jobs, and lenses of the settings, each with its
/// documented schema.
struct LensTests {
  private let bench: JournalBench

  init() throws { bench = try JournalBench() }

  @Test func `The history of Chromium has the URL first`() async throws {
    let path = try bench.database(
      "CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);"
        + "CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT, title LONGVARCHAR, "
        + "url LONGVARCHAR, visit_count INTEGER DEFAULT 0 NOT NULL, "
        + "typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL, "
        + "hidden INTEGER DEFAULT 0 NOT NULL); CREATE INDEX urls_url_index ON urls(url);"
        + "CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, "
        + "visit_time INTEGER NOT NULL);"
        + "INSERT INTO urls VALUES(3, 'A', 'https://a/', 2, 0, 13340000000000000, 0),"
        + "(4, 'B', 'https://b/', 1, 0, 13340000000000001, 0)", name: "History")
    let before = try bench.dump(path)
    let store = try await bench.open(path, "urls")
    #expect(store.columns.first == "url")
    #expect(try await bench.open(path, "visits").references == ["url": "urls"])
    #expect(try await store.keys() == [.integer(3), .integer(4)])
    let row = try #require(try await store.value(.integer(3)))
    try await bench.put(store, .integer(3), row.setting("title", to: .text("C")))
    let added = StoredValue.record([StoredValue.Field("url", .text("https://c/"))])
    try await bench.put(store, .integer(5), added)
    #expect(try await store.value(.integer(5))?.field("last_visit_time")?.type == .integer)
    try await store.source.delete(EntryQuery(.integer(4))).get()
    for _ in 0..<3 { try await bench.undo(store) }
    #expect(try bench.dump(path).replacing("('urls',5)", with: "('urls',4)") == before)
  }

  private static let places =
    "CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, "
    + "rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, "
    + "typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL, "
    + "last_visit_date INTEGER, guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL, "
    + "url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT);"
    + "CREATE INDEX moz_places_url_hashindex ON moz_places(url_hash);"
    + "CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places(guid);"
    + "CREATE TABLE moz_historyvisits(id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER);"
    + "CREATE TABLE moz_bookmarks(id INTEGER PRIMARY KEY, fk INTEGER DEFAULT NULL, "
    + "parent INTEGER, title LONGVARCHAR);"
    + "INSERT INTO moz_places(id, url, title, guid, url_hash) VALUES"
    + "(1, 'https://a/', 'A', 'abcdefghijkl', 11), (2, 'https://b/', 'B', 'abcdefghijkm', 12);"
    + "INSERT INTO moz_bookmarks VALUES(6, NULL, 0, 'toolbar'), (7, 1, 6, 'A');"

  @Test func `A page of Firefox keeps its URL, and is not deleted as long as it is bookmarked`()
    async throws
  {
    let path = try bench.database(Self.places, name: "places.sqlite")
    let before = try bench.dump(path)
    let store = try await bench.open(path, "moz_places")
    #expect(store.columns.first == "url" && !store.capabilities.contains(.creates))
    #expect(try await bench.open(path, "moz_bookmarks").references == ["fk": "moz_places"])
    let row = try #require(try await store.value(.integer(1)))
    await #expect(throws: StoreError.self) {
      try await bench.put(store, .integer(1), row.setting("url", to: .text("https://c/")))
    }
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(1))).get()
    }
    await #expect(throws: StoreError.self) { try await bench.put(store, .integer(9), row) }
    try await bench.put(store, .integer(1), row.setting("title", to: .text("C")))
    try await store.source.delete(EntryQuery(.integer(2))).get()
    #expect(try await store.keys() == [.integer(1)])
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
  }

  @Test func `A bookmark of Firefox keeps its page, and a folder its bookmarks`() async throws {
    let path = try bench.database(Self.places, name: "places.sqlite")
    let before = try bench.dump(path)
    let store = try await bench.open(path, "moz_bookmarks")
    #expect(!store.capabilities.contains(.creates))
    let row = try #require(try await store.value(.integer(7)))
    await #expect(throws: StoreError.self) {
      try await bench.put(store, .integer(7), row.setting("fk", to: .integer(2)))
    }
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(6))).get()
    }
    #expect(try bench.dump(path) == before)
  }

  @Test func `A damaged list of Core Data's entities leaves other tables readable`() async throws {
    let path = try bench.database(
      "CREATE VIEW Z_PRIMARYKEY AS SELECT * FROM missing; CREATE TABLE t(k TEXT PRIMARY KEY, v);"
        + "INSERT INTO t VALUES('a', 1);", name: "odd.sqlite")
    #expect(try await bench.open(path, "t").keys() == [.text("a")])
  }

  @Test func `A new value of Firefox's local storage is not compressed and has the right length`()
    async throws
  {
    // 20 bytes of Snappy: a literal of 4, and a copy of 16 at an offset of 4.
    let path = try bench.database(
      "CREATE TABLE database(origin TEXT NOT NULL, usage INTEGER NOT NULL DEFAULT 0);"
        + "CREATE TABLE data(key TEXT PRIMARY KEY, utf16_length INTEGER NOT NULL, "
        + "conversion_type INTEGER NOT NULL, compression_type INTEGER NOT NULL, "
        + "last_access_time INTEGER NOT NULL DEFAULT 0, value BLOB NOT NULL);"
        + "INSERT INTO data VALUES('packed', 20, 1, 1, 0, x'140c616263643e0400'),"
        + "('plain', 2, 1, 0, 0, x'6869')", name: "data.sqlite")
    let before = try bench.dump(path)
    let store = try await bench.open(path, "data")
    #expect(store.valueField == "value")
    let key = EntryKey.text("packed")
    for value in [StoredValue.text("é𝄞"), .data(Array("é𝄞".utf8))] {
      let row = try #require(try await store.value(key))
      try await bench.put(store, key, row.setting("value", to: value))
      let written = try await store.value(key)
      #expect(written?.field("value") == .data(Array("é𝄞".utf8)))
      #expect(written?.field("utf16_length") == .integer(3))
      #expect(written?.field("conversion_type") == .integer(1))
      #expect(written?.field("compression_type") == .integer(0))
      try await bench.undo(store)
      #expect(try bench.dump(path) == before)
    }
    let row = try #require(try await store.value(key))
    for value in [StoredValue.data([0xFF]), .integer(3), .null] {
      await #expect(throws: StoreError.self) {
        try await bench.put(store, key, row.setting("value", to: value))
      }
    }
    let added = StoredValue.record([StoredValue.Field("value", .text("v"))])
    try await bench.put(store, .text("new"), added)
    #expect(try await store.value(.text("new"))?.field("utf16_length") == .integer(1))
    try await store.source.delete(EntryQuery(key)).get()
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
  }

  @Test func `A job of WorkManager is shown by its class, and its names go along`() async throws {
    let path = try bench.database(
      "CREATE TABLE room_master_table(id INTEGER PRIMARY KEY, identity_hash TEXT);"
        + "CREATE TABLE workspec(id TEXT NOT NULL, state INTEGER NOT NULL, "
        + "worker_class_name TEXT NOT NULL, input BLOB NOT NULL, output BLOB NOT NULL, "
        + "initial_delay INTEGER NOT NULL, interval_duration INTEGER NOT NULL, "
        + "run_attempt_count INTEGER NOT NULL, backoff_policy INTEGER NOT NULL, PRIMARY KEY(id));"
        + "CREATE TABLE worktag(tag TEXT NOT NULL, work_spec_id TEXT NOT NULL, "
        + "PRIMARY KEY(tag, work_spec_id), FOREIGN KEY(work_spec_id) REFERENCES workspec(id) "
        + "ON UPDATE CASCADE ON DELETE CASCADE);"
        + "CREATE TABLE workname(name TEXT NOT NULL, work_spec_id TEXT NOT NULL, "
        + "PRIMARY KEY(name, work_spec_id), FOREIGN KEY(work_spec_id) REFERENCES workspec(id) "
        + "ON UPDATE CASCADE ON DELETE CASCADE);"
        + "INSERT INTO workspec VALUES('a-1', 0, 'SyncWorker', x'ac', x'ac', 0, 0, 1, 0);"
        + "INSERT INTO worktag VALUES('t', 'a-1')", name: "androidx.work.workdb")
    let before = try bench.dump(path)
    let open = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
    #expect(open.facts.contains { $0.name == "library" })
    let store = try await open.store("workspec")
    #expect(store.columns.first == "worker_class_name" && store.expiry == nil)
    let key = EntryKey.text("a-1")
    let row = try #require(try await store.value(key))
    try await bench.put(store, key, row.setting("state", to: .integer(5)))
    try await store.source.delete(EntryQuery(key)).get()
    #expect(try !bench.dump(path).contains("INSERT INTO worktag"))
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
  }

  private static let thumbs =
    "CREATE TABLE thumbs(n INTEGER PRIMARY KEY, space TEXT, url TEXT, body BLOB, until INTEGER, "
    + "size INTEGER, UNIQUE(url, space)); INSERT INTO thumbs VALUES"
    + "(1, 's', 'https://b/', x'01', 4102444800000, 1), (2, 's', 'https://a/', x'02', 1577836800000, 1);"

  private func open(_ path: String, _ change: (inout LensRule) -> Void) async throws -> OpenStore {
    var rule = LensRule(
      name: "thumbnails", table: "thumbs", key: ["space", "url"], place: "line 3 of the settings")
    (rule.value, rule.expires, rule.unit) = ("body", "until", .milliseconds)
    change(&rule)
    var options = OpenOptions()
    options.lenses = [rule]
    return try await Stores.open(
      StoreLocation(path: path), options: options, journal: bench.journal)
  }

  @Test func `A lens of the settings is used like a built-in one`() async throws {
    let path = try bench.database(Self.thumbs, name: "thumbs.db")
    let before = try bench.dump(path)
    let open = try await open(path) { $0.title = "size" }
    let facts = open.facts.first { $0.name == "key-value" }?.text
    #expect(facts?.contains("rows of thumbnails (line 3 of the settings)") == true)
    #expect(!open.facts.contains { $0.name == "lenses" })
    let store = try await open.store("thumbs")
    #expect(store.valueField == "body" && store.columns.first == "size")
    func key(_ url: String) -> EntryKey { .composite([.text("s"), .text(url)]) }
    let keys = [key("https://a/"), key("https://b/")]
    #expect(try await store.keys() == keys)
    let entry = try await store.source.get(EntryQuery(keys[0])).get()
    #expect(entry.expires == Date(timeIntervalSince1970: 1_577_836_800))
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    let touched = try await store.expiry?.entry(entry, expiring: date)
    try await bench.put(store, keys[0], try #require(touched?.value))
    #expect(try await store.value(keys[0])?.field("until") == .integer(4_000_000_000_000))
    let row = try #require(try await store.value(keys[1]))
    try await bench.put(store, keys[1], row.setting("body", to: .data([3])))
    try await store.source.delete(EntryQuery(keys[0])).get()
    for _ in 0..<3 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
    #expect(try await open.store("thumbs", key: .raw).keys() == [.integer(1), .integer(2)])
  }

  @Test(arguments: ["body is not unique", "no column content", "no column x"])
  func `A lens that does not fit its table is named, and the table is shown as before`(
    _ reason: String
  ) async throws {
    let open = try await open(try bench.database(Self.thumbs, name: "thumbs.db")) { rule in
      if reason.contains("unique") { rule.key = ["body"] }
      if reason.contains("content") { rule.value = "content" }
      if reason.hasSuffix("x") { rule.columns = ["x", "n"] }
    }
    let fact = open.facts.first { $0.name == "lenses" }?.text
    #expect(fact?.contains(reason) == true, "\(fact ?? "")")
    #expect(try await open.store("thumbs").keyColumns.map(\.name) == ["n"])
  }
}
