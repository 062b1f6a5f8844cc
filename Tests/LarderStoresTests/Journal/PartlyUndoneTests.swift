import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderStores

/// Changes that a killed or refused replay has undone or redone in part.
struct PartlyUndoneTests {
  private let bench: JournalBench
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    for name in ["a", "b", "c"] { _ = try bench.folder.write([0x31], to: "root/\(name)") }
    store = try await bench.open(bench.folder.file("root"))
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("root")).sorted()
  }

  /// Deletes two files in one change.
  private func delete() async throws {
    let changes = try await ["a", "b"].asyncMap { name in
      let entry = try await store.source.get(EntryQuery(.text(name))).get()
      return EntryChange(entry.key, value: nil, expecting: entry.fingerprint)
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
  }

  /// Leaves the last change as if a process was killed in the middle of replaying it.
  private func kill(_ name: String, isRedo: Bool) async throws {
    let path = bench.folder.file("root/\(name)")
    if isRedo {
      #expect(unlink(path) == 0)
    } else {
      _ = try bench.folder.write([0x31], to: "root/\(name)")
    }
    try await bench.execute(
      bench.journal.path,
      "UPDATE steps SET pending = 1, process = '1:0' WHERE number = (SELECT max(number) FROM steps)"
    )
  }

  @Test func `A redo that was killed halfway is completed`() async throws {
    try await delete()
    try await bench.undo(store)
    try await kill("a", isRedo: true)
    try await bench.undo(store, redo: true)
    #expect(try files() == ["c"])
    try await bench.undo(store)
    #expect(try files() == ["a", "b", "c"])
  }

  @Test func `A redo that was killed halfway can be undone instead`() async throws {
    try await delete()
    try await bench.undo(store)
    try await kill("a", isRedo: true)
    try await bench.undo(store)
    #expect(try files() == ["a", "b", "c"])
    try await bench.undo(store, redo: true)
    #expect(try files() == ["c"])
  }

  @Test(arguments: [false, true])
  func `An undo that was killed halfway can be completed or redone`(isRedo: Bool) async throws {
    try await bench.put(store, .text("c"), .text("2"))
    try await delete()
    try await bench.put(store, .text("c"), .text("3"))
    try await bench.undo(store)
    let number = try #require(try await bench.journal.next(isRedo: false)?.step.number)
    _ = try bench.folder.write([0x31], to: "root/b")
    try await bench.execute(
      bench.journal.path, "UPDATE steps SET pending = 1, process = '1:0' WHERE number = \(number)")
    // Settles the interrupted change.
    await #expect(throws: StoreError.self) { try await bench.undo(store, step: 99) }
    #expect(try await bench.journal.step(number: number)?.isPartlyUndone == true)
    #expect(try await bench.journal.next(isRedo: false)?.step.number == number)
    #expect(try await bench.journal.next(isRedo: true)?.step.number == number)
    try await bench.undo(store, redo: isRedo)
    #expect(try files() == (isRedo ? ["c"] : ["a", "b", "c"]))
    #expect(try await bench.journal.step(number: number)?.isPartlyUndone == false)
    #expect(
      try await bench.journal.next(isRedo: true)?.step.number == (isRedo ? number + 1 : number))
  }

  @Test func `A partly undone change is not redone over a later change`() async throws {
    try await delete()
    try await bench.undo(store)
    try await kill("a", isRedo: true)
    try await bench.put(store, .text("c"), .text("2"))
    await #expect(throws: StoreError.self) { try await bench.undo(store, redo: true) }
    #expect(try files() == ["b", "c"])
    try await bench.undo(store)
    try await bench.undo(store)
    #expect(try files() == ["a", "b", "c"])
  }

  @Test(arguments: ["'x'", "x'ff'", "x'31'", "7", "-1"])
  func `An unreadable state does not prevent an undo`(_ damage: String)
    async throws
  {
    try await bench.put(store, .text("c"), .text("2"))
    try await bench.execute(bench.journal.path, "UPDATE steps SET pending = \(damage)")
    try await bench.undo(store)
    #expect(try await store.value(.text("c")) == .text("1"))
    #expect(try await bench.journal.steps().map(\.state) == [.settled])
  }

  @Test func `A change that another process has replayed already is reported as such`() async throws
  {
    try await bench.put(store, .text("c"), .text("2"))
    let number = try #require(try await bench.journal.next(isRedo: false)?.step.number)
    let other = try await bench.open(bench.folder.file("root"))
    try await bench.undo(other)
    let undone = await #expect(throws: StoreError.self) {
      try await bench.undo(store, step: number)
    }
    #expect(undone?.code == "notFound")
    try await bench.undo(other, redo: true)
    let redone = await #expect(throws: StoreError.self) {
      try await bench.undo(store, redo: true, step: number)
    }
    #expect(redone?.code == "notFound")
  }
}
