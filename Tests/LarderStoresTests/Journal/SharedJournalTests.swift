import Foundation
import Harmony
import LarderCore
import Testing

@testable import LarderStores

/// Two browsers with one journal, at one store.
struct SharedJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// The store with a few steps of two browsers.
  private func stores() async throws -> (Store, Store) {
    let path = try bench.folder.write(Array(#"{"a": 0, "b": 0}"#.utf8), to: "test.json")
    let stores = (try await bench.open(path), try await bench.open(path))
    for number in 1...3 {
      try await bench.put(stores.0, .text("a"), .integer(Int64(number)))
      try await bench.put(stores.1, .text("b"), .integer(Int64(number)))
    }
    return stores
  }

  @Test func `A step is replayed by one of two that want to`() async throws {
    _ = try await stores()
    let other = Journal(path: bench.journal.path)
    let location = try #require(try await bench.journal.steps().first?.location)
    let step = try #require(try await bench.journal.step(UndoQuery(), at: location))
    let same = try #require(try await other.step(UndoQuery(), at: location))
    #expect(same.record.step == step.record.step)
    #expect(try await bench.journal.reopen(step, isUndo: true))
    #expect(try await !other.reopen(same, isUndo: true), "it is being undone")
    var undone = step
    undone.finish(Array(step.items.indices), with: [], isUndo: true)
    try await bench.journal.settle(undone)
    #expect(try await !other.reopen(same, isUndo: true), "it was undone")
    #expect(try await other.reopen(same, isUndo: false))
  }

  @Test func `Two who undo at once lose nothing and get in nobody's way`() async throws {
    let (one, two) = try await stores()
    for _ in 0..<4 {
      async let first = try? bench.undo(one)
      async let second = try? bench.undo(two)
      _ = await (first, second)
    }
    // What was refused, as the other was at it, can be undone afterwards.
    while (try? await bench.undo(one)) != nil {}
    #expect(try await bench.contents(one) == [.text("a"): .integer(0), .text("b"): .integer(0)])
    #expect(
      try await bench.journal.steps().map(\.step.isUndone) == Array(repeating: true, count: 6))
  }

  @Test func `A step that is forgotten gives back what could be redone, whatever came after it`()
    async throws
  {
    var stores: [Store] = []
    for name in ["one.json", "two.json"] {
      let store = try await bench.open(try bench.folder.write(Array("{}".utf8), to: name))
      try await bench.put(store, .text("a"), .integer(1))
      try await bench.undo(store)
      stores.append(store)
    }
    var steps: [Int64] = []
    for store in stores {
      let scan = Scan()
      let change = EntryChange(.text("b"), value: .integer(2), expecting: nil)
      _ = try await store.source.putAll([], in: ChangesQuery([change], scan: scan)).get()
      steps.append(try #require(scan.step))
    }
    for (store, step) in zip(stores, steps) {
      let forgetting = UndoQuery(step: step, isForgotten: true)
      _ = try await store.source.put(nil, in: forgetting).get()
      try await bench.undo(store, redo: true)
      #expect(try await bench.contents(store) == [.text("a"): .integer(1)])
    }
  }
}
