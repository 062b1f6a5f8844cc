import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Expiry rules in the settings, which override detection.
@Suite struct ExpiryRuleStoreTests {
  private func open(_ path: String, _ rules: [ExpiryRule]) async throws -> OpenStore {
    try await Stores.open(path, options: OpenOptions(expiryRules: rules))
  }

  private func database(in folder: TestFolder) async throws -> String {
    try await folder.database(
      """
      CREATE TABLE papers (id INTEGER PRIMARY KEY, holder TEXT, valid_to INTEGER);
      INSERT INTO papers VALUES (1, 'Ada', 1800000000), (2, 'Grace', 1900000000);
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires INTEGER);
      INSERT INTO cache VALUES ('a', 'x', 1800000000);
      """)
  }

  private func rule(_ path: String, _ collection: String?, _ change: (inout ExpiryChoice) -> Void)
    -> ExpiryRule
  {
    var choice = ExpiryChoice()
    change(&choice)
    return ExpiryRule(
      paths: [path], collection: collection, choice: choice, place: "line 3 of the settings")
  }

  @Test func `A rule sets the column of one table and leaves the others unchanged`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await database(in: folder)
    let usual = try await open(path, [])
    #expect(usual.collections.map { $0.expiry?.column } == [nil, "expires"])
    let open = try await open(path, [rule(path, "papers") { $0.column = "valid_to" }])
    #expect(open.collections.map { $0.expiry?.column } == ["valid_to", "expires"])
    let papers = open.collections.first { $0.name == "papers" }?.expiry
    #expect(papers?.confidence == .told)
    #expect(papers?.evidence.contains("line 3 of the settings names it") == true)
    let store = try await open.store("papers")
    let entry = try await store.source.get(EntryQuery(.integer(1))).getCancelling()
    #expect(entry.expires == Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test func `A rule removes an expiry`() async throws {
    let folder = try TestFolder()
    let path = try await database(in: folder)
    let open = try await open(path, [rule(path, nil) { $0.isNone = true }])
    #expect(open.collections.allSatisfy { $0.expiry == nil })
    #expect(try await !open.store("cache").capabilities.contains(.expiry))
    let facts = open.facts.first { $0.name == "expiry" }?.text
    #expect(facts?.contains("line 3 of the settings turns expiry off") == true)
  }

  @Test func `A rule with an unknown column is reported`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await database(in: folder)
    let open = try await open(path, [rule(path, "cache") { $0.column = "expire_at" }])
    let facts = open.facts.first { $0.name == "expiry" }?.text
    #expect(
      facts?.contains("there is no column expire_at, which line 3 of the settings names") == true,
      "\(facts ?? "")")
    #expect(open.collections.first { $0.name == "cache" }?.expiry == nil)
  }

  @Test func `Rows have an age, a last use and a number of uses`() async throws {
    let folder = try TestFolder()
    // The schema of diskcache.
    let path = try await folder.database(
      """
      CREATE TABLE Cache (rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL,
        expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB,
        size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB);
      INSERT INTO Cache VALUES (1, 'a', 1, 1790000000.5, 1790000100.5, 1790000050.5, 3, NULL, 0, 1,
        NULL, 'one');
      INSERT INTO Cache VALUES (2, 'b', 1, 1790000001.5, NULL, 1790000001.5, 0, NULL, 0, 1, NULL,
        'two');
      """)
    let store = try await Stores.store(path)
    #expect(store.capabilities.isSuperset(of: [.expiry, .ages, .uses]))
    let entries = try await store.source.getAll(EntryPageQuery(detail: .summary)).getCancelling()
    #expect(entries.map(\.hits) == [3, 0])
    #expect(
      entries.map { $0.modified?.timeIntervalSince1970 } == [1_790_000_000.5, 1_790_000_001.5])
    #expect(
      entries.map { $0.lastUsed?.timeIntervalSince1970 } == [1_790_000_050.5, 1_790_000_001.5])
    func keys(_ order: EntryOrder) async throws -> [EntryKey] {
      try await store.source.getAll(EntryPageQuery(order: order, detail: .summary)).getCancelling()
        .map(\.key)
    }
    #expect(try await keys(EntryOrder(.hits)) == [.integer(2), .integer(1)])
    #expect(try await keys(EntryOrder(.used, isDescending: true)) == [.integer(1), .integer(2)])
    #expect(try await keys(EntryOrder(.modified)) == [.integer(1), .integer(2)])
    let never = try await store.source.getAll(EntryPageQuery(expiring: .never, detail: .summary))
      .getCancelling()
    #expect(never.map(\.key) == [.integer(2)])
  }
}
