import Foundation
import Harmony
import HarmonySQLite
import HarmonyTesting
import LarderModel
import Testing

@testable import LarderStores

/// Scans of large tables by two threads.
struct StretchTests {
  /// Tables with pages so small that the B-trees are deep.
  private static let tables = [
    "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT x * 3 - 9000, 'value ' || x FROM n",
    // A skewed distribution, and deleted ranges.
    "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT x * x * x, 'value ' || x FROM n;"
      + "DELETE FROM t WHERE k % 7000 < 2000",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID;"
      + "INSERT INTO t SELECT printf('key:%05d:é', x * 7919 % 20011), 'value ' || x FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
      + "INSERT INTO t SELECT printf('key:%05d', x * 7919 % 20011), 'value ' || x FROM n;"
      + "DELETE FROM t WHERE k BETWEEN 'key:09000' AND 'key:12000'",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
      + "INSERT INTO t SELECT nullif(printf('key:%05d', x), 'key:00007'), x FROM n;"
      + "UPDATE t SET k = NULL WHERE v % 11 = 3; UPDATE t SET k = CAST(k AS BLOB) WHERE v % 13 = 1",
    "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID;"
      + "INSERT INTO t SELECT CASE x % 4 WHEN 0 THEN x WHEN 1 THEN x + 0.5 WHEN 2 THEN 'text ' || x "
      + "ELSE CAST('bytes ' || x AS BLOB) END, x FROM n",
    "CREATE TABLE t(k INT, v, UNIQUE(k)); INSERT INTO t SELECT x + (x % 2) * 0.5, x FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, v);"
      + "INSERT INTO t SELECT char(65 + x % 2 * 32) || printf('%05d', x), x FROM n",
    "CREATE TABLE t(k TEXT, n, v, PRIMARY KEY(k, n)); INSERT INTO t SELECT x % 9, x, 'v' || x FROM n",
  ]

  private static func source(
    _ folder: TestFolder, _ table: String, rows: Int = 20_000
  ) async throws -> (source: SQLiteEntrySource, path: String) {
    let numbers =
      "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows - 1)) INSERT"
    let path = try await folder.database(
      "PRAGMA page_size = 512;" + table.replacing("INSERT", with: numbers))
    let table = SQLiteTable(SQLiteDatabase(path: path), name: "t")
    return (SQLiteEntrySource(table, isReadOnly: true, warnings: WarningCollector()), path)
  }

  private static let filters = [
    EntryFilter(.text("77")), EntryFilter(.text("nothing has this")), EntryFilter(.suffix("9")),
    EntryFilter([EntryFilter.Term(.text("1"), isNegated: true)]),
    EntryFilter(.text("199"), in: .values),
  ]

  /// Returns the matching entries, read in pages short enough for a single thread.
  private static func expected(
    _ source: SQLiteEntrySource, _ filter: EntryFilter
  ) async throws -> [Entry] {
    var entries: [Entry] = []
    var after: EntryKey?
    repeat {
      let page = try await source.getAll(
        EntryPageQuery(after: after, limit: 4_000, detail: .values)
      ).get()
      entries += page
      after = page.last?.key
    } while entries.count % 4_000 == 0 && after != nil
    let matcher = try KeyMatcher(filter, telling: nil)
    return entries.filter { entry in
      guard filter.field == .values else { return matcher.matches(entry.key) }
      return entry.value.map { matcher.matches($0, of: entry.key) } ?? false
    }
  }

  @Test(arguments: tables)
  func `Two threads find the same entries in the same order as one`(table: String) async throws {
    let folder = try TestFolder()
    let (source, _) = try await Self.source(folder, table)
    for filter in Self.filters {
      let expected = try await Self.expected(source, filter)
      let keys = expected.map(\.key)
      for limit in [7, 200, 3_000, Int.max] {
        var found: [EntryKey] = []
        var after: EntryKey?
        while true {
          let scan = Scan()
          let page = try await source.getAll(
            EntryPageQuery(filter: filter, after: after, limit: limit, scan: scan)
          ).get()
          found += page.map(\.key)
          after = scan.position
          // A short limit needs enough pages to get past the first stretch.
          if page.count < limit || (limit < 100 && found.count > 400) { break }
        }
        #expect(found == Array(keys.prefix(limit < 100 ? found.count : .max)))
      }
      let scan = Scan()
      let count = try await source.get(CountQuery(filter: filter, scan: scan)).get()
      #expect(count.value == .integer(Int64(keys.count)))
      #expect(scan.isComplete)
      let all = try await source.get(CountQuery()).get()
      #expect(all.value == .integer(Int64(scan.examined)))
    }
  }

  @Test(arguments: tables.prefix(4))
  func `A sorted page is the start of all sorted rows`(table: String) async throws {
    let folder = try TestFolder()
    let (source, _) = try await Self.source(folder, table)
    let all = try await source.getAll(EntryPageQuery(limit: .max, detail: .summary)).get()
    let order = EntryOrder(.size, isDescending: true)
    let scan = Scan()
    let page = try await source.getAll(
      EntryPageQuery(order: order, limit: 300, detail: .summary, scan: scan)
    ).get()
    let sorted = all.sorted { left, right in
      order.precedes((order.rank(of: left), left.key), (order.rank(of: right), right.key))
    }
    #expect(page == Array(sorted.prefix(page.count)))
    #expect(page.count >= 300)
    #expect(scan.examined == all.count)
    let measured = try await source.get(CountQuery(measures: true)).get()
    #expect(measured.size == all.reduce(0) { $0 + ($1.size ?? 0) })
  }

  @Test func `A small table is scanned by one thread, and a large one waits for both`() async throws
  {
    for rows in [200, 20_000] {
      let folder = try TestFolder()
      let (source, _) = try await Self.source(folder, Self.tables[2], rows: rows)
      let (isHeld, gate) = (Future<Bool>(), DispatchSemaphore(value: 0))
      source.table.database.connection(.sideScan).perform { _ in
        isHeld.set(true)
        gate.wait()
      } completion: { _ in
      }
      _ = try await isHeld.get()
      let future = source.getAll(EntryPageQuery(filter: EntryFilter(.text("none")), limit: 200))
      guard rows == 200 else {
        // Both threads stop, including the one that waits.
        future.cancel()
        await #expect(throws: CancellationError.self) { try await future.get() }
        let count = source.get(CountQuery(filter: EntryFilter(.text("key"))))
        // A single thread would have finished by now.
        for _ in 0..<20 { try await source.table.database.perform(.scan) { _ in } }
        #expect(!count.isResolved)
        gate.signal()
        #expect(try await count.get().value == .integer(20_000))
        continue
      }
      #expect(try await future.get().isEmpty)
      gate.signal()
    }
  }

  @Test func `Expired entries at the front are found, and the rest is scanned once`()
    async throws
  {
    let folder = try TestFolder()
    let (source, _) = try await Self.source(
      folder,
      "CREATE TABLE t(key INTEGER PRIMARY KEY, value TEXT, expires_at INTEGER);"
        + "INSERT INTO t SELECT x, 'value ' || x, "
        + "CASE WHEN x < 9000 THEN 1700000000 ELSE 2000000000 END FROM n")
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let told = Locked<[Int]>([])
    let scan = Scan { scan in told.withLock { $0.append(scan.examined) } }
    let page = try await source.getAll(
      EntryPageQuery(
        filter: EntryFilter(.suffix("99")), expiring: ExpiryRange(upTo: now), limit: .max,
        scan: scan
      )
    ).get()
    #expect(page.map(\.key) == (0..<90).map { .integer(Int64($0) * 100 + 99) })
    #expect(scan.isComplete)
    #expect(scan.examined >= 9_000 && scan.examined <= 20_000)
    #expect(told.withLock { $0 == $0.sorted() })
  }

  @Test func `The pace recovers after one slow turn`() {
    var pace = ScanPace(filter: nil, readsMore: false)
    pace.note(8_000, over: 1, isWhole: true)
    #expect(pace.width == 4)
    pace.note(400_000_000, over: 4, isWhole: true)
    #expect(pace.width == 1 && pace.turn == 100_000_000)
    // A short list of keys took as long for each key as a long one.
    pace.note(2_000_000, over: 1, isWhole: true)
    pace.note(4_000_000, over: 2, isWhole: true)
    #expect(pace.width == 4 && pace.turn == 8_000_000)
    pace.note(900_000_000, over: 4, isWhole: true)
    for _ in 0..<5 { pace.shorten() }
    #expect(pace.turn < 10_000_000)
  }

  @Test func `Cancelling a scan stops both threads`() async throws {
    let folder = try TestFolder()
    let (source, _) = try await Self.source(folder, Self.tables[2])
    for limit in [6_000, 9_000, 15_000] {
      let future = Locked<Future<Entry>?>(nil)
      let isKept = DispatchSemaphore(value: 0)
      let scan = Scan { scan in
        guard scan.examined > limit else { return }
        isKept.wait()
        isKept.signal()
        future.withLock { $0 }?.cancel()
      }
      let count = source.get(CountQuery(filter: EntryFilter(.text("none")), scan: scan))
      future.withLock { $0 = count }
      isKept.signal()
      await #expect(throws: CancellationError.self) { try await count.get() }
      #expect(!scan.isComplete)
      let page = EntryPageQuery(filter: EntryFilter(.text("19999")), limit: 200)
      #expect(try await source.getAll(page).get().count == 1)
    }
  }

  @Test(arguments: [0.3, 0.5, 0.7, 0.9])
  func `An error in either thread fails the scan`(place: Double) async throws {
    let folder = try TestFolder()
    let (whole, path) = try await Self.source(folder, Self.tables[2])
    var bytes = try folder.bytes("test.db")
    let damaged = Int(Double(bytes.count / 512) * place) * 512
    bytes.replaceSubrange(damaged..<(damaged + 512), with: repeatElement(0xFF, count: 512))
    let copy = try folder.write(bytes, to: "damaged.db")
    #expect(copy != path)
    let source = SQLiteEntrySource(
      SQLiteTable(SQLiteDatabase(path: copy), name: "t"), isReadOnly: true,
      warnings: WarningCollector())
    let query = CountQuery(filter: EntryFilter(.text("77")))
    await #expect {
      try await source.get(query).get()
    } throws: { error in
      if case StoreError.corrupt = error { true } else { false }
    }
    #expect(try await whole.get(query).get().value != .integer(0))
    // A page that ends before the damaged rows succeeds.
    let page = EntryPageQuery(filter: EntryFilter(.text("key:00")), limit: 200)
    #expect(try await source.getAll(page).get() == whole.getAll(page).get())
  }
}
