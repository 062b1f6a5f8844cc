import Foundation
import Harmony
import LarderJournal
import LarderModel
import LarderStores
import TestPrograms
import Testing

/// Stores of Core Data and SwiftData, with the tables and indexes that these create.
struct CoreDataTests {
  private let bench: JournalBench

  init() throws { bench = try JournalBench() }

  /// Two root entities, one with a subentity, a relation to one row, and one of many rows to many.
  private static let schema =
    "CREATE TABLE ZFOLDER(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZORDER INTEGER, "
    + "ZNAME VARCHAR);"
    + "CREATE TABLE ZNOTE(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFOLDER INTEGER, "
    + "ZFOLDERS INTEGER, ZORDER INTEGER, ZCREATIONDATE TIMESTAMP, ZTITLE VARCHAR, ZSTYLE BLOB, "
    + "Z2_OWNER INTEGER);"
    + "CREATE TABLE ZORDER(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSUM FLOAT, ZLABEL1 VARCHAR);"
    + "CREATE TABLE Z_2TAGS(Z_2NOTES INTEGER, Z_5TAGS INTEGER, PRIMARY KEY(Z_2NOTES, Z_5TAGS));"
    + "CREATE TABLE ZTAG(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR VARCHAR);"
    + "CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE(ZFOLDER);"
    + "CREATE INDEX Z_2TAGS_Z_5TAGS_INDEX ON Z_2TAGS(Z_5TAGS, Z_2NOTES);"
    + "CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
    + "Z_MAX INTEGER);"
    + "CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);"
    + "CREATE TABLE Z_MODELCACHE(Z_CONTENT BLOB);"
    + "INSERT INTO Z_PRIMARYKEY VALUES(1, 'Folder', 0, 2), (2, 'Note', 0, 9), (3, 'Sketch', 2, 0), "
    + "(4, 'Order', 0, 0), (5, 'Tag', 0, 1);"
    + "INSERT INTO ZFOLDER VALUES(1, 1, 1, 7, 'Home'), (2, 1, 1, 8, 'Empty');"
    + "INSERT INTO ZNOTE VALUES(5, 2, 3, 1, NULL, 1, 700000000.5, 'Milk', x'01', NULL), "
    + "(9, 3, NULL, 1, NULL, 2, 700000001.5, 'Plan', NULL, NULL);"
    + "INSERT INTO ZTAG VALUES(1, 5, 1, 'red'); INSERT INTO Z_2TAGS VALUES(5, 1);"

  private func database(_ more: String = "") throws -> String {
    try bench.database(Self.schema + more, name: "Model.sqlite")
  }

  @Test func `Collections are entities, and columns are attributes with the title first`()
    async throws
  {
    let path = try database()
    let open = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
    #expect(
      open.collections.map(\.name) == [
        "Folder", "Note", "Order", "Z_2TAGS", "Tag", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE",
      ])
    let note = try await open.store("Note")
    #expect(note.location.collection == "Note")
    #expect(note.keyColumns.map(\.name) == ["Z_PK"])
    #expect(
      note.columns == [
        "title", "folder", "folders", "order", "creationdate", "style", "Z2_OWNER", "entity",
      ])
    #expect(try await note.keys() == [.integer(5), .integer(9)])
    let row = try #require(try await note.value(.integer(9)))
    #expect(row.field("entity") == .text("Sketch") && row.field("title") == .text("Plan"))
    #expect(try await open.store("Order").columns == ["label1", "sum"])
    // The table's own name leads to the same collection, and --raw to the table.
    #expect(try await open.store("ZNOTE").location == note.location)
    let raw = try await open.store("Note", key: .raw)
    #expect(raw.columns.contains("ZTITLE") && raw.columns.contains("Z_OPT"))
    #expect(raw.location == note.location)
    let facts = open.facts.first { $0.name == "key-value" }?.text
    #expect(facts?.contains("Note: rows of Core Data") == true)
  }

  @Test func `Relations lead to rows where the schema is certain about them`() async throws {
    let open = try await Stores.open(try database())
    // The order of a note is a number, although there are orders, and has no index.
    #expect(try await open.store("Note").references == ["folder": "Folder"])
    let tags = try await open.store("Z_2TAGS")
    #expect(tags.references == ["notes": "Note", "tags": "Tag"])
    let row = try await tags.value(try #require(try await tags.keys().first))
    #expect(row?.field("notes") == .integer(5) && row?.field("tags") == .integer(1))
  }

  @Test func `An edit raises the version of a row, and undo restores it`() async throws {
    let path = try database()
    let before = try bench.dump(path)
    let store = try await bench.open(path, "Note")
    for (key, version) in [(5, "4"), (9, "1")] as [(Int64, String)] {
      let row = try #require(try await store.value(.integer(key)))
      try await bench.put(store, .integer(key), row.setting("title", to: .text("new")))
      #expect(try await store.value(.integer(key))?.field("title") == .text("new"))
      let found = try ProgramOutcome(
        running: ["sqlite3", path, "SELECT Z_OPT FROM ZNOTE WHERE Z_PK = \(key)"])
      #expect(String(decoding: found.output, as: UTF8.self) == version + "\n")
      // Nothing changes, so the version stays.
      try await bench.put(store, .integer(key), row.setting("title", to: .text("new")))
    }
    await #expect(throws: StoreError.self) {
      let row = try #require(try await store.value(.integer(5)))
      try await bench.put(store, .integer(5), row.setting("entity", to: .text("Sketch")))
    }
    let step = try #require(try await bench.journal.steps().first?.step.number)
    let entries = try await #require(store.history).entries(of: step, limit: 9)
    #expect(entries.first?.after?.field("title") == .text("new"))
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try bench.dump(path) == before)
    try await bench.undo(store, redo: true)
    #expect(try await store.value(.integer(5))?.field("title") == .text("new"))
  }

  @Test func `A row is deleted unless another refers to it, and only the app adds rows`()
    async throws
  {
    let path = try database()
    let before = try bench.dump(path)
    let folders = try await bench.open(path, "Folder")
    #expect(!folders.capabilities.contains(.creates))
    for store in [folders, try await bench.open(path, "Note")] {
      let key = EntryKey.integer(store.location.collection == "Note" ? 5 : 1)
      await #expect(throws: StoreError.self) {
        try await store.source.delete(EntryQuery(key)).get()
      }
      await #expect(throws: StoreError.self) {
        try await store.source.delete(PrefixQuery("")).get()
      }
      await #expect(throws: StoreError.self) {
        try await bench.put(store, .integer(77), .record([]))
      }
    }
    #expect(try bench.dump(path) == before)
    try await folders.source.delete(EntryQuery(.integer(2))).get()
    #expect(try await folders.keys() == [.integer(1)])
    #expect(try bench.dump(path).contains("VALUES(1,'Folder',0,2)"))
    try await bench.undo(folders)
    #expect(try bench.dump(path) == before)
  }

  @Test func `Values are found, sorted and expire under the names of attributes`() async throws {
    let path = try database(
      "CREATE TABLE ZITEM(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZKEY VARCHAR, ZVALUE BLOB, ZEXPIRESAT TIMESTAMP);"
        + "INSERT INTO Z_PRIMARYKEY VALUES(6, 'Item', 0, 2);"
        + "INSERT INTO ZITEM VALUES(1, 6, 1, 'a', x'01', 1000000000.5), (2, 6, 1, 'b', x'02', 600000000.5);"
    )
    let notes = try await bench.open(path, "Note")
    let filter = EntryFilter(.text("plan"), in: .values)
    #expect(try await notes.keys(filter: filter) == [.integer(9)])
    let store = try await bench.open(path, "Item")
    #expect(store.expiryField == "expiresat")
    let expired = EntryPageQuery(
      expiring: ExpiryRange(upTo: Date(timeIntervalSince1970: 1_700_000_000)), limit: 9)
    #expect(try await store.source.getAll(expired).get().map(\.key) == [.integer(2)])
    let before = try bench.dump(path)
    let entry = try await store.source.get(EntryQuery(.integer(2))).get()
    let date = Date(timeIntervalSince1970: 2_000_000_000.5)
    let touched = try await store.expiry?.entry(entry, expiring: date)
    try await bench.put(store, .integer(2), try #require(touched?.value))
    #expect(try await store.source.get(EntryQuery(.integer(2))).get().expires == date)
    try await bench.undo(store)
    #expect(try bench.dump(path) == before)
  }

  @Test(arguments: [
    "DROP TABLE Z_METADATA",
    "ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_SUPER TO other",
    "ALTER TABLE ZNOTE RENAME COLUMN Z_OPT TO other",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Memo' WHERE Z_ENT = 2",
  ])
  func `Another schema is shown as it is`(_ change: String) async throws {
    let open = try await Stores.open(try database(change))
    #expect(try await open.store("ZNOTE").columns.contains("ZTITLE"))
  }

  @Test(arguments: [
    "CREATE TABLE Note(id INTEGER PRIMARY KEY)",
    // Entities that are each other's parents.
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = 5 - Z_ENT WHERE Z_ENT IN (2, 3)",
    "ALTER TABLE ZNOTE ADD COLUMN ztitle1 INTEGER; ALTER TABLE ZNOTE ADD COLUMN title TEXT",
  ])
  func `Names that would be ambiguous stay those of the schema`(_ change: String) async throws {
    let open = try await Stores.open(try database(change))
    let store = try await open.store("ZNOTE")
    #expect(try await store.keys() == [.integer(5), .integer(9)])
    #expect(Set(store.columns.map { $0.lowercased() }).count == store.columns.count)
    #expect(Set(open.collections.map(\.name)).count == open.collections.count)
  }
}
