import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Caches of diskcache, which stores large values in files beside the database.
struct ValueFileTests {
  private let bench: JournalBench
  private let path: String
  private let big = EntryKey.text("big")

  init() async throws {
    bench = try JournalBench()
    path = try await bench.folder.database(
      Self.table + "CREATE TABLE Settings(key TEXT NOT NULL UNIQUE, value)")
    try write("value of big", to: Self.bigFile)
    try write("value of other", to: Self.otherFile)
  }

  private static let bigFile = "ab/cd/\(String(repeating: "e", count: 28)).val"
  private static let otherFile = "ab/ef/\(String(repeating: "0", count: 28)).val"
  private static let table =
    "CREATE TABLE Cache(rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, "
    + "expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB, "
    + "size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB); "
    + "CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw); "
    + "INSERT INTO Cache(rowid, key, raw, mode, filename, value) VALUES"
    + "(1, 'small', 1, 1, NULL, 'x'), (2, 'big', 1, 2, '\(bigFile)', NULL), "
    + "(3, 'other', 1, 2, '\(otherFile)', NULL), (4, x'8004', 0, 1, NULL, 'y'); "

  private func url(_ name: String) -> URL {
    URL(filePath: path).deletingLastPathComponent().appending(path: name)
  }

  private func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url(name))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: url(name), encoding: .utf8)
  }

  private func open(isRecorded: Bool = true) async throws -> Store {
    isRecorded
      ? try await bench.open(path, "Cache")
      : try await Stores.open(StoreLocation(path: path)).store("Cache")
  }

  @Test func `Entries have the keys of the cache`() async throws {
    let store = try await open()
    #expect(try await store.keys() == [big, .text("other"), .text("small"), .bytes([0x80, 0x04])])
    #expect(try await store.value(.text("small"))?.field("value") == .text("x"))
  }

  @Test(arguments: [true, false])
  func `The file of a deleted row is deleted`(isRecorded: Bool) async throws {
    let store = try await open(isRecorded: isRecorded)
    try await store.source.delete(EntryQuery(.text("small"))).get()
    #expect(store.warnings?.take() == [])
    try await store.source.delete(EntryQuery(big)).get()
    let said = store.warnings?.take() ?? []
    #expect(said.count == 1 && said[0].contains(Self.bigFile))
    #expect(!FileManager.default.fileExists(atPath: url("ab/cd").path))
    #expect(text(Self.otherFile) == "value of other")
    guard isRecorded else { return }
    try await bench.undo(store)
    #expect(text(Self.bigFile) == "value of big")
    try await bench.undo(store, redo: true)
    #expect(text(Self.bigFile) == nil)
  }

  @Test(arguments: [true, false])
  func `Files follow rows that are renamed, overwritten and deleted`(
    isRecorded: Bool
  ) async throws {
    let store = try await open(isRecorded: isRecorded)
    let entry = try await store.source.get(EntryQuery(big)).get()
    let print = try #require(entry.fingerprint)
    let key = EntryKey.text("renamed")
    _ = try await store.source.put(nil, in: RenameQuery(big, to: key, expecting: print)).get()
    #expect(text(Self.bigFile) == "value of big")
    let moved = try #require(try await store.value(key))
    try await bench.put(store, key, moved.setting("filename", to: .null))
    #expect(text(Self.bigFile) == nil)
    try await store.source.delete(PrefixQuery("")).get()
    #expect(!FileManager.default.fileExists(atPath: url("ab").path))
    guard isRecorded else { return }
    try await bench.undo(store)
    #expect(text(Self.otherFile) == "value of other")
    try await bench.undo(store)
    #expect(text(Self.bigFile) == "value of big")
  }

  @Test func `An undo that would replace another file is refused and changes nothing`()
    async throws
  {
    let store = try await open()
    try await store.source.delete(PrefixQuery("")).get()
    try write("of another program", to: Self.otherFile)
    let refused = await refusal { try await bench.undo(store) }
    #expect(refused?.contains("where undo must restore a value") == true, "\(refused ?? "")")
    #expect(try await store.keys().isEmpty)
    #expect(text(Self.otherFile) == "of another program")
    #expect(text(Self.bigFile) == nil)
  }

  @Test func `An undo is a conflict if the cache has the key again`() async throws {
    let store = try await open()
    try await store.source.delete(EntryQuery(big)).get()
    try Outsider.run("sqlite3", path, "INSERT INTO Cache(key, raw, value) VALUES('big', 1, 'new')")
    let conflict = await #expect(throws: StoreError.self) { try await bench.undo(store) }
    guard case .changedSince? = conflict else {
      Issue.record("\(String(describing: conflict))")
      return
    }
    #expect(text(Self.bigFile) == nil)
    try await store.source.delete(EntryQuery(big)).get()
    try await bench.undo(store)
    #expect(try await store.value(big)?.field("value") == .text("new"))
  }

  @Test(arguments: [true, false])
  func `A redo deletes a file only if it is unchanged`(hasOther: Bool) async throws {
    let store = try await open()
    try await store.source.delete(EntryQuery(big)).get()
    try await bench.undo(store)
    if hasOther { try write("of another program", to: Self.bigFile) }
    try await bench.undo(store, redo: true)
    #expect(text(Self.bigFile) == (hasOther ? "of another program" : nil))
  }

  @Test(
    arguments: ["../OUTSIDE/file.val", "link/file.val", "/OUTSIDE/file.val", ""], [true, false])
  func `A file outside the cache is not deleted with its row`(_ name: String, isRecorded: Bool)
    async throws
  {
    let outside = try TestFolder()
    let name32 = String(repeating: "a", count: 28) + ".val"
    let file = try outside.write(Array("kept".utf8), to: name32)
    try write("kept", to: "mine.txt")
    try FileManager.default.createDirectory(at: url("li"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: url("li/nk").path, withDestinationPath: outside.path)
    let folder = URL(filePath: outside.path)
    let path = name.replacing("../OUTSIDE", with: "../" + folder.lastPathComponent)
      .replacing("/OUTSIDE", with: folder.path).replacing("FILE", with: name32)
    try Outsider.run(
      "sqlite3", self.path, "UPDATE Cache SET filename = '\(path)' WHERE key = 'big'")
    let store = try await open(isRecorded: isRecorded)
    try await store.source.delete(EntryQuery(big)).get()
    #expect(try await store.keys().count == 3)
    #expect(FileManager.default.fileExists(atPath: file))
    #expect(text("mine.txt") == "kept")
  }

  @Test func `A file that another row refers to stays`() async throws {
    try Outsider.run(
      "sqlite3", path, "UPDATE Cache SET filename = '\(Self.bigFile)', mode = 2 WHERE key = 'small'"
    )
    let store = try await open()
    try await store.source.delete(EntryQuery(big)).get()
    #expect(text(Self.bigFile) == "value of big")
    try await bench.undo(store)
    try await store.source.delete(EntryQuery(.text("small"))).get()
    try await store.source.delete(EntryQuery(big)).get()
    #expect(text(Self.bigFile) == nil)
  }

  @Test func `A redo after changes by another program keeps the file for the next undo`()
    async throws
  {
    try Outsider.run(
      "sqlite3", path,
      "INSERT INTO Settings VALUES('count', 4); CREATE TRIGGER count AFTER DELETE ON Cache "
        + "BEGIN UPDATE Settings SET value = value - 1 WHERE key = 'count'; END")
    let store = try await open()
    try await store.source.delete(EntryQuery(big)).get()
    try await bench.undo(store)
    try Outsider.run("sqlite3", path, "UPDATE Settings SET value = 9 WHERE key = 'count'")
    try await bench.undo(store, redo: true)
    #expect(text(Self.bigFile) == nil)
    try await bench.undo(store)
    #expect(text(Self.bigFile) == "value of big")
  }

  @Test func `A file is restored with its mode`() async throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: url(Self.bigFile).path)
    let store = try await open()
    try await store.source.delete(EntryQuery(big)).get()
    try await bench.undo(store)
    let attributes = try FileManager.default.attributesOfItem(atPath: url(Self.bigFile).path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `A row from another store is refused without its file`() async throws {
    let store = try await open()
    let value = try #require(try await store.value(big))
    #expect(value.field("rowid") == nil)
    func add(_ key: String, _ value: StoredValue) async throws {
      let change = EntryChange(.text(key), value: value, expecting: nil)
      _ = try await store.source.putAll([], in: ChangesQuery([change], areExact: true)).get()
    }
    let missing = "00/00/\(String(repeating: "1", count: 28)).val"
    let refused = await refusal {
      try await add("new", value.setting("filename", to: .text(missing)))
    }
    #expect(refused?.contains("which is missing") == true, "\(refused ?? "")")
    // The file of another row is refused too.
    await #expect(throws: StoreError.self) { try await add("new", value) }
    try await store.source.delete(EntryQuery(big)).get()
    try write("value of big", to: Self.bigFile)
    try await add("new", value)
    #expect(try await store.keys().count == 4)
  }

  @Test func `A new value is stored inline and not pickled`() async throws {
    let store = try await open()
    let value = try #require(try await store.value(big))
    try await bench.put(store, big, value.setting("value", to: .text("short")))
    let written = try await store.value(big)
    #expect(written?.field("filename") == .null && written?.field("mode") == .integer(1))
    #expect(text(Self.bigFile) == nil)
    try await bench.undo(store)
    #expect(try await store.value(big) == value)
    #expect(text(Self.bigFile) == "value of big")
  }

  private func complete(
    _ key: EntryKey, in store: Store, maximumSize: Int? = nil
  ) async throws -> Entry {
    let query = EntryQuery(key, maximumSize: maximumSize, readsFiles: true)
    return try await store.source.get(query).get()
  }

  private static let contents = Array("value of big".utf8)

  /// The modes of values in files, with the values of the same bytes.
  private static let modes: [(Int64, StoredValue)] = [
    (2, .data(contents)), (3, .text("value of big")), (4, .data(contents)),
  ]

  @Test(arguments: modes)
  func `A value is read from its file only on request, and the row is unchanged`(
    mode: Int64, value: StoredValue
  ) async throws {
    try Outsider.run("sqlite3", path, "UPDATE Cache SET mode = \(mode) WHERE key = 'big'")
    let store = try await open()
    let row = try await store.source.get(EntryQuery(big)).get()
    #expect(row.value?.field("value") == .null && !row.isWhole)
    let entry = try await complete(big, in: store)
    #expect(entry.isWhole && entry.value == row.value?.setting("value", to: value))
    #expect(entry.fingerprint == row.fingerprint)
    let page = EntryPageQuery(prefix: "big", limit: 1, detail: .values)
    let listed = try #require(try await store.source.getAll(page).get().first)
    #expect(!listed.isWhole && listed.fingerprint == row.fingerprint)
  }

  @Test func `A row whose file is too large or missing is returned without its value`() async throws
  {
    try write(String(repeating: "x", count: 2_000), to: Self.bigFile)
    let store = try await open()
    let row = try await store.source.get(EntryQuery(big)).get()
    #expect(try await complete(big, in: store, maximumSize: 2_000).isWhole)
    #expect(try await complete(big, in: store, maximumSize: 1_999) == row)
    try FileManager.default.removeItem(at: url(Self.bigFile))
    #expect(try await complete(big, in: store) == row)
  }

  @Test(arguments: [true, false])
  func `A row written with the contents of its file keeps the file`(isRecorded: Bool)
    async throws
  {
    let store = try await open(isRecorded: isRecorded)
    let row = try #require(try await store.value(big))
    let entry = try await complete(big, in: store)
    let value = try #require(entry.value)
    try await bench.put(store, big, value)
    #expect(try await store.value(big) == row)
    if isRecorded { #expect(try await bench.journal.steps().isEmpty) }
    try await bench.put(store, big, value.setting("tag", to: .text("t")))
    #expect(try await store.value(big) == row.setting("tag", to: .text("t")))
    #expect(text(Self.bigFile) == "value of big")
    guard isRecorded else { return }
    for isRedo in [false, true, false] {
      #expect(
        try await store.history?.conflicts(of: ReplayRequest(isRedo: isRedo), limit: 9) == [])
      try await bench.undo(store, redo: isRedo)
    }
    #expect(try await store.value(big) == row)
  }

  @Test(arguments: [(2, 1), (4, 1)])
  func `New contents are stored inline instead of in the file`(mode: Int64, after: Int64)
    async throws
  {
    try Outsider.run("sqlite3", path, "UPDATE Cache SET mode = \(mode) WHERE key = 'big'")
    let store = try await open()
    let value = try #require(try await complete(big, in: store).value)
    try await bench.put(store, big, value.setting("value", to: .text("short")))
    let written = try await store.value(big)
    #expect(written?.field("value") == .text("short") && written?.field("filename") == .null)
    #expect(written?.field("mode") == .integer(after))
    #expect(text(Self.bigFile) == nil)
  }

  @Test(arguments: [(2, 1), (3, 1), (4, 4)])
  func `A row from another store is added with the value of its file`(mode: Int64, after: Int64)
    async throws
  {
    try Outsider.run("sqlite3", path, "UPDATE Cache SET mode = \(mode) WHERE key = 'big'")
    let store = try await open()
    let value = try #require(try await complete(big, in: store).value)
    let change = EntryChange(.text("new"), value: value, expecting: nil)
    _ = try await store.source.putAll([], in: ChangesQuery([change], areExact: true)).get()
    let written = try await store.value(.text("new"))
    #expect(written?.field("value") == value.field("value"))
    #expect(written?.field("filename") == .null && written?.field("mode") == .integer(after))
    #expect(written?.field("size") == .integer(0))
    #expect(text(Self.bigFile) == "value of big")
  }

  @Test func `Values in files are searched, and unreadable ones are reported`()
    async throws
  {
    let store = try await open()
    let filter = EntryFilter(.text("value of big"), in: .values)
    #expect(try await store.keys(filter: filter) == [big])
    try FileManager.default.removeItem(at: url(Self.bigFile))
    try FileManager.default.createDirectory(
      at: url(Self.bigFile), withIntermediateDirectories: true)
    let scan = Scan()
    let query = EntryPageQuery(filter: filter, limit: 9, scan: scan)
    #expect(try await store.source.getAll(query).get().isEmpty)
    #expect(scan.unreadable.map(\.key) == [big])
  }

  @Test func `A pickled value from another store is written unchanged`() async throws {
    let store = try await open()
    try Outsider.run(
      "sqlite3", path, "UPDATE Cache SET mode = 4, value = x'80044e2e' WHERE key = 'small'")
    let entry = try await store.source.get(EntryQuery(.text("small"))).get()
    let value = try #require(entry.value?.setting("value", to: .data([0x80, 0x04, 0x88, 0x2E])))
    let change = EntryChange(entry.key, value: value, expecting: entry.fingerprint)
    _ = try await store.source.putAll([], in: ChangesQuery([change], areExact: true)).get()
    #expect(try await store.value(entry.key) == value)
  }

  @Test func `Keys that may be pickled are neither added nor renamed`() async throws {
    let store = try await open()
    let pickled = EntryKey.bytes([0x80, 0x04])
    for (old, new) in [(pickled, EntryKey.text("x")), (.text("small"), .bytes([1]))] {
      let entry = try await store.source.get(EntryQuery(old)).get()
      let print = try #require(entry.fingerprint)
      let query = RenameQuery(old, to: new, expecting: print)
      await #expect(throws: StoreError.self) { try await store.source.put(nil, in: query).get() }
    }
    let row = StoredValue.record([StoredValue.Field("value", .text("v"))])
    let refused = await refusal { try await bench.put(store, .bytes([2]), row) }
    #expect(refused?.contains("in a format that larder cannot write") == true, "\(refused ?? "")")
  }

  @Test func `A change that the database refuses deletes no file`() async throws {
    try Outsider.run(
      "sqlite3", path,
      "CREATE TRIGGER keep BEFORE DELETE ON Cache WHEN OLD.key = 'other' "
        + "BEGIN SELECT RAISE(ABORT, 'kept'); END")
    let store = try await open()
    await #expect(throws: StoreError.self) { try await store.source.delete(PrefixQuery("")).get() }
    #expect(text(Self.bigFile) == "value of big")
    #expect(text(Self.otherFile) == "value of other")
  }

  @Test func `A new row can be read by the cache`() async throws {
    let store = try await open()
    try await bench.put(store, .text("new"), .record([StoredValue.Field("value", .text("v"))]))
    let value = try await store.value(.text("new"))
    #expect(value?.field("raw") == .integer(1))
    #expect(value?.field("mode") == .integer(1))
    #expect(value?.field("store_time")?.type == .real)
  }

  @Test func `A table in another format has no files`() async throws {
    let path = try await bench.folder.database(Self.table, name: "other.db")
    let store = try await bench.open(path, "Cache")
    try await store.source.delete(EntryQuery(try await store.keys()[1])).get()
    #expect(store.warnings?.take() == [])
    #expect(text(Self.bigFile) == "value of big")
  }
}
