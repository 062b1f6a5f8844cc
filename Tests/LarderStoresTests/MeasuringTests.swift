import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Counts of entries with a prefix and the total size of their values, compared with a full list.
struct MeasuringTests {
  private func check(_ store: Store, prefixes: [String]) async throws {
    let all = try await store.source.getAll(EntryPageQuery(limit: .max, detail: .summary)).get()
    for prefix in prefixes {
      let inside = all.filter { $0.key.hasPrefix(prefix) }
      let scan = Scan()
      let answer = try await store.source.get(
        CountQuery(prefix: prefix, measures: true, scan: scan)
      ).get()
      #expect(answer.value == .integer(Int64(inside.count)), "\(prefix)")
      #expect(answer.size == inside.reduce(0) { $0 + ($1.size ?? 0) }, "\(prefix)")
      #expect(scan.isComplete)
      let plain = try await store.source.get(CountQuery(prefix: prefix)).get()
      #expect(plain.value == answer.value)
      #expect(plain.size == nil, "the bytes were not requested")
    }
  }

  @Test func `Rows are counted and their values measured`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES('a:1', NULL), ('a:2', 7), ('a:3', 'text'), ('a:4', zeroblob(3000)),
        ('b:1', 1.5), ('b:2', ''), ('b', 'x');
      CREATE TABLE r(k TEXT PRIMARY KEY, a, b);
      INSERT INTO r VALUES('a:1', 'x', NULL), ('a:2', 'xx', 5), ('c', NULL, NULL);
      CREATE TABLE n(k TEXT COLLATE NOCASE PRIMARY KEY, v);
      INSERT INTO n VALUES('a:1', 'one'), ('A:2', 'two'), ('a:3', 'three');
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    for name in ["t", "r", "n"] {
      try await check(try await open.store(name), prefixes: ["", "a:", "b", "none"])
    }
  }

  @Test func `Every other kind of store is measured`() async throws {
    let folder = try TestFolder()
    let values = #"{"a1": 1, "a2": "some text", "c1": [1, 2, 3], "d": true, "e": null}"#
    let json = try folder.write(Array(values.utf8), to: "values.json")
    let preferences = try folder.write(
      Array(
        "<map><string name=\"a1\">text</string><int name=\"b\" value=\"3\"/></map>".utf8),
      to: "values.xml")
    for (number, name) in ["a1", "b", "folder/c1", "folder/d"].enumerated() {
      _ = try folder.write(Array(repeating: 0x41, count: 100 * number), to: "files/" + name)
    }
    for location in [json, preferences, folder.file("files"), "memory:" + json] {
      try await check(try await Stores.store(location), prefixes: ["", "a", "folder/", "none"])
    }
  }

  @Test func `A measurement over budget is reported as incomplete`() async throws {
    let folder = try TestFolder()
    let many = (0..<1_000).map { ("key\($0)", "value") }
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO t SELECT 'key' || i, 'value' FROM n;
      """)
    let json = try JSONSerialization.data(
      withJSONObject: Dictionary(uniqueKeysWithValues: many))
    let values = try folder.write(Array(json), to: "values.json")
    for (name, value) in many { _ = try folder.write(Array(value.utf8), to: "files/" + name) }
    for location in [path, values, folder.file("files"), "memory:" + values] {
      let store = try await Stores.store(location)
      let scan = Scan(budget: .zero)
      let answer = try await store.source.get(
        CountQuery(prefix: "key", measures: true, scan: scan)
      ).get()
      guard case .integer(let count)? = answer.value else {
        Issue.record("no number: \(answer)")
        continue
      }
      #expect(scan.isReported && !scan.isComplete, "\(location)")
      #expect((1..<1_000).contains(count), "\(location)")
    }
  }
}
