import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderJournal
@testable import LarderStores

/// Two browsers that share a store and a journal.
struct SharedJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// Returns two stores of the same file, each with a few changes.
  private func stores() async throws -> (Store, Store) {
    let path = try bench.folder.write(Array(#"{"a": 0, "b": 0}"#.utf8), to: "test.json")
    let stores = (try await bench.open(path), try await bench.open(path))
    for number in 1...3 {
      try await bench.put(stores.0, .text("a"), .integer(Int64(number)))
      try await bench.put(stores.1, .text("b"), .integer(Int64(number)))
    }
    return stores
  }

  @Test func `A change is replayed by only one of two processes`() async throws {
    _ = try await stores()
    let other = Journal(path: bench.journal.path)
    let location = try #require(try await bench.journal.steps().first?.location)
    let step = try #require(try await bench.journal.step(ReplayRequest(), at: location))
    let same = try #require(try await other.step(ReplayRequest(), at: location))
    #expect(same.record.step == step.record.step)
    func reopen(_ journal: Journal, isUndo: Bool = true) async throws -> Bool {
      try await journal.write(.writing) { try $0.setPending(same.number, isUndo: isUndo) }
    }
    #expect(try await reopen(bench.journal))
    #expect(try await !reopen(other), "it is being undone")
    var undone = step
    undone.finish(Array(step.items.indices), with: [], isUndo: true)
    try await bench.journal.write(.settling) { [undone] in try $0.settle(undone) }
    #expect(try await !reopen(other), "it was undone")
    #expect(try await reopen(other, isUndo: false))
  }

  @Test func `A change in one store does not clear the redo history of another`() async throws {
    var stores: [Store] = []
    var steps: [Int64] = []
    for name in ["one.json", "two.json"] {
      let path = try bench.folder.write(Array(#"{"a": 0}"#.utf8), to: name)
      let store = try await bench.open(path)
      try await bench.put(store, .text("a"), .integer(1))
      try await bench.undo(store)
      stores.append(store)
    }
    for store in stores {
      try await bench.put(store, .text("b"), .integer(2))
      steps.append(try #require(try await bench.journal.steps().first?.step.number))
    }
    for (store, step) in zip(stores, steps) {
      try await store.replay(ReplayRequest(step: step, isForgotten: true))
      try await bench.undo(store, redo: true)
      #expect(try await bench.contents(store) == [.text("a"): .integer(1)])
    }
  }

  @Test func `Concurrent undos lose nothing and do not block each other`() async throws {
    let (one, two) = try await stores()
    for _ in 0..<4 {
      async let first = try? bench.undo(one)
      async let second = try? bench.undo(two)
      _ = await (first, second)
    }
    // An undo refused because the other was running can be repeated.
    while (try? await bench.undo(one)) != nil {}
    #expect(try await bench.contents(one) == [.text("a"): .integer(0), .text("b"): .integer(0)])
    #expect(
      try await bench.journal.steps().map(\.step.isUndone) == Array(repeating: true, count: 6))
  }
}
