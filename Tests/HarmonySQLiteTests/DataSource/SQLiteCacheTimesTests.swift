import Foundation
import Harmony
import HarmonySQLite
import HarmonyTesting
import Testing

/// Cache times stored in the table of the values.
@Suite struct SQLiteCacheTimesTests {
  private let path: String
  private let start = Date(timeIntervalSince1970: 1_800_000_000.25)

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "app.db").path
  }

  private func rows(_ sql: String) throws -> [[SQLiteValue]] {
    try SQLiteConnection(path: path, access: .writing, busyTimeout: .seconds(600), label: "test")
      .wait { try $0.rows(sql) }
  }

  @Test func `A cache stores its times in the rows of the values`() async throws {
    let clock = ManualClock()
    let source = SQLiteDataSource<String>(path: path, table: "sessions")
    let times = SQLiteCacheTimes(path: path, table: "sessions")
    #expect(try times.times(of: "a") == nil)
    try times.setTimes(nil, of: "a")
    let cache = TimedCacheDataSource(
      source, expiryInterval: 60, clock: clock, times: times, date: { [start] in start })
    try await cache.put("1", forId: "a").get()
    try await source.put("2", forId: "b").get()
    #expect(
      try rows("SELECT stored, expires FROM sessions ORDER BY key") == [
        [.real(1_800_000_000.25), .real(1_800_000_060.25)], [.null, .real(946_684_800)],
      ])
    cache.setRemaining(nil, of: "a")
    #expect(try times.times(of: "a") == CacheTimes(stored: start, expires: nil))
    // A restart, and an expiry set by another program.
    _ = try rows("UPDATE sessions SET expires = 1800000010.25 WHERE key = 'a'")
    let later = TimedCacheDataSource(
      SQLiteDataSource<String>(path: path, table: "sessions"), expiryInterval: 60, clock: clock,
      times: SQLiteCacheTimes(path: path, table: "sessions"),
      date: { [start] in start.addingTimeInterval(4) })
    #expect(try await later.get("a").get() == "1")
    #expect(later.inspect("a")?.age == .seconds(4))
    #expect(later.inspect("a")?.remaining == .seconds(6))
    // An entry without a time starts its TTL now.
    #expect(try await later.get("b").get() == "2")
    #expect(later.inspect("b")?.remaining == .seconds(60))
    try await later.delete("a").get()
    #expect(try times.times(of: "a") == nil)
    try times.forgetTimes()
    #expect(try rows("SELECT stored, expires FROM sessions") == [[.null, .real(946_684_800)]])
  }

  @Test func `The times of many keys are written in one transaction, and no changes need none`()
    async throws
  {
    let source = SQLiteDataSource<Int>(path: path)
    let cache = TimedCacheDataSource(source, times: SQLiteCacheTimes(path: path))
    let ids = IdsQuery(Array(0..<200))
    try await cache.putAll(ids.ids, in: ids).get()
    let before = try changes()
    // Times removed, values written, times written; unchanged rows would not be written.
    try await cache.putAll(ids.ids.map { $0 + 1 }, in: ids).get()
    #expect(try changes() == before + 3)
    #expect(try rows("SELECT count(*) FROM entries WHERE stored IS NULL") == [[.integer(0)]])
    try await source.put(1, forId: "new").get()
    try SQLiteCacheTimes(path: path).setTimes([("new", nil), ("missing", nil)])
    #expect(try changes() == before + 4)
  }

  /// Returns the file change counter: <https://www.sqlite.org/fileformat.html>, 1.3.8.
  private func changes() throws -> Int {
    try Data(contentsOf: URL(filePath: path))[24..<28].reduce(0) { $0 << 8 | Int($1) }
  }
}
