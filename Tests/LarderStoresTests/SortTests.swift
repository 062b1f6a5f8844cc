import Foundation
import Harmony
import HarmonyTesting
import LarderModel
import LarderStoreBase
import Testing

@testable import LarderStores

#if Keychain
import KeychainBench
#endif

/// Pages in every order, compared with a sorted list of all entries.
struct SortTests {
  private static let orders = [EntryOrder.Field.key, .size, .type, .modified, .expires].flatMap {
    [EntryOrder($0), EntryOrder($0, isDescending: true)]
  }

  /// Returns the keys of all pages in the order of a query.
  private func pages(
    _ store: Store, _ query: EntryPageQuery, givesRank: Bool
  ) async throws -> [EntryKey] {
    var query = query
    var keys: [EntryKey] = []
    while true {
      let scan = Scan()
      query.scan = scan
      let page = try await store.source.getAll(query).get()
      keys += page.map(\.key)
      guard page.count >= query.limit, let last = page.last else {
        #expect(scan.isComplete)
        return keys
      }
      query.after = last.key
      query.afterRank = givesRank ? query.order.rank(of: last) : nil
    }
  }

  private func check(_ store: Store, repeatsKeys: Bool = false, by key: (EntryKey) -> Bool)
    async throws
  {
    let all = try await store.source.getAll(EntryPageQuery(limit: .max, detail: .summary)).get()
    for order in Self.orders where order.obstacle(in: store.capabilities) == nil {
      // Some tables have a key order of their own.
      let expected =
        order.field == .key
        ? order.isDescending ? all.reversed() : all
        : all.sorted { order.precedes((order.rank(of: $0), $0.key), (order.rank(of: $1), $1.key)) }
      for limit in [1, 2, 3, 7, 500] {
        for givesRank in repeatsKeys ? [true] : [true, false] {
          var query = EntryPageQuery(order: order, limit: limit, detail: .summary)
          let forward = try await pages(store, query, givesRank: givesRank)
          #expect(forward == expected.map(\.key), "\(order), \(limit)")
          query.direction = .backward
          let backward = try await pages(store, query, givesRank: givesRank)
          #expect(backward == forward.reversed(), "\(order), \(limit)")
          query.filter = EntryFilter(.text("1"))
          let found = try await pages(store, query, givesRank: givesRank)
          #expect(found == backward.filter(key), "\(order), \(limit)")
        }
      }
    }
  }

  private func hasOne(_ key: EntryKey) -> Bool {
    let text =
      if case .malformedText(let bytes) = key {
        String(decoding: bytes, as: UTF8.self)
      } else {
        key.notation(.typed)
      }
    return text.contains("1")
  }

  @Test(arguments: KeyShape.all)
  func `Tables are sorted by their values, with any kind of key`(shape: KeyShape) async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(shape.sql), "t")
    try await check(store, repeatsKeys: shape.name.contains("NULL"), by: hasOne)
  }

  @Test func `Values of all types and sizes are sorted, and records by all columns`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES('a1', NULL), ('a2', 7), ('a3', 'text'), ('a4', x'0011'), ('a5', 1.5),
        ('b1', 'a longer text'), ('b2', zeroblob(3000)), ('b3', ''), ('b4', 'text');
      CREATE TABLE r(id INTEGER PRIMARY KEY, a, b);
      INSERT INTO r VALUES(1, 'x', NULL), (2, 'xx', 5), (11, NULL, NULL), (12, 'x', NULL);
      CREATE VIEW w AS SELECT * FROM t;
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    for name in ["t", "r", "w"] { try await check(try await open.store(name), by: hasOne) }
    let largest = try await open.store("t").source.getAll(
      EntryPageQuery(order: EntryOrder(.size, isDescending: true), limit: 2, detail: .values)
    ).get()
    #expect(largest.map(\.key) == [.text("b2"), .text("b1")])
    #expect(largest.last?.value == .text("a longer text"))
  }

  @Test func `Every other kind of store is sorted`() async throws {
    let folder = try TestFolder()
    let values = #"{"a1": 1, "b": "some text", "c1": [1, 2, 3], "d": true, "e": null, "f1": "x"}"#
    let json = try folder.write(Array(values.utf8), to: "values.json")
    let preferences = try folder.write(
      Array(
        "<map><string name=\"a1\">text</string><int name=\"b\" value=\"3\"/></map>".utf8),
      to: "values.xml")
    for (number, name) in ["a1", "b", "folder/c1", "folder/d", "e1"].enumerated() {
      let path = try folder.write(Array(repeating: 0x41, count: number % 3), to: "files/" + name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double((number * 7) % 5) * 1_000)],
        ofItemAtPath: path)
    }
    for location in [json, preferences, folder.file("files"), "memory:" + json] {
      try await check(try await Stores.store(location), by: hasOne)
    }
  }

  @Test(arguments: [("r3.realm", "Item"), ("r3.realm", "Owner"), ("s3.realm", "A")])
  func `Realm objects are sorted`(name: String, collection: String) async throws {
    let store = try await Stores.store(RealmStoreTests.path(name), collection)
    try await check(store, by: hasOne)
  }

  #if Keychain
  @Test func `Secrets are sorted`() async throws {
    let bench = try KeychainBench()
    let location = StoreLocation(path: "keychain:sorted")
    let source = KeychainEntrySource(
      bench.keychain(), at: location, isReadOnly: false,
      salt: SecretSalt(path: bench.folder + "/salt"))
    for key in ["b1", "a", "c1", "d"] {
      try await source.put(Entry(key: .null, value: .text("x")), in: IdQuery(key)).get()
    }
    let store = Store(
      kind: KeychainKind.kind, location: location,
      capabilities: [.ordered, .prefixes, .modified, .hidesValues], keyStyle: .text,
      source: AnyDataSource(source))
    try await check(store, by: hasOne)
  }
  #endif

  @Test func `An unsupported order is refused with the reason`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([1], to: "files/a")
    let path = try await folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let cases: [(String, EntryOrder.Field, String)] = [
      (path, .modified, "does not record when"), (path, .expires, "has no expiry"),
      (folder.file("files"), .type, "before it is read"), ("memory:", .modified, "does not record"),
    ]
    for (location, field, reason) in cases {
      let store = try await Stores.store(location)
      let query = EntryPageQuery(order: EntryOrder(field))
      let refusal = await refusal { _ = try await store.source.getAll(query).get() }
      #expect(refusal?.contains(reason) == true, "\(location), \(field)")
    }
  }

  @Test func `A page continues after a deleted entry`() async throws {
    let folder = try TestFolder()
    let json = try folder.write(
      Array(#"{"a": "1", "b": "22", "c": "333", "d": "4444"}"#.utf8), to: "seed.json")
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
        + "INSERT INTO t VALUES('a', '1'), ('b', '22'), ('c', '333'), ('d', '4444')")
    for location in [path, json, "memory:" + json] {
      let store = try await Stores.store(location)
      try await store.source.delete(EntryQuery(.text("b"))).get()
      var query = EntryPageQuery(order: EntryOrder(.size), after: .text("b"))
      let refusal = await refusal { _ = try await store.source.getAll(query).get() }
      #expect(refusal?.contains("does not exist") == true)
      query.afterRank = .known(2)
      let page = try await store.source.getAll(query).get()
      #expect(page.map(\.key) == [.text("c"), .text("d")])
    }
  }

  @Test func `Sorting a large table reports progress and can be stopped`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v);"
        + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
        + "INSERT INTO t SELECT printf('key%06d', i), zeroblob(i % 1000) FROM n")
    let store = try await Stores.store(path)
    let told = Counter()
    let query = EntryPageQuery(
      order: EntryOrder(.size, isDescending: true), limit: 100,
      // A budget applies to partial answers, and a sort has none before the last row.
      scan: Scan(budget: .zero) { _ in _ = told.next() })
    let page = try await store.source.getAll(query).get()
    #expect(page.map(\.key).first == .text("key000999"))
    #expect(page.count == 100)
    #expect(query.scan?.examined == 50_000)
    #expect(query.scan?.isComplete == false)
    #expect(told.next() >= 50)
    let stopped = Scan()
    stopped.stop()
    let refused = store.source.getAll(EntryPageQuery(order: EntryOrder(.size), scan: stopped))
    await #expect(throws: CancellationError.self) { try await refused.get() }
    let cancelled = store.source.getAll(EntryPageQuery(order: EntryOrder(.size)))
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.get() }
  }
}
