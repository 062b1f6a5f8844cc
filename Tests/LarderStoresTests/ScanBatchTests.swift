import Foundation
import Harmony
import HarmonySQLite
import HarmonyTesting
import LarderModel
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Scans of tables that take several batches.
struct ScanBatchTests {
  /// Tables with pages so small that the B-trees are deep.
  private static let tables = [
    "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT x * 3 - 9000, 'value ' || x FROM n",
    // A skewed distribution, and deleted ranges.
    "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT x * x * x, 'value ' || x FROM n;"
      + "DELETE FROM t WHERE k % 7000 < 2000",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID;"
      + "INSERT INTO t SELECT printf('key:%05d:é', x * 7919 % 50021), 'value ' || x FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
      + "INSERT INTO t SELECT printf('key:%05d', x * 7919 % 50021), 'value ' || x FROM n;"
      + "DELETE FROM t WHERE k BETWEEN 'key:09000' AND 'key:12000'",
    "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
      + "INSERT INTO t SELECT nullif(printf('key:%05d', x), 'key:00007'), x FROM n;"
      + "UPDATE t SET k = NULL WHERE v % 33 = 3; UPDATE t SET k = CAST(k AS BLOB) WHERE v % 13 = 1",
    "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID;"
      + "INSERT INTO t SELECT CASE x % 4 WHEN 0 THEN x WHEN 1 THEN x + 0.5 WHEN 2 THEN 'text ' || x "
      + "ELSE CAST('bytes ' || x AS BLOB) END, x FROM n",
    "CREATE TABLE t(k INT, v, UNIQUE(k)); INSERT INTO t SELECT x + (x % 2) * 0.5, x FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, v);"
      + "INSERT INTO t SELECT char(65 + x % 2 * 32) || printf('%05d', x), x FROM n",
    "CREATE TABLE t(k TEXT, n, v, PRIMARY KEY(k, n)); INSERT INTO t SELECT x % 9, x, 'v' || x FROM n",
  ]

  private static func source(
    _ folder: TestFolder, _ table: String, rows: Int = 45_000
  ) async throws -> SQLiteEntrySource {
    let numbers =
      "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows - 1)) INSERT"
    let path = try await folder.database(
      "PRAGMA page_size = 512;" + table.replacing("INSERT", with: numbers))
    let table = SQLiteTable(SQLiteDatabase(path: path), name: "t")
    return SQLiteEntrySource(table, isReadOnly: true, warnings: WarningCollector())
  }

  private static let filters = [
    EntryFilter(.text("77")), EntryFilter(.text("nothing has this")), EntryFilter(.suffix("9")),
    EntryFilter([EntryFilter.Term(.text("1"), isNegated: true)]),
    EntryFilter(.text("199"), in: .values),
  ]

  /// Returns the matching entries, read in pages shorter than a batch.
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
  func `Batches find the same entries in the same order as pages`(table: String) async throws {
    let folder = try TestFolder()
    let source = try await Self.source(folder, table)
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
          // A short limit needs only a few pages.
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
    let source = try await Self.source(folder, table)
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

  @Test func `Expired entries at the front are found, and the rest is scanned once`()
    async throws
  {
    let folder = try TestFolder()
    let source = try await Self.source(
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
    #expect(scan.examined >= 9_000 && scan.examined <= 45_000)
    #expect(told.withLock { $0 == $0.sorted() })
  }

  @Test func `Cancelling a scan stops it between two batches and within one`() async throws {
    let folder = try TestFolder()
    let source = try await Self.source(folder, Self.tables[2])
    for limit in [6_000, 22_000, 43_000] {
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
}
