import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Killed changes to values with unusual spellings.
struct KilledSpellingTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func text() throws -> String {
    String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
  }

  private func write(_ text: String) throws {
    _ = try bench.folder.write(Array(text.utf8), to: "test.json")
  }

  private func execute(_ sql: String) async throws {
    try await bench.execute(bench.journal.path, sql)
  }

  /// The change has more values than are looked up one by one.
  @Test func `A killed change of hundreds of values can be undone and redone`()
    async throws
  {
    let members = (0..<450).map { #""k\#($0)": ["\u0041", 1]"# }
    try write(#"{"n": 0, \#(members.joined(separator: ", "))}"#)
    let store = try await bench.open(bench.folder.file("test.json"))
    var before = try await bench.contents(store)
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    let changes = entries.filter { $0.key != .text("n") }.map {
      EntryChange(
        $0.key, value: .array([.text("A"), .integer(2)]), expecting: $0.fingerprint)
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    var after = try await bench.contents(store)
    // The journal recorded the value to write, but not its spelling in the file.
    let asked = EntryCoding.encode(StoredValue.array([.text("A"), .integer(2)]))
    try await bench.interrupt { session in
      try session.run("UPDATE items SET after = ?, known = 1", [.blob(asked)])
      try session.execute("DELETE FROM records")
    }
    try write(try text().replacing("\"n\": 0", with: "\"n\": 1"))
    (before[.text("n")], after[.text("n")]) = (.integer(1), .integer(1))
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
    // As if the undo was killed before it was recorded.
    try await execute("UPDATE items SET done = 1; UPDATE steps SET pending = 1, process = '1:0'")
    try await bench.undo(store, redo: true)
    #expect(try await bench.contents(store) == after)
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
  }

  @Test(arguments: [false, true])
  func `A respelling by another program is not mistaken for the state before a killed replay`(
    isRedo: Bool
  )
    async throws
  {
    try write(#"{"a": "B"}"#)
    let store = try await bench.open(bench.folder.file("test.json"))
    try await bench.put(store, .text("a"), .text("A"))
    if isRedo { try await bench.undo(store) }
    try await execute("UPDATE steps SET pending = 1, process = '1:0'")
    let theirs = isRedo ? #"{"a": "\u0042"}"# : #"{"a": "\u0041"}"#
    try write(theirs)
    for _ in 0..<2 {
      await #expect(throws: StoreError.self) { try await bench.undo(store, redo: isRedo) }
      #expect(try text() == theirs)
    }
    try write(isRedo ? #"{"a": "B"}"# : #"{"a": "A"}"#)
    try await bench.undo(store, redo: isRedo)
    #expect(try await store.value(.text("a")) == .text(isRedo ? "A" : "B"))
  }

  @Test(arguments: [false, true])
  func `A respelling by another program is not mistaken for the result of a killed replay`(
    isRedo: Bool
  ) async throws {
    try write(#"{"a": "B"}"#)
    let store = try await bench.open(bench.folder.file("test.json"))
    try await bench.put(store, .text("a"), .text("A"))
    if isRedo { try await bench.undo(store) }
    try await execute("UPDATE steps SET pending = 1, process = '1:0'")
    // Equal to the value that the replay would have written.
    let theirs = isRedo ? #"{"a": "\u0041"}"# : #"{"a": "\u0042"}"#
    try write(theirs)
    for isRedo in [isRedo, !isRedo] {
      await #expect(throws: StoreError.self) { try await bench.undo(store, redo: isRedo) }
      #expect(try text() == theirs)
    }
    // The spelling that the replay would have written is recognized.
    try write(isRedo ? #"{"a": "A"}"# : #"{"a": "B"}"#)
    await #expect(throws: StoreError.self) { try await bench.undo(store, redo: isRedo) }
    try await bench.undo(store, redo: !isRedo)
    #expect(try await store.value(.text("a")) == .text(isRedo ? "B" : "A"))
  }

  @Test(arguments: ["\\u0041", "\\u0042"])
  func `A respelling by another program is not overwritten after a replay timed out`(
    text: String
  ) async throws {
    let path = try bench.folder.write(Array(#"{"a": "B"}"#.utf8), to: "root/test.json")
    let store = try await Stores.open(
      path, options: OpenOptions(busyTimeout: .zero), journal: bench.journal
    ).store(nil)
    try await bench.put(store, .text("a"), .text("A"))
    let theirs = Array("{\"a\": \"\(text)\"}".utf8)
    _ = try bench.folder.write(theirs, to: "root/test.json")
    let folder = open(bench.folder.file("root"), O_RDONLY)
    try #require(flock(folder, LOCK_EX) == 0)
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    close(folder)
    for isRedo in [false, true] {
      await #expect(throws: StoreError.self) { try await bench.undo(store, redo: isRedo) }
      #expect(try bench.folder.bytes("root/test.json") == theirs)
    }
  }
}
