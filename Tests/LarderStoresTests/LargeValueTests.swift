import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import Testing

@testable import LarderStores

/// Values that are too large to be read for some queries.
struct LargeValueTests {
  private let bench: JournalBench
  private static let size = LargeValues.limit + 1_000

  init() throws {
    bench = try JournalBench()
  }

  private static let fill =
    "INSERT INTO t VALUES('a', 'x'), ('b', zeroblob(\(size))), ('c', 'y'), "
    + "('d', CAST(zeroblob(\(size)) AS TEXT)), ('e', 7)"

  private static let table = "CREATE TABLE t(k TEXT PRIMARY KEY, v); \(fill)"

  @Test(arguments: [
    "(k TEXT PRIMARY KEY, v)", "(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
    "(k TEXT COLLATE NOCASE PRIMARY KEY, v)",
  ])
  func `A list has the sizes of values that it does not read`(_ columns: String) async throws {
    let path = try await bench.folder.database("CREATE TABLE t\(columns); \(Self.fill)")
    let store = try await bench.open(path)
    let all = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(all.map(\.key) == ["a", "b", "c", "d", "e"].map(EntryKey.text))
    #expect(all.map(\.size) == [1, Self.size, 1, Self.size, 8])
    #expect(all.map(\.type) == [.text, .data, .text, .text, .integer])
    var pages: [EntryKey] = []
    var after: EntryKey?
    while true {
      let query = EntryPageQuery(after: after, limit: 2, detail: .summary)
      let page = try await store.source.getAll(query).get()
      pages += page.map(\.key)
      guard page.count == 2 else { break }
      after = page.last?.key
    }
    #expect(pages == all.map(\.key))
    let back = EntryPageQuery(direction: .backward, detail: .summary)
    #expect(try await store.source.getAll(back).get().map(\.key) == all.map(\.key).reversed())
    let largest = EntryPageQuery(
      order: EntryOrder(.size, isDescending: true), limit: 3, detail: .summary)
    #expect(
      try await store.source.getAll(largest).get().compactMap(\.size)
        == [Self.size, Self.size, 8])
    let found = EntryPageQuery(filter: EntryFilter(.text("d")), detail: .summary)
    #expect(try await store.source.getAll(found).get().map(\.size) == [Self.size])
    let sum = try await store.source.get(CountQuery(measures: true)).get()
    #expect(sum.value == .integer(5) && sum.size == 2 * Self.size + 10)
  }

  @Test(
    arguments: [
      ("", [nil, nil, nil, nil, "k", "l"]), ("null", [nil, nil, nil, nil]),
    ] as [(String, [String?])])
  func `Rows without a key are listed regardless of their size`(
    _ text: String, _ expected: [String?]
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES(NULL, 'x'), (NULL, zeroblob(\(Self.size))),
        (NULL, CAST(zeroblob(\(Self.size)) AS TEXT)), (NULL, 'y'), ('k', 'v'),
        ('l', zeroblob(\(Self.size)));
      """)
    let store = try await bench.open(path)
    let filter = text.isEmpty ? nil : EntryFilter(.text(text))
    let keys = expected.map { $0.map(EntryKey.text) ?? .null }
    let sizes = [1, Self.size, Self.size, 1, 1, Self.size]
    for limit in 1...6 {
      let query = EntryPageQuery(filter: filter, limit: limit, detail: .summary)
      let page = try await store.source.getAll(query).get()
      // Rows with the same key are on the same page.
      #expect(page.count == min(max(4, limit), keys.count))
      #expect(page.map(\.key) == Array(keys.prefix(page.count)))
      #expect(page.map(\.size) == Array(sizes.prefix(page.count)))
    }
    let back = EntryPageQuery(filter: filter, direction: .backward, detail: .summary)
    #expect(
      try await store.source.getAll(back).get().compactMap(\.size).sorted()
        == Array(sizes.prefix(keys.count)).sorted())
  }

  @Test(arguments: [
    "(a TEXT, b INTEGER, v, PRIMARY KEY(a, b))", "(a INTEGER, b INTEGER, v, PRIMARY KEY(b))",
  ])
  func `A filter finds large rows among many that do not match`(_ columns: String) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t\(columns);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000)
      INSERT INTO t SELECT NULL, x, 'v' FROM n;
      UPDATE t SET v = zeroblob(\(Self.size)) WHERE b IN (500, 501, 900);
      """)
    let store = try await bench.open(path)
    let query = EntryPageQuery(filter: EntryFilter(.text("00")), limit: 100, detail: .summary)
    let page = try await store.source.getAll(query).get()
    #expect(page.count == 10)
    #expect(page.compactMap(\.size).filter { $0 >= Self.size }.count == 2)
  }

  @Test func `A large row with the maximum number of columns is listed`()
    async throws
  {
    let columns = (0..<1_998).map { "c\($0)" }.joined(separator: ", ")
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, \(columns));
      INSERT INTO t(k, c7, c1997) VALUES('a', zeroblob(\(Self.size)), 'x'), ('b', 'y', 'z');
      """)
    let store = try await bench.open(path)
    let all = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(all.map(\.size) == [Self.size + 1, 2])
  }

  @Test func `A rename of a row that exceeds the journal is refused`() async throws {
    let path = try await bench.folder.database(Self.table)
    let journal = Journal(path: bench.folder.file("state/small.db"), limit: 1 << 20)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    let print = try #require(try await store.source.get(EntryQuery(.text("b"))).get().fingerprint)
    let query = RenameQuery(.text("b"), to: .text("z"), expecting: print)
    let error = await #expect(throws: StoreError.self) {
      try await store.source.put(nil, in: query).get()
    }
    guard case .journal? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await store.keys() == ["a", "b", "c", "d", "e"].map(EntryKey.text))
    _ = try await Stores.store(path).source.put(nil, in: query).get()
    #expect(try await store.keys() == ["a", "c", "d", "e", "z"].map(EntryKey.text))
  }

  @Test func `The size of a record includes its large columns`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, n, v, w);
      INSERT INTO t VALUES('a', 1, zeroblob(\(Self.size)), 'w'), ('b', 2, 'v', 'w');
      """)
    let store = try await bench.open(path)
    let all = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(all.map(\.size) == [8 + Self.size + 1, 8 + 1 + 1])
    #expect(all.map(\.type) == [.record, .record])
  }

  @Test func `A value larger than the maximum of a query or of the journal is refused`()
    async throws
  {
    let path = try await bench.folder.database(Self.table)
    let journal = Journal(path: bench.folder.file("state/small.db"), limit: 1 << 20)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    let refused: [@Sendable () async throws -> Void] = [
      { _ = try await store.source.get(EntryQuery(.text("b"), maximumSize: 1 << 20)).get() },
      { try await store.source.delete(EntryQuery(.text("b"))).get() },
      { try await store.source.delete(PrefixQuery("d")).get() },
      { _ = try await store.set(.text("z"), .text("b")) },
    ]
    for body in refused {
      do {
        try await body()
        Issue.record("it was not refused")
      } catch StoreError.failed {
        // Expected.
      }
    }
    #expect(try await store.keys().count == 5)
    #expect(try await store.value(.text("b")) == .data([UInt8](repeating: 0, count: Self.size)))
    let records = try await journal.steps()
    #expect(records.isEmpty)
    let free = try await Stores.open(StoreLocation(path: path)).store(nil)
    try await free.source.delete(EntryQuery(.text("b"))).get()
    #expect(try await free.keys().count == 4)
  }

  @Test func `A statement fails before it reads a value that is too large`() async throws {
    let path = try await bench.folder.database(Self.table)
    let connection = SQLiteConnection(path: path)
    let codes = try await connection.perform { session in
      ["b", "d"].map { key -> SQLiteResultCode? in
        do {
          try session.limitingValues(to: 1 << 20) {
            _ = try session.rows("SELECT v FROM t WHERE k = ?", [.text(key)])
          }
          return nil
        } catch {
          return (error as? SQLiteError)?.code
        }
      }
    }
    #expect(codes == [.tooBig, .tooBig])
    let sizes = try await connection.perform { session in
      try session.rows("SELECT rowid FROM t WHERE k IN ('b', 'd')").map { row -> Int? in
        guard case .integer(let rowid)? = row.first else { return nil }
        return session.storedByteCount(table: "t", column: "v", rowid: rowid)
      }
    }
    #expect(sizes == [Self.size, Self.size])
  }
}
