import Harmony
import HarmonyTesting
import LarderModel
import LarderStores
import Testing

/// Key trees read page by page in both directions, compared with a tree of all keys.
struct PrefixSummaryTests {
  /// Returns the expected rows of a tree of all keys.
  private static func model(_ keys: [EntryKey], _ query: PrefixSummaryQuery) -> [EntryKey] {
    var rows: [EntryKey] = []
    for key in keys.sorted() where key.hasText(query.page.prefix) {
      let branches = key.branches(by: query.delimiter, below: query.page.prefix)
      let shown = branches.map { EntryKey.branch($0) }
      let closed = shown.firstIndex { !query.opened.contains($0) }
      for row in shown[...(closed ?? shown.count - 1)] where !rows.contains(row) {
        rows.append(row)
      }
      if closed == nil { rows.append(key) }
    }
    return rows
  }

  private func rows(_ store: Store, _ query: PrefixSummaryQuery) async throws -> [Entry] {
    var rows: [Entry] = []
    var query = query
    while true {
      let page = try await store.source.getAll(query).get()
      rows += page
      #expect(page.count <= query.page.limit)
      guard page.count == query.page.limit, let last = page.last else { break }
      query.page.after = last.key
    }
    return query.page.direction == .forward ? rows : rows.reversed()
  }

  private func check(_ store: Store, _ keys: [EntryKey], seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let branches = Set(keys.flatMap { $0.branches(by: ":") }).sorted()
    for _ in 0..<40 {
      let scope =
        Int.random(in: 0..<3, using: &random) == 0 ? branches.randomElement(using: &random) : nil
      let opened = branches.filter { _ in Bool.random(using: &random) }.map { EntryKey.branch($0) }
      var query = PrefixSummaryQuery(
        EntryPageQuery(prefix: scope ?? "", limit: Int.random(in: 1...7, using: &random)),
        delimiter: ":", opened: Set(opened))
      let expected = Self.model(keys, query)
      for direction in [EntryPageQuery.Direction.forward, .backward] {
        query.page.direction = direction
        query.page.after = nil
        let found = try await rows(store, query)
        #expect(found.map(\.key) == expected, "seed \(seed), \(query)")
        for row in found {
          guard let prefix = row.key.branchPrefix, let count = row.value else { continue }
          let inside = keys.count { $0.branchPrefix == nil && $0.hasText(prefix) }
          #expect(count == .integer(Int64(inside)), "seed \(seed), \(prefix), \(query)")
        }
      }
    }
  }

  private static func keys(_ random: inout SeededGenerator, in alphabet: [String]) -> [EntryKey] {
    let texts = (0..<Int.random(in: 0...90, using: &random)).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &random)]
      }.joined()
    }
    return Set(texts).map { .text($0) }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `A tree has the same rows in either direction and with any page size`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let keys = Self.keys(&random, in: ["a", "b", ":", ":", "é", "e\u{301}"])
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(k TEXT PRIMARY KEY NOT NULL, v)")
    let table = try await Stores.store(path)
    let memory = try await Stores.store("memory:")
    for store in [table, memory] {
      for key in keys { try await store.set(.text("v"), key) }
      try await check(store, keys, seed: seed)
    }
  }

  @Test func `Files form a tree of their folders`() async throws {
    let folder = try TestFolder()
    for name in ["a/b/c", "a/b/d", "a/e", "a-f", "a.g", "h", "z/1/2/3"] {
      _ = try folder.write([1], to: "root/" + name)
    }
    let store = try await Stores.store(folder.file("root"))
    let query = PrefixSummaryQuery(delimiter: "/")
    let rows = try await store.source.getAll(query).get()
    #expect(
      rows.map(\.key) == [.text("a-f"), .text("a.g"), .branch("a/"), .text("h"), .branch("z/")])
    #expect(rows[2].value == .integer(3))
    let below = try await store.source.getAll(PrefixSummaryQuery(prefix: "a/", delimiter: "/"))
      .get()
    #expect(below.map(\.key) == [.branch("a/b/"), .text("a/e")])
  }

  @Test func `The depth of a key with many separators is limited`()
    async throws
  {
    let deepest = EntryKey.maximumDepth
    let key = EntryKey.text(String(repeating: "a:", count: 40_000))
    #expect(key.branches(by: ":").count == deepest)
    let below = key.branches(by: ":", below: key.branches(by: ":")[deepest - 1])
    #expect(below.count == deepest)

    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(k TEXT PRIMARY KEY NOT NULL, v)")
    let store = try await Stores.store(path)
    let other = EntryKey.text(String(repeating: "a:", count: deepest + 9) + "b")
    for key in [key, other, .text("b")] { try await store.set(.text("v"), key) }
    let branches = key.branches(by: ":").map { EntryKey.branch($0) }
    let query = PrefixSummaryQuery(
      EntryPageQuery(limit: deepest + 50), delimiter: ":", opened: Set(branches))
    let rows = try await store.source.getAll(query).get()
    #expect(rows.map(\.key) == branches + [key, other, .text("b")])
  }

  @Test func `A folder deeper than the limit of a tree is listed`() async throws {
    let folder = try TestFolder()
    let levels = EntryKey.maximumDepth + 20
    let name = String(repeating: "a/", count: levels) + "file"
    _ = try folder.write([1], to: "root/" + name)
    let store = try await Stores.store(folder.file("root"))
    let branches = EntryKey.text(name).branches(by: "/").map { EntryKey.branch($0) }
    let query = PrefixSummaryQuery(
      EntryPageQuery(limit: levels), delimiter: "/", opened: Set(branches))
    let rows = try await store.source.getAll(query).get()
    #expect(rows.map(\.key) == branches + [.text(name)])
  }

  @Test func `A large branch is skipped in one step and its count is unknown`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY NOT NULL, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT printf('b%d:%06d', i % 3, i), i FROM n;
      INSERT INTO t VALUES('z:1', 1);
      """)
    let store = try await Stores.store(path)
    let rows = try await store.source.getAll(PrefixSummaryQuery(delimiter: ":")).get()
    #expect(rows.map(\.key) == ["b0:", "b1:", "b2:", "z:"].map { .branch($0) })
    #expect(rows.map(\.value) == [nil, nil, nil, .integer(1)])
  }

  @Test(arguments: [
    "k TEXT PRIMARY KEY COLLATE NOCASE, v", "k INTEGER PRIMARY KEY, v",
    "k TEXT NOT NULL, v, PRIMARY KEY(k DESC)",
  ])
  func `Keys that are not in byte order do not form a tree`(columns: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(\(columns))")
    let store = try await Stores.store(path)
    #expect(!store.capabilities.contains(.prefixes))
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await store.source.getAll(PrefixSummaryQuery(delimiter: ":")).get()
    }
  }
}

extension EntryKey {
  /// Whether the key is text that starts with the bytes of a prefix.
  fileprivate func hasText(_ prefix: String) -> Bool {
    if prefix.isEmpty { return true }
    guard case .text(let text) = self else { return false }
    return text.utf8.starts(with: prefix.utf8)
  }
}
