import LarderJournal
import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Intermediate folders that a change creates, which its undo removes.
struct MadeFolderTests {
  private let bench: JournalBench
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    _ = try bench.folder.write([0x31], to: "root/a/x")
    store = try await bench.open(bench.folder.file("root"))
  }

  /// The paths of all folders and files below the root, sorted.
  private var names: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("root")).sorted()
    }
  }

  private func rename(_ key: String, to newKey: String) async throws {
    let query = try await bench.renaming(store, key, to: .text(newKey))
    _ = try await store.source.putAll([], in: RenamesQuery([try #require(query)])).get()
  }

  @Test func `Undoing a new file removes the folders created for it`() async throws {
    try await bench.put(store, .text("a/new/dir/key"), .text("1"))
    for _ in 0..<2 {
      #expect(try names == ["a", "a/new", "a/new/dir", "a/new/dir/key", "a/x"])
      try await bench.undo(store)
      #expect(try names == ["a", "a/x"])
      try await bench.undo(store, redo: true)
    }
  }

  @Test func `Undoing a rename removes the folders created for it`() async throws {
    try await rename("a/x", to: "z/y/q")
    for _ in 0..<2 {
      #expect(try names == ["a", "z", "z/y", "z/y/q"])
      try await bench.undo(store)
      #expect(try names == ["a", "a/x"])
      try await bench.undo(store, redo: true)
    }
  }

  @Test func `Folders created or used by another program stay`() async throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: bench.folder.file("root/theirs"), withIntermediateDirectories: false)
    try await bench.put(store, .text("theirs/ours/more/key"), .text("1"))
    _ = try bench.folder.write([0x32], to: "root/theirs/ours/other")
    try await bench.undo(store)
    #expect(try names == ["a", "a/x", "theirs", "theirs/ours", "theirs/ours/other"])
    try await bench.undo(store, redo: true)
    try files.removeItem(atPath: bench.folder.file("root/theirs/ours/other"))
    try await bench.undo(store)
    // The folder existed when the change was redone.
    #expect(try names == ["a", "a/x", "theirs", "theirs/ours"])
  }

  @Test func `A folder that existed when a change was redone stays`() async throws {
    try await bench.put(store, .text("new/key"), .text("1"))
    try await bench.undo(store)
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("root/new"), withIntermediateDirectories: false)
    try await bench.undo(store, redo: true)
    try await bench.undo(store)
    #expect(try names == ["a", "a/x", "new"])
  }

  @Test func `A folder used by later changes stays`() async throws {
    try await bench.put(store, .text("new/dir/one"), .text("1"))
    try await bench.put(store, .text("new/dir/two"), .text("2"))
    try await bench.undo(store, step: 1)
    #expect(try names == ["a", "a/x", "new", "new/dir", "new/dir/two"])
    try await bench.undo(store, redo: true, step: 1)
    try await bench.undo(store, step: 2)
    try await bench.undo(store, step: 1)
    #expect(try names == ["a", "a/x", "new", "new/dir"])
  }

  @Test func `Undoing a killed change removes its folders`()
    async throws
  {
    try await bench.put(store, .text("new/dir/key"), .text("1"))
    try await bench.interrupt()
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
  }

  @Test func `A refused change leaves no folder`() async throws {
    let name = String(repeating: "n", count: 300)
    await #expect(throws: StoreError.self) {
      try await bench.put(store, .text("new/dir/\(name)"), .text("1"))
    }
    #expect(try names == ["a", "a/x"])
  }

  @Test func `Undoing a batch removes all its folders at once`() async throws {
    let changes = (0..<30).map {
      EntryChange(.text("n\($0 % 7)/m\($0 % 3)/k\($0)"), value: .text("1"), expecting: nil)
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    #expect(try names.count > 50)
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
  }
}
