import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// The numbers that a database gives to new rows, after a step that is taken back.
struct NumberSequenceTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func rows(_ path: String, _ sql: String) async throws -> [[SQLiteValue]] {
    try await SQLiteConnection(path: path).perform { try $0.rows(sql) }
  }

  @Test(arguments: ["", "INSERT INTO t(v) VALUES('a'), ('b');"])
  func `A number that is taken back is given again`(contents: String) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); \(contents)")
    let before = try await rows(path, "SELECT * FROM sqlite_sequence")
    let store = try await bench.open(path)
    for _ in 0..<2 {
      try await bench.put(store, .integer(.max), .text("x"))
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT * FROM sqlite_sequence") == before)
      try await bench.undo(store, redo: true)
      try await bench.undo(store)
    }
    try await bench.execute(path, "INSERT INTO t(v) VALUES('next')")
    let next = Int64(before.isEmpty ? 1 : 3)
    #expect(try await rows(path, "SELECT id FROM t WHERE v = 'next'") == [[.integer(next)]])
  }

  @Test func `Numbers that others were given since stay given`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t(v) VALUES('a')")
    let store = try await bench.open(path)
    try await bench.put(store, .integer(100), .text("x"))
    try await bench.execute(path, "INSERT INTO t(v) VALUES('b'); DELETE FROM t WHERE v = 'b'")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(101)]])
  }
}
