import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Expiries that are written in the format of their table, and undone.
struct ExpiryWritingTests {
  private static let date = Date(timeIntervalSince1970: 1_800_000_000.75)

  private static func store(
    _ columns: String, _ rows: String, _ folder: TestFolder
  ) async throws -> Store {
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, \(columns));"
        + "INSERT INTO cache VALUES \(rows);")
    let journal = Journal(path: folder.file("journal.db"))
    return try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
  }

  private static func cells(_ folder: TestFolder) async throws -> [[SQLiteValue]] {
    try await rows(folder.file("test.db"), "SELECT * FROM cache ORDER BY key")
  }

  @Test(arguments: [
    ("expires INTEGER", "1790000000", SQLiteValue.integer(1_800_000_000)),
    ("expires INTEGER", "1790000000123", .integer(1_800_000_000_750)),
    ("expires REAL", "1790000000.5", .real(1_800_000_000.75)),
    ("expires TEXT", "'1790000000'", .text("1800000000")),
    ("expires TEXT", "'2026-09-21 14:13:20'", .text("2027-01-15 08:00:00")),
    ("expires TEXT", "'2026-09-21T14:13:20.000Z'", .text("2027-01-15T08:00:00.750Z")),
    (
      "expires TEXT", "'2026-09-21 14:13:20.123456+02:00'",
      .text("2027-01-15 10:00:00.750000+02:00")
    ),
    // Other variants of ISO 8601.
    ("expires TEXT", "'2026-09-21 14:13:20+02'", .text("2027-01-15 10:00:00+02")),
    ("expires TEXT", "'2026-09-21T14:13:20,5Z'", .text("2027-01-15T08:00:00,7Z")),
    ("expires TEXT", "'20260921T141320Z'", .text("20270115T080000Z")),
    ("expires TEXT", "'20260921T141320.123+0200'", .text("20270115T100000.750+0200")),
    ("expires TEXT", "'2026-09-21 14:13'", .text("2027-01-15 08:00")),
    ("expires TEXT", "'2026-09-21T14:13Z'", .text("2027-01-15T08:00Z")),
  ])
  func `An expiry is written in the format of its column`(
    _ column: String, _ value: String, _ written: SQLiteValue
  ) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(column, "('a', x'00', \(value)), ('b', 'x', \(value))", folder)
    let before = try await Self.cells(folder)
    let entry = try await store.setExpiry(ExpiryChange(.text("a"), expires: Self.date))
    let expires = try #require(entry.expires)
    #expect(abs(expires.timeIntervalSince(Self.date)) < 1)
    let after = try await Self.cells(folder)
    #expect(after[0] == [.text("a"), .blob([0]), written])
    #expect(after[1] == before[1])
    try await store.replay(ReplayRequest())
    #expect(try await Self.cells(folder) == before)
    try await store.replay(ReplayRequest(isRedo: true))
    #expect(try await Self.cells(folder) == after)
  }

  @Test func `A lifetime is counted from its start column`() async throws {
    let folder = try TestFolder()
    let store = try await Self.store(
      "ttl INTEGER, created_at INTEGER",
      "('a', 'v', 600, 1790000000), ('b', 'v', NULL, 1790000000)",
      folder)
    let date = Date(timeIntervalSince1970: 1_790_000_100)
    let keys = [EntryKey.text("a"), .text("b")]
    _ = try await store.setExpiries(keys.map { ExpiryChange($0, expires: date) })
    #expect(try await Self.cells(folder).map { $0[2] } == [.integer(100), .integer(100)])
    _ = try await store.setExpiry(ExpiryChange(.text("a"), expires: nil))
    #expect(try await Self.cells(folder).map { $0[2] } == [.null, .integer(100)])
    let early = ExpiryChange(.text("a"), expires: Date(timeIntervalSince1970: 1_789_999_000))
    let message = await refusal { _ = try await store.setExpiry(early) }
    #expect(message?.contains("so it cannot expire before that") == true)
  }

  @Test func `Never is written as other rows of the table do`() async throws {
    for (columns, rows, written) in [
      ("expires INTEGER", "('a', 1, 1790000000), ('b', 1, 0)", SQLiteValue.integer(0)),
      ("expires INTEGER", "('a', 1, 1790000000)", .null),
      ("expires REAL NOT NULL", "('a', 1, 1790000000.5), ('b', 1, -1)", .real(-1)),
      (
        "expires TEXT NOT NULL",
        "('a', 1, '2026-09-21 14:13:20'), ('b', 1, '9999-12-31 23:59:59.999999')",
        .text("9999-12-31 23:59:59.999999")
      ),
    ] {
      let folder = try TestFolder()
      let store = try await Self.store(columns, rows, folder)
      let entry = try await store.setExpiry(ExpiryChange(.text("a"), expires: nil))
      #expect(entry.expires == nil)
      #expect(try await Self.cells(folder).first?.last == written)
    }
    let folder = try TestFolder()
    let store = try await Self.store("expires INTEGER NOT NULL", "('a', 1, 1790000000)", folder)
    let message = await refusal {
      _ = try await store.setExpiry(ExpiryChange(.text("a"), expires: nil))
    }
    #expect(message?.hasPrefix("no row shows how expires stores “never”") == true)
  }

  @Test func `A row changed by another program is not overwritten`() async throws {
    let folder = try TestFolder()
    let store = try await Self.store(
      "expires INTEGER", "('a', 1, 1790000000), ('b', 1, 1790000000)", folder)
    let read = try await ["a", "b"].asyncMap {
      try await store.source.get(EntryQuery(.text($0))).get()
    }
    try await SQLiteConnection(path: folder.file("test.db"), access: .writing).perform {
      try $0.execute("UPDATE cache SET expires = 1790000500 WHERE key = 'b'")
    }
    let expiries = read.map {
      ExpiryChange($0.key, expires: Self.date, expecting: $0.fingerprint)
    }
    await #expect(throws: StoreError.self) {
      try await store.setExpiries(expiries)
    }
    #expect(
      try await Self.cells(folder).map { $0[2] } == [
        .integer(1_790_000_000), .integer(1_790_000_500),
      ])
  }

  @Test func `A batch is one change, and unchanged entries are not part of it`() async throws {
    let folder = try TestFolder()
    let store = try await Self.store(
      "expires INTEGER", "('a', 1, 1790000000), ('b', 1, 1790000001), ('c', 1, 1800000000)", folder)
    let before = try await Self.cells(folder)
    let changes = ["a", "b", "c"].map { ExpiryChange(.text($0), expires: Self.date) }
    let written = try await store.setExpiries(changes)
    #expect(written.count == 3)
    try await store.replay(ReplayRequest())
    #expect(try await Self.cells(folder) == before)
  }

  @Test func `A store without an expiry refuses to set one`() async throws {
    let folder = try TestFolder()
    let store = try await Self.store("size INTEGER", "('a', 1, 5)", folder)
    #expect(!store.capabilities.contains(.expiry))
    await #expect(throws: StoreError.self) {
      try await store.setExpiry(ExpiryChange(.text("a"), expires: Self.date))
    }
    #expect(try await Self.cells(folder) == [[.text("a"), .integer(1), .integer(5)]])
  }

  @Test func `Expiries are written the same way without a journal`() async throws {
    let folder = try TestFolder()
    _ = try await Self.store("expires INTEGER", "('a', 1, 1790000000)", folder)
    let store = try await Stores.store(folder.file("test.db"))
    let entry = try await store.setExpiry(ExpiryChange(.text("a"), expires: Self.date))
    #expect(entry.expires == Date(timeIntervalSince1970: 1_800_000_000))
    let stale = ExpiryChange(
      .text("a"), expires: nil, expecting: Fingerprint(of: .text("another")))
    await #expect(throws: StoreError.self) { try await store.setExpiry(stale) }
  }
}
