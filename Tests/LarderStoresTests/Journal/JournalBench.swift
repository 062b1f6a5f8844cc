import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import TestPrograms

/// A folder with a journal, and operations on the stores that it records.
struct JournalBench {
  let folder: TestFolder
  let journal: Journal

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.file("state/journal.db"))
  }

  /// Creates a database with SQLite's shell, and returns its path.
  func database(_ sql: String, name: String) throws -> String {
    let path = folder.file(name)
    try Outsider.run("sqlite3", path, sql)
    return path
  }

  /// Returns all of a database as SQLite's shell writes it.
  func dump(_ path: String) throws -> String {
    String(decoding: try ProgramOutcome(running: ["sqlite3", path, ".dump"]).output, as: UTF8.self)
  }

  func open(_ path: String, _ collection: String? = nil) async throws -> Store {
    try await Stores.open(StoreLocation(path: path), journal: journal).store(collection)
  }

  func contents(_ store: Store) async throws -> [EntryKey: StoredValue] {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value ?? .null) })
  }

  @discardableResult
  func put(_ store: Store, _ key: EntryKey, _ value: StoredValue) async throws -> Entry {
    try await store.source.put(Entry(key: key, value: value), in: EntryQuery(key)).get()
  }

  @discardableResult
  func undo(_ store: Store, redo: Bool = false, step: Int64? = nil) async throws -> ChangeSummary? {
    try await store.replay(ReplayRequest(isRedo: redo, step: step))
  }

  func renaming(_ store: Store, _ key: String, to newKey: EntryKey) async throws -> RenameQuery? {
    let entry = try await store.source.get(EntryQuery(.text(key))).get()
    return entry.fingerprint.map { RenameQuery(entry.key, to: newKey, expecting: $0) }
  }

  /// Removes the last character of several names in one change.
  func shorten(_ store: Store, _ names: [String]) async throws {
    var renames: [RenameQuery] = []
    for name in names {
      if let rename = try await renaming(store, name, to: .text(String(name.dropLast()))) {
        renames.append(rename)
      }
    }
    _ = try await store.source.putAll([], in: RenamesQuery(renames)).get()
  }

  /// Leaves the last change as if the process was killed between writing the store and the journal.
  func interrupt(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Void = { _ in }
  ) async throws {
    let connection = SQLiteConnection(path: journal.path, access: .writing)
    try await connection.perform { session in
      try session.execute(
        """
        UPDATE items SET done = 0 WHERE step = (SELECT max(number) FROM steps);
        UPDATE steps SET pending = 1, was_done = 0, process = '1:0'
          WHERE number = (SELECT max(number) FROM steps);
        """)
      try body(session)
    }
    connection.close()
  }

  func execute(_ path: String, _ sql: String) async throws {
    let connection = SQLiteConnection(path: path, access: .writing)
    try await connection.perform { try $0.execute(sql) }
    connection.close()
  }
}
