import Harmony
import LarderJournal
import LarderModel
import LarderStores
import Testing

/// Tables shown by a unique key that the user chooses, and those that show one by themselves.
struct KeyChoiceTests {
  private let bench: JournalBench

  init() throws { bench = try JournalBench() }

  private static let users =
    "CREATE TABLE users(id INTEGER PRIMARY KEY, email TEXT UNIQUE, org TEXT, nick TEXT, note TEXT, "
    + "UNIQUE(org, nick)); CREATE UNIQUE INDEX some ON users(note) WHERE note > 'a'; "
    + "CREATE UNIQUE INDEX computed ON users(lower(note)); "
    + "INSERT INTO users VALUES(1, 'z@x', 'a', 'n', 'one'), (2, 'y@x', 'a', 'm', 'two'), "
    + "(3, 'a@x', 'b', 'n', 'three'); "

  private func open(_ key: KeyChoice?) async throws -> Store {
    let path = try await bench.folder.database(Self.users, name: "\(key?.text ?? "-").db")
    return try await Stores.open(StoreLocation(path: path), journal: bench.journal)
      .store("users", key: key)
  }

  @Test func `A table of records stays by its number and says which keys there are`() async throws {
    let store = try await open(nil)
    #expect(try await store.keys() == [.integer(1), .integer(2), .integer(3)])
    #expect(store.keyChoices == [["id"], ["org", "nick"], ["email"]])
  }

  @Test(arguments: ["note", "email,org", "id,email", "missing", "lower(note)"])
  func `Columns that are not unique are refused with those that are`(_ columns: String) async throws
  {
    let error = await #expect(throws: StoreError.self) { try await open(.columns(columns)) }
    guard case .notSupported(let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("org,nick") && message.contains("email"))
  }

  @Test(arguments: [false, true])
  func `Every verb and undo work by another key`(isComposite: Bool) async throws {
    let store = try await open(.columns(isComposite ? "ORG, nick" : "email"))
    func key(_ email: String, _ org: String, _ nick: String) -> EntryKey {
      isComposite ? .composite([.text(org), .text(nick)]) : .text(email)
    }
    let (first, second) = (key("z@x", "a", "n"), key("y@x", "a", "m"))
    let third = key("a@x", "b", "n")
    let order = isComposite ? [second, first, third] : [third, second, first]
    #expect(try await store.keys(pages: 1) == order)
    #expect(try await store.keys(pages: 2, direction: .backward) == order.reversed())
    let before = try await bench.contents(store)
    let row = try #require(before[first])
    #expect(row.field("id") == .integer(1))
    try await bench.put(store, first, row.setting("note", to: .text("new")))
    #expect(try await store.value(first)?.field("note") == .text("new"))
    let added = key("n@x", "c", "c")
    try await bench.put(store, added, .record([]))
    #expect(try await store.value(added)?.field("id") == .integer(4))
    let entry = try await store.source.get(EntryQuery(second)).get()
    let renamed = key("m@x", "d", "d")
    let rename = RenameQuery(second, to: renamed, expecting: try #require(entry.fingerprint))
    _ = try await store.source.put(nil, in: rename).get()
    #expect(try await store.value(renamed)?.field("id") == .integer(2))
    try await store.source.delete(EntryQuery(third)).get()
    #expect(try await store.keys().count == 3)
    for _ in 0..<4 { try await bench.undo(store) }
    #expect(try await bench.contents(store) == before)
    // The same history in the usual view.
    let path = store.location.path
    let usual = try await bench.open(path, "users")
    for _ in 0..<4 { try await bench.undo(usual, redo: true) }
    #expect(try await usual.keys() == [.integer(1), .integer(2), .integer(4)])
  }

  @Test func `The value before a change is that of the row and not of an equal key`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE n(id INTEGER PRIMARY KEY, rank INTEGER UNIQUE, note TEXT);"
        + "INSERT INTO n VALUES(1, 2, 'a'), (2, 1, 'b')")
    let open = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
    let usual = try await open.store("n")
    let row = try #require(try await usual.value(.integer(1)))
    try await bench.put(usual, .integer(1), row.setting("note", to: .text("c")))
    let ranked = try await open.store("n", key: .columns("rank"))
    #expect(try await ranked.history?.entry(before: .integer(1)) == nil)
    #expect(
      try await usual.history?.entry(before: .integer(1))?.value?.field("note") == .text("a"))
  }

  @Test func `A key that is no longer unique is not used`() async throws {
    let store = try await open(.columns("email"))
    try await bench.execute(
      store.location.path,
      "CREATE TABLE other AS SELECT * FROM users; DROP TABLE users; ALTER TABLE other RENAME TO users"
    )
    await #expect(throws: StoreError.self) { try await store.keys() }
  }

  @Test(arguments: [
    "t(id INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT)",
    "t(id INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT, expires_at INTEGER)",
    "t(id INTEGER PRIMARY KEY, space TEXT DEFAULT '', key TEXT, value TEXT, ttl INTEGER, "
      + "UNIQUE(space, key))",
  ])
  func `A table with NULL among its keys is shown by its number`(_ schema: String) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE \(schema); INSERT INTO t(key, value) VALUES(NULL, 'a'), (NULL, 'b'), ('k', 'c')"
    )
    let open = try await Stores.open(path)
    #expect(try await open.store("t").keys() == [.integer(1), .integer(2), .integer(3)])
    let columns = schema.contains("space") ? "space,key" : "key"
    let chosen = try await open.store("t", key: .columns(columns))
    #expect(chosen.keyColumns.map(\.name).joined(separator: ",") == columns)
  }

  @Test func `A raw table has its rows as they are`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE kv(id INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT);"
        + "INSERT INTO kv VALUES(7, 'a', 'b')")
    let open = try await Stores.open(path)
    #expect(try await open.store("kv").keys() == [.text("a")])
    let raw = try await open.store("kv", key: .raw)
    #expect(try await raw.keys() == [.integer(7)])
    #expect(try await raw.value(.integer(7))?.field("key") == .text("a"))
  }

  @Test(arguments: [
    (
      "cache(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value BLOB, created_at INTEGER)",
      "key"
    ),
    ("responses(id INTEGER PRIMARY KEY, url TEXT UNIQUE, body BLOB, expires_at INTEGER)", "url"),
    (
      "c(n INTEGER PRIMARY KEY, space TEXT, key TEXT, value, ttl INTEGER, UNIQUE(space, key))",
      "space,key"
    ),
    ("c(id INTEGER PRIMARY KEY, name TEXT UNIQUE, value TEXT, expires INTEGER)", "name"),
    // Tables of records.
    ("c(id INTEGER PRIMARY KEY, name TEXT UNIQUE, content TEXT, created_at INTEGER)", "id"),
    ("users(id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT)", "id"),
    ("c(id INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT, price INTEGER)", "id"),
    ("cache(id INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT, user_id INTEGER)", "id"),
    ("cache(id INTEGER PRIMARY KEY, key TEXT, value TEXT, size INTEGER)", "id"),
    ("cache(id INTEGER PRIMARY KEY, key TEXT UNIQUE, hash TEXT UNIQUE, value TEXT)", "id"),
  ])
  func `A numbered table is shown by a text key where it is a cache`(
    _ schema: String, _ key: String
  ) async throws {
    let path = try await bench.folder.database("CREATE TABLE \(schema)")
    let store = try await Stores.store(path)
    #expect(store.keyColumns.map(\.name).joined(separator: ",") == key)
  }
}
