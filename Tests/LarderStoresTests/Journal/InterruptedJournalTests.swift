import Foundation
import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// What is concluded about steps whose process was killed.
struct InterruptedJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `What is neither as before nor as after a killed write stops the undoing there`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER); INSERT INTO t VALUES('a', 1), ('b', 1)")
    let store = try await bench.open(path)
    try await bench.put(store, .text("b"), .integer(5))
    try await bench.put(store, .text("a"), .text("2"))
    // The process did not live to learn that the column makes a number of it.
    let asked = EntryCoding.encode(StoredValue.text("2"))
    try await bench.interrupt { session in
      try session.run(
        "UPDATE items SET after = ? WHERE step = (SELECT max(number) FROM steps)", [.blob(asked)])
    }
    let before = try await bench.contents(store)
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) { try await bench.undo(store) }
      #expect(error?.message.contains("was interrupted") == true)
      #expect(try await bench.contents(store) == before)
    }
    let steps = try await bench.journal.steps()
    #expect(steps.map(\.state) == [.interrupted, .settled])
    #expect(try await bench.journal.next(isRedo: false)?.step.number == steps.first?.step.number)
    // Neither a step by its number nor a new change is held up.
    try await bench.undo(store, step: steps.last?.step.number)
    #expect(try await store.value(.text("b")) == .integer(1))
    try await bench.put(store, .text("c"), .integer(7))
    try await bench.undo(store)
    #expect(try await bench.contents(store)[.text("c")] == nil)
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    // As soon as it can be told, it is.
    try await bench.execute(path, "UPDATE t SET v = 1 WHERE k = 'a'")
    await #expect(throws: StoreError.notFound("nothing to undo in this store")) {
      try await bench.undo(store)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `How far a killed process came with a chain of new names is found out`(count: Int)
    async throws
  {
    let names = ["aa", "aaa", "aaaa"]
    for name in names { _ = try bench.folder.write(Array(name.utf8), to: "files/\(name)") }
    let store = try await bench.open(bench.folder.file("files"))
    let before = try await bench.contents(store)
    try await bench.shorten(store, names)
    for name in names.dropFirst(count).reversed() {
      try FileManager.default.moveItem(
        atPath: bench.folder.file("files/\(name.dropLast())"),
        toPath: bench.folder.file("files/\(name)"))
    }
    try await bench.interrupt()
    if count == 0 {
      await #expect(throws: StoreError.notFound("nothing to undo in this store")) {
        try await bench.undo(store)
      }
    } else {
      #expect(try await bench.undo(store)?.count == count)
    }
    #expect(try await bench.contents(store) == before)
  }

  @Test(arguments: [true, false])
  func `A chain of new keys in a table was made whole or not at all`(isMade: Bool) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); "
        + "INSERT INTO t VALUES('aa', 1), ('aaa', 2), ('aaaa', 3)")
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    try await bench.shorten(store, ["aa", "aaa", "aaaa"])
    #expect(try await bench.contents(store)[.text("a")] == .integer(1))
    if !isMade {
      for name in ["aaa", "aa", "a"] {
        try await bench.execute(path, "UPDATE t SET k = k || 'a' WHERE k = '\(name)'")
      }
    }
    try await bench.interrupt()
    if isMade {
      try await bench.undo(store)
    } else {
      await #expect(throws: StoreError.notFound("nothing to undo in this store")) {
        try await bench.undo(store)
      }
    }
    #expect(try await bench.contents(store) == before)
  }
}
