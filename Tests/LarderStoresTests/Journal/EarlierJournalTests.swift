import LarderJournal
import LarderFiles
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderStores

/// Journals written by earlier versions of larder.
struct EarlierJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// Returns the schema from before the spelling of values was recorded.
  private static func tables(version: Int) -> String {
    """
    PRAGMA auto_vacuum=INCREMENTAL;
    CREATE TABLE steps(
      number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, path TEXT NOT NULL,
      collection TEXT, action TEXT NOT NULL, size INTEGER NOT NULL, pending INTEGER NOT NULL,
      was_done INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL, process TEXT NOT NULL,
      redoable INTEGER NOT NULL DEFAULT 1\(version == 1 ? "" : ", revision BLOB"));
    CREATE INDEX pending_steps ON steps(path) WHERE pending;
    CREATE INDEX turns_of_steps ON steps(turn);
    CREATE INDEX steps_of_stores ON steps(path, collection);
    CREATE TABLE items(
      step INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB NOT NULL, new_key BLOB,
      before BLOB, after BLOB, done INTEGER NOT NULL, shifted INTEGER NOT NULL,
      PRIMARY KEY(step, number)) WITHOUT ROWID;
    PRAGMA user_version=\(version);
    """
  }

  /// One recorded entry of a change.
  private struct Item {
    var key = EntryKey.text("a")
    var newKey: EntryKey?
    var before: StoredValue?
    var after: StoredValue?
    var form: String?
    var isDone = true

    func row(_ step: Int64) -> [SQLiteValue] {
      func blob(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .blob($0) } ?? .null }
      return [
        .integer(step), .blob(EntryCoding.encode(key)), blob(newKey.map { EntryCoding.encode($0) }),
        blob(before.map { EntryCoding.encode($0, form: form) }),
        blob(after.map { EntryCoding.encode($0, form: form) }), .integer(isDone ? 1 : 0),
      ]
    }
  }

  /// Writes a change to one entry into the journal, using its existing tables.
  private func record(
    _ action: ChangeSummary.Action, _ item: Item, at store: Store
  ) async throws {
    let path = store.location.path
    let connection = SQLiteConnection(path: bench.journal.path, access: .writing)
    try await connection.perform { session in
      try session.run(
        "INSERT INTO steps(time, path, action, size, pending, was_done, turn, process) "
          + "VALUES(1, ?, ?, 0, 0, 1, (SELECT coalesce(max(turn), 0) + 1 FROM steps), '1:0')",
        [.text(ResolvedPath.of(path) ?? path), .text(action.rawValue)])
      try session.run(
        "INSERT INTO items(step, number, key, new_key, before, after, done, shifted) "
          + "VALUES(?1, 0, ?2, ?3, ?4, ?5, ?6, 0)", item.row(session.lastInsertedRow))
    }
    connection.close()
  }

  /// Opens a file and creates a journal of an earlier version.
  private func store(_ text: String, version: Int = 2) async throws -> Store {
    let store = try await bench.open(try bench.folder.write(Array(text.utf8), to: "test.json"))
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("state"), withIntermediateDirectories: true)
    let connection = SQLiteConnection(path: bench.journal.path, access: .creating)
    try await connection.perform { try $0.execute(Self.tables(version: version)) }
    connection.close()
    return store
  }

  private func text() throws -> String {
    String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
  }

  private func version() async throws -> SQLiteValue? {
    let connection = SQLiteConnection(path: bench.journal.path)
    defer { connection.close() }
    return try await connection.perform { try $0.rows("PRAGMA user_version").first?.first }
  }

  private static func map(_ value: String) -> String {
    "<?xml version='1.0'?><map>\(value)</map>"
  }

  @Test(arguments: [1, 2])
  func `A write of a value with its own type is undone and redone`(version: Int)
    async throws
  {
    let store = try await store(Self.map(#"<long name="a" value="7"/>"#), version: version)
    try await record(.write, Item(before: .integer(1), after: .integer(7), form: "long"), at: store)
    #expect(try await bench.journal.steps().count == 1)
    #expect(try await self.version() == .integer(Int64(version)))
    try await bench.undo(store)
    #expect(try text().contains(#"<long name="a" value="1""#))
    #expect(try await self.version() == .integer(5))
    try await bench.undo(store, redo: true)
    #expect(try text().contains(#"<long name="a" value="7""#))
    // The upgraded journal has recorded how the value is stored.
    let mine = try text()
    let theirs = mine.replacing("long", with: "int")
    _ = try bench.folder.write(Array(theirs.utf8), to: "test.json")
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try text() == theirs)
    _ = try bench.folder.write(Array(mine.utf8), to: "test.json")
    try await bench.undo(store)
    #expect(try text().contains(#"<long name="a" value="1""#))
  }

  @Test(arguments: [
    (#"{"b": 1, "a": ["\u0041", 2]}"#, #"{"b": 1, "a": ["\u0041", 3]}"#),
    (
      "<plist version=\"1.0\"><dict><key>b</key><true/><key>a</key><array>"
        + "<string>&#65;</string><integer>2</integer></array></dict></plist>",
      "<plist version=\"1.0\"><dict><key>b</key><true/><key>a</key><array>"
        + "<string>&#65;</string><integer>3</integer></array></dict></plist>"
    ),
  ])
  func `A write or deletion of a value with an unusual spelling is undone and redone`(
    before: String, after: String
  ) async throws {
    let store = try await store(after)
    let old = StoredValue.array([.text("A"), .integer(2)])
    try await record(
      .write, Item(before: old, after: .array([.text("A"), .integer(3)])), at: store)
    try await bench.undo(store)
    #expect(try text() == before)
    // A deletion that has been undone.
    try await record(.delete, Item(before: old, isDone: false), at: store)
    try await bench.undo(store, redo: true)
    #expect(try await store.keys() == [.text("b")])
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == old)
  }

  @Test func `A change by another program to a recorded value is not undone`() async throws {
    let text = Self.map(#"<long name="a" value="8"/>"#)
    let store = try await store(text)
    try await record(.write, Item(before: .integer(1), after: .integer(7), form: "long"), at: store)
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try self.text() == text)
  }

  @Test func `A rename of a value with its own type is undone and redone`()
    async throws
  {
    let text = Self.map(#"<long name="b" value="7"/>"#)
    let store = try await store(text)
    let digest = StoredValue.text(Fingerprint(of: .integer(7)).description)
    try await record(
      .rename, Item(newKey: .text("b"), before: digest, after: digest), at: store)
    try await bench.undo(store)
    #expect(try self.text() == text.replacing("\"b\"", with: "\"a\""))
    try await bench.undo(store, redo: true)
    #expect(try self.text() == text)
    try await bench.undo(store)
    _ = try bench.folder.write(
      Array(Self.map(#"<int name="a" value="7"/>"#).utf8), to: "test.json")
    await #expect(throws: StoreError.self) { try await bench.undo(store, redo: true) }
  }
}
