import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

struct ScanTests {
  private static let many =
    "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
    + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
    + "INSERT INTO t SELECT printf('key%06d', i), 'value ' || i FROM n"

  @Test func `A scan covers all batches`() async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(Self.many))
    let scan = Scan()
    let page = try await store.source.getAll(
      EntryPageQuery(filter: EntryFilter(.text("0000")), limit: 1_000, scan: scan)
    ).get()
    // key000001 to key000099, and the multiples of 10,000.
    #expect(page.count == 99 + 5)
    #expect(scan.examined == 50_000)
    #expect(scan.isComplete)
    let values = try await store.keys(
      pages: 7, filter: EntryFilter(.regex("^value [34]9999$"), in: .values))
    #expect(values == [.text("key039999"), .text("key049999")])
    let count = try await store.source.get(CountQuery(filter: EntryFilter(.text("KEY")))).get()
    #expect(count.value == .integer(0))
  }

  @Test(arguments: [EntryPageQuery.Direction.forward, .backward])
  func `A scan with a spent budget can be continued`(_ direction: EntryPageQuery.Direction)
    async throws
  {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(Self.many))
    var found: [EntryKey] = []
    var after: EntryKey?
    var rounds = 0
    while true {
      // With no time at all, each round examines as few entries as possible.
      let scan = Scan(budget: .zero)
      let page = try await store.source.getAll(
        EntryPageQuery(
          filter: EntryFilter(.regex("key0(00001|25000|50000)")), after: after, limit: 10,
          direction: direction, scan: scan)
      ).get()
      found += page.map(\.key)
      if scan.isComplete { break }
      after = scan.position
      if after == nil { break }
      rounds += 1
    }
    #expect(rounds > 10)
    let keys: [EntryKey] = [.text("key000001"), .text("key025000"), .text("key050000")]
    #expect(found == (direction == .forward ? keys : keys.reversed()))
  }

  @Test func `Keys of every type are excluded by their displayed text`() async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(
      try await folder.database(
        "CREATE TABLE t(k PRIMARY KEY, v);"
          + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)"
          + "INSERT INTO t SELECT CASE i % 5 WHEN 0 THEN i WHEN 1 THEN i / 2.0 WHEN 2 THEN 'Key' || i "
          + "WHEN 3 THEN CAST('key' || i AS BLOB) ELSE NULL END, i FROM n"))
    let all = try await store.keys(pages: 700)
    #expect(all.count == 700)
    for text in ["77", "key6", "x'", "null", "none"] {
      let found = try await store.keys(pages: 9, filter: EntryFilter(.text(text)))
      let wanted = all.filter {
        $0.notation(.text).localizedCaseInsensitiveContains(text)
          || $0.notation(.typed).localizedCaseInsensitiveContains(text)
      }
      #expect(found == wanted, "\(text)")
      let count = try await store.source.get(CountQuery(filter: EntryFilter(.text(text)))).get()
      #expect(count.value == .integer(Int64(wanted.count)), "\(text)")
    }
  }

  @Test func `A cancelled scan stops, and the store still works`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      Self.many + "; CREATE VIEW endless AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        + " SELECT i FROM n")
    let open = try await Stores.open(StoreLocation(path: path))
    let endless = try await open.store("endless")
    for field in [EntryFilter.Field.keys, .values] {
      let scan = Scan()
      let future = endless.source.getAll(
        EntryPageQuery(filter: EntryFilter(.text("none"), in: field), scan: scan))
      while scan.examined == 0 { await Task.yield() }
      future.cancel()
      await #expect(throws: CancellationError.self) { try await future.get() }
    }
    let count = endless.source.get(CountQuery())
    count.cancel()
    await #expect(throws: CancellationError.self) { try await count.get() }
    // The same connection answers and was not interrupted on behalf of the previous query.
    let store = try await open.store("t")
    let total = try await store.source.get(CountQuery(filter: EntryFilter(.text("key")))).get()
    #expect(total.value == .integer(50_000))
    #expect(try await store.keys(pages: 60_000).count == 50_000)
  }

  @Test func `A scan does not delay a page`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1);"
        + "CREATE VIEW endless AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        + " SELECT i FROM n")
    let open = try await Stores.open(StoreLocation(path: path))
    let endless = try await open.store("endless")
    let scan = Scan()
    let future = endless.source.getAll(
      EntryPageQuery(filter: EntryFilter(.text("none")), scan: scan))
    while scan.examined == 0 { await Task.yield() }
    #expect(try await open.store("t").keys() == [.text("a")])
    future.cancel()
    await #expect(throws: CancellationError.self) { try await future.get() }
  }

  @Test func `Estimates are cheap or refused`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      Self.many + "; CREATE VIEW w AS SELECT * FROM t;"
        + "CREATE TABLE n(k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO n SELECT k, v FROM t;"
        + "CREATE TABLE small(x); INSERT INTO small VALUES(1),(2)")
    let open = try await Stores.open(StoreLocation(path: path))
    let estimate = CountQuery(precision: .estimate)
    #expect(
      try await open.store("t").source.get(estimate).get().value == .integer(50_000))
    #expect(try await open.store("small").source.get(estimate).get().value == .integer(2))
    for name in ["w", "n"] {
      let store = try await open.store(name)
      await #expect(throws: CoreError.QueryNotSupported.self) {
        try await store.source.get(estimate).get()
      }
    }
    try await SQLiteConnection(path: path, access: .writing).perform { try $0.execute("ANALYZE") }
    #expect(
      try await open.store("n").source.get(estimate).get().value == .integer(50_000))
  }

  @Test(arguments: [
    // Evenly spaced, with one gap, in two clusters, and at the limits of the range.
    ("i * 60000 + 1700000000000", 11_000), ("i + (i > 4000) * 140000", 60_000),
    ("i + (i > 100) * 1000000000", 20_000),
    ("CASE i WHEN 1 THEN -9223372036854775807 WHEN 2 THEN 9223372036854775807 ELSE i END", 20_000),
  ])
  func `Gaps between row IDs do not affect an estimate`(_ id: String, _ count: Int64) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
        + "INSERT INTO t SELECT \(id), 'x' FROM n;")
    let store = try await Stores.open(StoreLocation(path: path)).store("t")
    let answer = try await store.source.get(CountQuery(precision: .estimate)).get()
    guard case .integer(let estimate)? = answer.value else { return #expect(Bool(false)) }
    #expect(abs(estimate - count) <= count / 20, "\(estimate)")
    #expect(!answer.isWhole)
  }

  @Test func `An invalid pattern is explained`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    for location in [path, folder.path, "memory:"] {
      let store = try await Stores.store(location)
      await #expect {
        try await store.keys(filter: EntryFilter(.regex("a(")))
      } throws: { error in
        StoreError(error).message.hasPrefix("“a(” is not a valid regular expression")
      }
    }
  }

  @Test func `A prefix deletion reports the number of deleted entries`() async throws {
    let folder = try TestFolder()
    let seed = try folder.write(Array(#"{"a:1": 1, "a:2": 2, "b": 3}"#.utf8), to: "seed.json")
    for name in ["a:1", "a:2", "b"] { _ = try folder.write([0x31], to: "root/" + name) }
    let rows = "INSERT INTO t VALUES('a:1',1),('a:2',2),('b',3)"
    var locations = ["memory:" + seed, folder.file("root")]
    for (name, columns) in [
      ("range", "k TEXT PRIMARY KEY, v)"), ("rows", "k PRIMARY KEY, v)"),
      ("keys", "k COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID"),
    ] {
      locations.append(
        try await folder.database("CREATE TABLE t(\(columns); \(rows)", name: name + ".db"))
    }
    for location in locations {
      let store = try await Stores.store(location)
      for (prefix, expected) in [("a:", 2), ("a:", 0), ("", 1)] {
        let scan = Scan()
        try await store.source.delete(PrefixQuery(prefix, scan: scan)).get()
        #expect(scan.isReported && scan.isComplete && scan.examined == expected, "\(location)")
      }
    }
    #expect(PrefixQuery("a", scan: Scan()) == PrefixQuery("a"))
  }
}
