import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Changes that exceed the size limit of the journal.
struct JournalLimitTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `Renames and expiries that are too large are refused before anything is written`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT, expires_at INTEGER) WITHOUT ROWID;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200)
      INSERT INTO t SELECT printf('old:%03d', x), 'a value of number ' || x, 2000000000 FROM n;
      """)
    let journal = Journal(path: bench.folder.file("small.db"), limit: 5_000)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    #expect(store.capabilities.contains(.expiry))
    let before = try await bench.contents(store)
    var renames: [RenameQuery] = []
    var expiries: [ExpiryChange] = []
    for key in before.keys {
      let entry = try await store.source.get(EntryQuery(key)).get()
      let new = try #require(key.replacing(prefix: "old", with: "new", style: store.keyStyle))
      let fingerprint = try #require(entry.fingerprint)
      renames.append(RenameQuery(key, to: new, expecting: fingerprint))
      expiries.append(
        ExpiryChange(key, expires: Date(timeIntervalSince1970: 3e9), expecting: fingerprint))
    }
    // The limit is reached before the last rename, which would be refused for another reason.
    let last = try #require(renames.max { $0.entryKey < $1.entryKey })
    renames.removeAll { $0.entryKey == last.entryKey }
    renames.append(
      RenameQuery(last.entryKey, to: last.newKey, expecting: Fingerprint(of: .text("other"))))
    for isRename in [true, false] {
      let error = await #expect(throws: StoreError.self) {
        isRename
          ? try await store.source.putAll([], in: RenamesQuery(renames)).get()
          : try await store.setExpiries(expiries)
      }
      #expect(error?.message.contains("that the journal can store; nothing was") == true)
      #expect(error?.message.contains("--no-journal") == true)
      #expect(try await bench.contents(store) == before)
    }
  }

  @Test func `Small entries are deleted together if the journal has room for them`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100)
      INSERT INTO t SELECT printf('k:%03d', x), x FROM n;
      """)
    let journal = Journal(path: bench.folder.file("small.db"), limit: 8_000)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    let before = try await bench.contents(store)
    try await store.source.delete(PrefixQuery("k:")).get()
    #expect(try await store.keys() == [])
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
    let smaller = Journal(path: bench.folder.file("smaller.db"), limit: 2_000)
    let other = try await Stores.open(StoreLocation(path: path), journal: smaller).store(nil)
    let error = await #expect(throws: StoreError.self) {
      try await other.source.delete(PrefixQuery("k:")).get()
    }
    guard case .journal? = error else {
      Issue.record("refused as something else: \(String(describing: error))")
      return
    }
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A failed change does not displace another one`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT CHECK(v <> 'bad')) WITHOUT ROWID;")
    let journal = Journal(path: bench.folder.file("small.db"), limit: 4_000)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    func changes(_ last: String) -> ChangesQuery {
      let keys = (0..<20).map { EntryKey.text("k:\($0)") }
      return ChangesQuery(
        keys.enumerated().map { place, key in
          let text = place == 19 ? last : String(repeating: "x", count: 100)
          return EntryChange(key, value: .text(text), expecting: nil)
        })
    }
    try await bench.put(store, .text("a"), .text(String(repeating: "a", count: 2_000)))
    await #expect(throws: StoreError.self) {
      try await store.source.putAll([], in: changes("bad")).get()
    }
    #expect(try await journal.steps().count == 1)
    try await bench.undo(store)
    try await bench.undo(store, redo: true)
    #expect(try await store.keys() == [.text("a")])
    // A successful change does.
    _ = try await store.source.putAll([], in: changes("good")).get()
    #expect(try await journal.steps().count == 1)
    try await bench.undo(store)
    #expect(try await store.keys() == [.text("a")])
  }
  @Test func `A change that the database refuses to commit does not displace another one`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT);
      CREATE TABLE u(k TEXT PRIMARY KEY REFERENCES t(k));
      INSERT INTO t VALUES('a', hex(zeroblob(1000))), ('b', hex(zeroblob(1000)));
      INSERT INTO u VALUES('b');
      """)
    let journal = Journal(path: bench.folder.file("small.db"), limit: 4_000)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store("t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.text("b"))).get()
    }
    #expect(try await journal.steps().count == 1)
    try await bench.undo(store)
    #expect(try await store.keys() == [.text("a"), .text("b")])
  }
}
