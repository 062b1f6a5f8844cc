import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

struct JournalTests {
  private let folder: TestFolder
  private let journal: Journal

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.file("state/journal.db"))
  }

  private func table() async throws -> String {
    try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v, w) WITHOUT ROWID;
      INSERT INTO t VALUES('a.1', 1, 'x'), ('a.2', 2.5, NULL), ('b', x'00ff', 'é');
      """)
  }

  private func open(_ path: String, _ journal: Journal? = nil) async throws -> Store {
    try await Stores.open(
      StoreLocation(path: path), journal: journal ?? self.journal
    ).store(nil)
  }

  private func contents(_ store: Store) async throws -> [EntryKey: StoredValue] {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value ?? .null) })
  }

  @discardableResult
  private func undo(_ store: Store, redo: Bool = false, step: Int64? = nil) async throws
    -> ChangeSummary?
  {
    try await store.replay(ReplayRequest(isRedo: redo, step: step))
  }

  /// Returns a value that a store can hold.
  private static func value(_ store: Store, _ number: Int64) -> StoredValue {
    switch store.kind.name {
    case "sqlite": .record([.init("v", .integer(number)), .init("w", .null)])
    case "folder": .data([0, UInt8(number)])
    default: .array([.integer(number), .text("é")])
    }
  }

  /// Every kind of change to a store.
  private static let changes: [String: @Sendable (Store) async throws -> Void] = [
    "a write": { store in
      let entry = try await store.source.get(EntryQuery(.text("a.1"))).get()
      let value = Self.value(store, 7)
      try await store.source.put(
        Entry(key: entry.key, value: value),
        in: ReplaceQuery(entry.key, expecting: entry.fingerprint)
      ).get()
    },
    "a new entry": { store in
      let value = Self.value(store, 8)
      try await store.source.put(
        Entry(key: .text("new"), value: value), in: ReplaceQuery(.text("new"), expecting: nil)
      ).get()
    },
    "a write of what is there or not": { store in
      let value = Self.value(store, 9)
      try await store.source.put(
        Entry(key: .text("b"), value: value), in: EntryQuery(.text("b"))
      ).get()
    },
    "several writes": { store in
      let value = Self.value(store, 9)
      try await store.source.putAll(
        [Entry(key: .null, value: value), Entry(key: .null, value: value)],
        in: IdsQuery([EntryKey.text("b"), .text("c")])
      ).get()
    },
    "a deletion": { try await $0.source.delete(EntryQuery(.text("b"))).get() },
    "several deletions": {
      try await $0.source.delete(IdsQuery([EntryKey.text("b"), .text("no"), .text("a.1")])).get()
    },
    "the deletion of a prefix": { try await $0.source.delete(PrefixQuery("a.")).get() },
    "the deletion of everything": { try await $0.source.delete(AllObjectsQuery()).get() },
    "a new key": { store in
      let entry = try await store.source.get(EntryQuery(.text("a.1"))).get()
      let fingerprint = try #require(entry.fingerprint)
      let query = RenameQuery(.text("a.1"), to: .text("z"), expecting: fingerprint)
      let renamed = try await store.source.put(nil, in: query).get()
      #expect(renamed.key == .text("z") && renamed.value == entry.value)
    },
  ]

  private func change(_ store: Store, _ name: String) async throws {
    let change = try #require(Self.changes[name])
    try await change(store)
  }

  enum Subject: CaseIterable { case memory, table, json, folder }

  private func path(_ subject: Subject) async throws -> String {
    let seed = Array(#"{"a.1": 1, "a.2": [true, null], "b": "x"}"#.utf8)
    switch subject {
    case .table: return try await table()
    case .json: return try folder.write(seed, to: "seed.json")
    case .memory: return try "memory:" + folder.write(seed, to: "seed.json")
    case .folder:
      for name in ["a.1", "a.2", "b"] { _ = try folder.write([1, 2, 0], to: "files/\(name)") }
      return folder.file("files")
    }
  }

  @Test(arguments: changes.keys.sorted(), Subject.allCases)
  func `Every change can be undone and redone, also by a later process`(
    name: String, subject: Subject
  ) async throws {
    let path = try await path(subject)
    let store = try await open(path)
    let before = try await contents(store)
    try await change(store, name)
    let after = try await contents(store)
    #expect(before != after)
    // A store in memory is lost with its process.
    let later = subject == .memory ? store : try await open(path, Journal(path: journal.path))
    let step = try #require(try await undo(later))
    #expect(try await contents(later) == before)
    #expect(step.isUndone)
    await #expect(throws: StoreError.notFound("nothing to undo in this store")) {
      try await undo(later)
    }
    #expect(try await undo(later, redo: true)?.number == step.number)
    #expect(try await contents(later) == after)
    #expect(try await undo(later)?.number == step.number)
    #expect(try await contents(later) == before)
    #expect(try await journal.steps().map(\.step.isUndone) == [true])
  }

  @Test func `Changes are undone from last to first and redone in reverse`()
    async throws
  {
    let store = try await open(try await table())
    var states = [try await contents(store)]
    for name in ["a write", "a deletion", "a new key", "the deletion of a prefix"] {
      try await change(store, name)
      states.append(try await contents(store))
    }
    for state in states.dropLast().reversed() {
      try await undo(store)
      #expect(try await contents(store) == state)
    }
    for state in states.dropFirst() {
      try await undo(store, redo: true)
      #expect(try await contents(store) == state)
    }
    await #expect(throws: StoreError.self) { try await undo(store, redo: true) }
  }

  @Test func `A change after an undo clears the redo history`() async throws {
    let store = try await open(try await table())
    try await change(store, "a write")
    try await undo(store)
    try await change(store, "a deletion")
    await #expect(throws: StoreError.self) { try await undo(store, redo: true) }
    try await undo(store)
    #expect(try await contents(store).count == 3)
  }

  @Test func `A change is undone by its number`() async throws {
    let store = try await open(try await table())
    try await change(store, "a write")
    try await change(store, "a deletion")
    let steps = try await journal.steps()
    #expect(steps.map(\.step.action) == [.delete, .write])
    try await undo(store, step: steps[1].step.number)
    let contents = try await contents(store)
    #expect(contents[.text("a.1")] == .record([.init("v", .integer(1)), .init("w", .text("x"))]))
    #expect(contents[.text("b")] == nil)
    await #expect(throws: StoreError.self) { try await undo(store, step: 99) }
  }

  @Test func `Undo does not overwrite changes by another program`() async throws {
    let path = try await table()
    let store = try await open(path)
    try await change(store, "several deletions")
    _ = try await folder.database("INSERT INTO t VALUES('b', 'theirs', NULL)")
    let before = try await contents(store)
    await #expect(throws: StoreError.self) { try await undo(store) }
    #expect(try await contents(store) == before)
    _ = try await folder.database("DELETE FROM t WHERE k = 'b'")
    try await undo(store)
    #expect(try await contents(store).count == 3)
  }

  @Test func `A change that the store refuses is not recorded`() async throws {
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v CHECK(v < 5)); INSERT INTO t VALUES('a', 1)")
    let store = try await open(path)
    await #expect(throws: StoreError.self) {
      try await store.source.put(
        Entry(key: .null, value: .integer(9)), in: EntryQuery(.text("a"))
      ).get()
    }
    #expect(try await journal.steps().isEmpty)
    #expect(try await contents(store) == [.text("a"): .integer(1)])
  }

  @Test func `The result of an interrupted change is looked up in the store`() async throws {
    let path = try await table()
    let store = try await open(path)
    try await change(store, "the deletion of a prefix")
    // As after a kill between writing the store and the journal.
    let connection = SQLiteConnection(path: journal.path, access: .writing)
    try await connection.perform {
      try $0.execute(
        "UPDATE steps SET pending = 1, was_done = 0, process = '1:0'; UPDATE items SET done = 0")
    }
    connection.close()
    try await undo(store)
    #expect(try await contents(store).count == 3)
  }

  @Test func `A change that was recorded but never made is discarded`() async throws {
    let path = try await table()
    let store = try await open(path)
    try await change(store, "a deletion")
    _ = try await folder.database("INSERT INTO t VALUES('b', x'00ff', 'é')")
    let connection = SQLiteConnection(path: journal.path, access: .writing)
    try await connection.perform {
      try $0.execute(
        "UPDATE steps SET pending = 1, was_done = 0, process = '1:0'; UPDATE items SET done = 0")
    }
    connection.close()
    let error = await #expect(throws: StoreError.self) { try await undo(store) }
    #expect(error?.message.hasSuffix("This store has no other change") == true)
    #expect(try await journal.steps().isEmpty)
  }

  @Test func `No older change is undone instead of one that was never made`() async throws {
    let path = try await path(.folder)
    let store = try await open(path)
    for value in [7, 8] as [UInt8] {
      let current = try await store.source.get(EntryQuery(.text("b"))).get()
      let entry = Entry(key: current.key, value: .data([value, 0]))
      let query = ReplaceQuery(current.key, expecting: current.fingerprint)
      try await store.source.put(entry, in: query).get()
    }
    // The last write did not reach the file.
    _ = try folder.write([7, 0], to: "files/b")
    let connection = SQLiteConnection(path: journal.path, access: .writing)
    try await connection.perform {
      try $0.execute(
        """
        UPDATE steps SET pending = 1, was_done = 0, process = '1:0'
        WHERE number = (SELECT max(number) FROM steps);
        UPDATE items SET done = 0 WHERE step = (SELECT max(number) FROM steps)
        """)
    }
    connection.close()
    let error = await #expect(throws: StoreError.self) { try await undo(store) }
    guard case .notFound(let sentence)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(sentence.contains("interrupted"))
    #expect(try await contents(store)[.text("b")] == .data([7, 0]))
    _ = try await undo(store)
    #expect(try await contents(store)[.text("b")] == .data([1, 2, 0]))
  }

  @Test func `A deletion that is too large is refused by key and by prefix`() async throws {
    for name in ["k0", "k1"] {
      _ = try folder.write([UInt8](repeating: 7, count: 3_000), to: "files/" + name)
    }
    let small = Journal(path: folder.file("small.db"), limit: 5_000)
    let store = try await open(folder.file("files"), small)
    var changes: [EntryChange] = []
    for key in try await contents(store).keys {
      let fingerprint = try await store.source.get(EntryQuery(key)).get().fingerprint
      changes.append(EntryChange(key, value: nil, expecting: fingerprint))
    }
    let deletion = changes
    let byKeys = await #expect(throws: StoreError.self) {
      try await store.source.putAll([], in: ChangesQuery(deletion)).get()
    }
    let byPrefix = await #expect(throws: StoreError.self) {
      try await store.source.delete(PrefixQuery("k")).get()
    }
    guard case .journal? = byKeys else {
      Issue.record("\(String(describing: byKeys))")
      return
    }
    #expect(byKeys == byPrefix)
    #expect(try await contents(store).count == 2)
  }

  @Test func `A full journal discards the oldest changes, and refuses one that never fits`()
    async throws
  {
    let small = Journal(path: folder.file("small.db"), limit: 10_000)
    let store = try await open("memory:", small)
    for number in 0..<20 {
      try await store.source.put(
        Entry(key: .null, value: .data([UInt8](repeating: 7, count: 1_000))),
        in: EntryQuery(.text("k\(number)"))
      ).get()
    }
    let steps = try await small.steps()
    #expect(steps.count == 9)
    #expect(steps.first?.step.key == .text("k19"))
    let large = Entry(key: .null, value: .data([UInt8](repeating: 7, count: 10_000)))
    await #expect(throws: StoreError.self) {
      try await store.source.put(large, in: EntryQuery(.text("large"))).get()
    }
    #expect(try await contents(store).count == 20)
  }

  @Test func `The journal file is private and created only by the first change`()
    async throws
  {
    let store = try await open(try await table())
    _ = try await contents(store)
    #expect(!FileManager.default.fileExists(atPath: journal.path))
    try await change(store, "a write")
    let attributes = try FileManager.default.attributesOfItem(atPath: journal.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let parent = try FileManager.default.attributesOfItem(atPath: folder.file("state"))
    #expect(parent[.posixPermissions] as? Int == 0o700)
  }

  @Test func `Nothing is written if it cannot be recorded`() async throws {
    let path = try await table()
    let blocked = try folder.write([1], to: "file") + "/journal.db"
    let store = try await open(path, Journal(path: blocked))
    let before = try await contents(store)
    for change in Self.changes.values {
      await #expect(throws: StoreError.self) { try await change(store) }
    }
    #expect(try await contents(store) == before)
  }

  @Test func `A store without a journal has nothing to undo`() async throws {
    let store = try await Stores.store("memory:")
    #expect(store.history == nil)
    #expect(!store.capabilities.contains(.undo))
    await #expect(throws: StoreError.self) { try await undo(store) }
  }

  @Test func `A refused rename is not recorded and does not block other changes`()
    async throws
  {
    let store = try await open(try await path(.folder))
    try await store.source.delete(EntryQuery(.text("b"))).get()
    let entry = try await store.source.get(EntryQuery(.text("a.1"))).get()
    let fingerprint = try #require(entry.fingerprint)
    for key in ["../x", "a.2"] {
      let query = RenameQuery(.text("a.1"), to: .text(key), expecting: fingerprint)
      await #expect(throws: (any Error).self) {
        try await store.source.put(nil, in: query).get()
      }
    }
    #expect(try await journal.steps().count == 1)
    #expect(try await undo(store)?.key == .text("b"))
  }
}
