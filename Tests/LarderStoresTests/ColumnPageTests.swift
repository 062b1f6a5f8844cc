import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Rows sorted by a column or filtered by conditions on columns.
@Suite struct ColumnPageTests {
  private static let sql = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, total, status TEXT, note TEXT);
    INSERT INTO t VALUES (1, 10, 'paid', 'first'), (2, 9.5, 'open', NULL), (3, NULL, 'Paid', '007'),
      (4, 'text', 'refunded', '7'), (5, x'00', NULL, 'a b'), (6, 10.0, 'paid', ''),
      (7, 9007199254740993, 'open', 'null'), (8, 9007199254740992, 'open', '12x'), (9, '250', '', NULL);
    CREATE VIEW v AS SELECT total, status, note FROM t;
    CREATE TABLE pair(a TEXT, b INTEGER, total, PRIMARY KEY(a, b)) WITHOUT ROWID;
    INSERT INTO pair VALUES ('x', 1, 5), ('x', 2, 1), ('y', 1, 5), ('y', 2, NULL);
    """

  private let folder: TestFolder

  private let path: String

  init() async throws {
    folder = try TestFolder()
    path = try await folder.database(Self.sql)
  }

  private func store(_ table: String) async throws -> Store { try await Stores.store(path, table) }

  /// Returns the keys of all pages.
  private func keys(_ store: Store, _ query: EntryPageQuery) async throws -> [EntryKey] {
    var query = query
    var keys: [EntryKey] = []
    while true {
      let page = try await store.source.getAll(query).get()
      keys += page.map(\.key)
      guard page.count >= query.limit, let last = page.last else { return keys }
      query.after = last.key
    }
  }

  /// Returns the integer keys that a filter matches, after checking that the count agrees.
  private func found(_ text: String, in table: String = "t") async throws -> [Int64] {
    let store = try await self.store(table)
    let filter = try #require(FilterText(text, columns: store.columns).filter)
    let keys = try await keys(store, EntryPageQuery(filter: filter, limit: 2))
    let count = try await store.source.get(CountQuery(filter: filter)).get()
    #expect(count.value == .integer(Int64(keys.count)))
    let backward = try await self.keys(
      store, EntryPageQuery(filter: filter, limit: 2, direction: .backward))
    #expect(backward == keys.reversed())
    return keys.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }

  @Test(
    arguments: [
      ("total>9.5", [1, 6, 7, 8, 9]), ("total>=9.5", [1, 2, 6, 7, 8, 9]), ("total<10", [2]),
      ("total=10", [1, 6]), ("total<=10", [1, 2, 6]), ("total=text", [4]),
      ("total=9007199254740993", [7]), ("total>9007199254740992", [7]),
      ("total!=10", [2, 3, 4, 5, 7, 8, 9]), ("total=null", [3]),
      ("total!=null", [1, 2, 4, 5, 6, 7, 8, 9]),
      ("status:paid", [1, 3, 6]), ("status:Paid", [3]), ("status=paid", [1, 6]),
      ("status=null", [5]), ("!status:paid", [2, 4, 5, 7, 8, 9]), ("!total>9.5", [2]),
      ("note=7", [4]), ("note=007", [3]), ("note>6", [3, 4]),
      ("note:null", [7]), ("note=\"\"", [6]), ("total=inf", []), ("note=a\\ b", [5]),
      ("status=open total>100", [7, 8]),
      ("status:paid note:first", [1]), ("status:nothing", []),
    ] as [(String, [Int64])])
  func `Rows are filtered by conditions on columns`(_ text: String, _ expected: [Int64])
    async throws
  {
    #expect(try await found(text) == expected)
    // The rows of the view have the same numbers.
    #expect(try await found(text, in: "v") == expected)
  }

  @Test func `A filter on keys and columns applies both`() async throws {
    let store = try await self.store("pair")
    let filter = try #require(FilterText("y total=5", columns: store.columns).filter)
    let found = try await keys(store, EntryPageQuery(filter: filter))
    #expect(found == [.composite([.text("y"), .integer(1)])])
    let second = EntryFilter([], columns: [ColumnCondition("b", .atLeast, "2")])
    #expect(try await keys(store, EntryPageQuery(filter: second)).count == 2)
  }

  @Test(arguments: [1, 2, 3, 500])
  func `Rows are sorted by a column with any page size`(limit: Int) async throws {
    let store = try await self.store("t")
    func sorted(_ column: String, _ isDescending: Bool) async throws -> [EntryKey] {
      let order = EntryOrder(.column(column), isDescending: isDescending)
      return try await keys(store, EntryPageQuery(order: order, limit: limit))
    }
    let up: [EntryKey] = [2, 1, 6, 8, 7, 9, 4, 5, 3].map { .integer($0) }
    #expect(try await sorted("total", false) == up)
    // Rows without a value sort last in both directions; ties are in key order.
    let down: [EntryKey] = [5, 4, 9, 7, 8, 1, 6, 2, 3].map { .integer($0) }
    #expect(try await sorted("total", true) == down)
    let notes: [EntryKey] = [6, 3, 8, 4, 5, 1, 7, 2, 9].map { .integer($0) }
    #expect(try await sorted("note", false) == notes)
  }

  @Test(arguments: ["t", "v"])
  func `A page continues after a deleted row`(table: String) async throws {
    let store = try await store(table)
    var query = EntryPageQuery(order: EntryOrder(.column("total")), limit: 4)
    let first = try await store.source.getAll(query).get()
    let last = try #require(first.last)
    query.after = last.key
    query.afterRank = query.order.rank(of: last)
    let expected = try await store.source.getAll(query).get().map(\.key)
    #expect(expected.count == 4)
    _ = try await folder.database("UPDATE t SET total = -5 WHERE id = 8")
    #expect(try await store.source.getAll(query).get().map(\.key) == expected)
  }

  @Test func `Composite keys are sorted by a column`() async throws {
    let store = try await self.store("pair")
    let order = EntryOrder(.column("total"))
    let keys = try await keys(store, EntryPageQuery(order: order, limit: 1))
    let expected: [(String, Int64)] = [("x", 2), ("x", 1), ("y", 1), ("y", 2)]
    #expect(keys == expected.map { .composite([.text($0.0), .integer($0.1)]) })
  }

  @Test func `An unknown column is an error`() async throws {
    let store = try await self.store("t")
    for query in [
      EntryPageQuery(order: EntryOrder(.column("nothing"))),
      EntryPageQuery(filter: EntryFilter([], columns: [.init("nothing", .equal, "1")])),
    ] {
      await #expect(throws: StoreError.self) { try await store.source.getAll(query).get() }
    }
  }

  @Test func `Stores without columns refuse to sort by one`() async throws {
    let path = try folder.write(Array(#"{"a": 1}"#.utf8), to: "values.json")
    let store = try await Stores.store(path)
    let query = EntryPageQuery(order: EntryOrder(.column("a")))
    await #expect(throws: StoreError.self) { try await store.source.getAll(query).get() }
  }

  @Test func `Realm objects are sorted and filtered`() async throws {
    let store = try await Stores.store(RealmStoreTests.path("r3.realm"), "Item")
    let all = try await store.source.getAll(EntryPageQuery(limit: .max, detail: .values)).get()
    let column = try #require(store.columns.first)
    let order = EntryOrder(.column(column), isDescending: true)
    let expected = all.sorted {
      order.precedes((order.rank(of: $0), $0.key), (order.rank(of: $1), $1.key))
    }
    #expect(try await keys(store, EntryPageQuery(order: order, limit: 2)) == expected.map(\.key))
    let filter = EntryFilter([], columns: [.init(column, .notEqual, "null")])
    let present = all.filter { $0.value?.field(column) != StoredValue.null }
    #expect(try await keys(store, EntryPageQuery(filter: filter)) == present.map(\.key))
  }

  @Test(arguments: [
    StoredValue.bool(true), .date(.init(timeIntervalSince1970: 1_700_000_000)), .real(.infinity),
  ])
  func `Filters match values of every type as they are displayed`(_ value: StoredValue) throws {
    let text =
      switch value {
      case .bool: "true"
      case .date(let date): Timestamp.text(of: date)
      default: "inf"
      }
    #expect(try ColumnMatcher(ColumnCondition("c", .equal, text)).matches(value))
    #expect(try !ColumnMatcher(ColumnCondition("c", .notEqual, text)).matches(value))
    #expect(try !ColumnMatcher(ColumnCondition("c", .equal, "other")).matches(value))
  }

  @Test func `Dates are compared as text`() throws {
    let date = StoredValue.date(.init(timeIntervalSince1970: 1_700_000_000))
    #expect(try ColumnMatcher(ColumnCondition("c", .greater, "2023-11-14")).matches(date))
    #expect(try ColumnMatcher(ColumnCondition("c", .less, "2023-11-15")).matches(date))
  }

  @Test func `Columns with times are compared with dates and durations`() async throws {
    let path = try await folder.database(
      """
      CREATE TABLE visit(id INTEGER PRIMARY KEY, seen INTEGER, made TEXT, note TEXT);
      INSERT INTO visit VALUES (1, unixepoch() - 90000, '2025-12-31 23:59:59', '2h'),
        (2, unixepoch() + 3600, '2026-01-01T00:00:00Z', '1d'), (3, NULL, 'never', '3h');
      """, name: "visits.db")
    let store = try await Stores.store(path, "visit")
    func found(_ text: String) async throws -> [EntryKey] {
      try await keys(
        store, EntryPageQuery(filter: FilterText(text, columns: store.columns).filter))
    }
    #expect(try await found("seen<1d") == [.integer(1), .integer(2)])
    #expect(try await found("seen>now") == [.integer(2)])
    #expect(try await found("seen<-1d") == [.integer(1)])
    #expect(try await found("made>=2026-01-01") == [.integer(2), .integer(3)], "text as text")
    #expect(try await found("made<2026-01-01") == [.integer(1)])
    #expect(try await found("note>1d") == [.integer(1), .integer(3)], "text as text")
  }

  @Test(
    arguments: [
      ("id=6f9619ff-8b86-4011-b42d-00cf4fc964ff", [1]),
      ("id=6F9619FF-8B86-4011-B42D-00CF4FC964FF", [1]), ("id:6f96", [1]),
      ("id!=6f9619ff-8b86-4011-b42d-00cf4fc964ff", [2, 3]),
      ("seen=2026-01-05", [1, 2]), ("seen=\"2026-01-05 12:30\"", [1]),
      ("seen=\"2026-01-05 12:30:15\"", [1]), ("seen=2026-01-05T12:30:15Z", [1]),
      ("seen:2026-01", [1, 2]), ("seen!=2026-01-05", [3]), ("seen=1767616215", [1]),
      ("seen>=2026-01-05", [1, 2, 3]), ("seen:t", []), ("id:z", []), ("seen:-", []),
      ("n=2026-01-05", []), ("n:2026-01", []),
    ] as [(String, [Int64])])
  func `A condition accepts what a cell shows`(_ text: String, _ expected: [Int64]) async throws {
    let path = try await folder.database(
      """
      CREATE TABLE visit(row INTEGER PRIMARY KEY, id BLOB, seen INTEGER, n INTEGER);
      INSERT INTO visit VALUES (1, x'6f9619ff8b864011b42d00cf4fc964ff', 1767616215, 1767616215),
        (2, x'7f9619ff8b864011b42d00cf4fc964ff', 1767571200, 1),
        (3, x'8f9619ff8b864011b42d00cf4fc964ff', 1780000000, 1);
      """, name: "shown.db")
    let store = try await Stores.store(path, "visit")
    let filter = try #require(FilterText(text, columns: store.columns).filter)
    #expect(
      try await keys(store, EntryPageQuery(filter: filter)) == expected.map { .integer($0) })
  }

  @Test func `Foreign keys are listed`() async throws {
    let path = try await folder.database(
      """
      CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE);
      CREATE TABLE tag(name TEXT PRIMARY KEY, note TEXT, more TEXT);
      CREATE TABLE buy(id INTEGER PRIMARY KEY, who REFERENCES customer, tag TEXT REFERENCES Tag(NAME),
        email TEXT REFERENCES customer(email), gone REFERENCES missing(id));
      """)
    let store = try await Stores.store(path, "buy")
    #expect(store.references == ["who": "customer", "tag": "tag"])
  }

  @Test func `A large column is left out of its row`() async throws {
    let path = try await folder.database(
      """
      CREATE TABLE large(id INTEGER PRIMARY KEY, name TEXT, photo BLOB, text TEXT);
      INSERT INTO large VALUES (1, 'small', x'00', 'a'),
        (2, 'large', zeroblob(200000), hex(zeroblob(50000)));
      """)
    let source = try await Stores.store(path, "large").source
    let keys: [EntryKey] = [.integer(1), .integer(2), .integer(3)]
    let query = EntriesQuery(keys, maximumSize: 1_000, leavesOutLarge: true)
    let rows = try await source.getAll(query).get()
    try #require(rows.count == 3)
    #expect(rows[0].isWhole)
    #expect(rows[1].value == .record([.init("name", .text("large"))]))
    #expect(!rows[1].isWhole)
    #expect(rows[1].size == 300_005)
    #expect(rows[2] == Entry(key: .integer(3)))
  }

  @Test func `A large value is listed with its type and size`() async throws {
    let path = try await folder.database(
      """
      CREATE TABLE a(k TEXT PRIMARY KEY, v); CREATE TABLE b(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE c(k TEXT PRIMARY KEY COLLATE NOCASE, value, expires_at INTEGER);
      INSERT INTO a VALUES('blob', zeroblob(200000)), ('text', hex(zeroblob(100000))), ('small', 7);
      INSERT INTO b SELECT * FROM a; INSERT INTO c SELECT k, v, NULL FROM a;
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    for table in ["a", "b", "c"] {
      let keys: [EntryKey] = [.text("blob"), .text("text"), .text("small")]
      let query = EntriesQuery(keys, maximumSize: 1_000, leavesOutLarge: true)
      let entries = try await open.store(table).source.getAll(query).get()
      #expect(entries.map(\.key) == keys, "\(table)")
      #expect(entries.prefix(2).map(\.value) == [nil, nil], "\(table)")
      #expect(entries.map(\.size) == [200_000, 200_000, 8], "\(table)")
      #expect(entries.prefix(2).map(\.type) == [.data, .text], "\(table)")
    }
  }
}
