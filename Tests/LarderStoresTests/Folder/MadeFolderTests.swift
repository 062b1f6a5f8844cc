import Foundation
import Harmony
import LarderCore
import Testing

@testable import LarderStores

/// The folders that a change makes on its way go again with what they were made for.
struct MadeFolderTests {
  private let bench: JournalBench
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    _ = try bench.folder.write([0x31], to: "root/a/x")
    store = try await bench.open(bench.folder.file("root"))
  }

  /// All folders and files below the root, sorted.
  private var names: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("root")).sorted()
    }
  }

  private func rename(_ key: String, to newKey: String) async throws {
    let query = try await bench.renaming(store, key, to: .text(newKey))
    _ = try await store.source.putAll([], in: RenamesQuery([try #require(query)])).get()
  }

  @Test func `Undo of a new file takes the folders away that were made for it`() async throws {
    try await bench.put(store, .text("a/new/dir/key"), .text("1"))
    for _ in 0..<2 {
      #expect(try names == ["a", "a/new", "a/new/dir", "a/new/dir/key", "a/x"])
      try await bench.undo(store)
      #expect(try names == ["a", "a/x"])
      try await bench.undo(store, redo: true)
    }
  }

  @Test func `Undo of another name takes the folders away that were made for it`() async throws {
    try await rename("a/x", to: "z/y/q")
    for _ in 0..<2 {
      #expect(try names == ["a", "z", "z/y", "z/y/q"])
      try await bench.undo(store)
      #expect(try names == ["a", "a/x"])
      try await bench.undo(store, redo: true)
    }
  }

  @Test func `Folders that a killed process made before its file go with the next change`()
    async throws
  {
    for keys in [["a/new/dir/key"], ["theirs/one/key", "theirs/two"]] {
      for key in keys { try await bench.put(store, .text(key), .text("1")) }
      for key in keys {
        try FileManager.default.removeItem(atPath: bench.folder.file("root/" + key))
      }
      try await bench.execute(
        bench.journal.path,
        "UPDATE items SET done = 0; UPDATE steps SET pending = 1, was_done = 0, process = '1:0'")
      if keys.count > 1 { _ = try bench.folder.write([0x32], to: "root/theirs/other") }
      try await bench.put(store, .text("a/x"), .text(keys[0]))
      let left = try names
      #expect(left == (keys.count > 1 ? ["a", "a/x", "theirs", "theirs/other"] : ["a", "a/x"]))
      try await bench.undo(store)
      #expect(try names == left)
    }
  }

  @Test func `Folders that others made, or use by now, stay`() async throws {
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
    #expect(try names == ["a", "a/x", "theirs"])
  }

  @Test func `Folders that others made at the same path meanwhile stay`() async throws {
    let files = FileManager.default
    let place = bench.folder.file("root/new")
    try await bench.put(store, .text("new/key"), .text("1"))
    try await store.source.delete(EntryQuery(.text("new/key"))).get()
    try files.removeItem(atPath: place)
    try files.createDirectory(
      atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o711])
    // The file comes back, then it is taken back itself.
    try await bench.undo(store)
    try await bench.undo(store)
    #expect(try names == ["a", "a/x", "new"])
    #expect(try files.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o711)
  }

  @Test func `A folder that has stayed for others is theirs once they have made it anew`()
    async throws
  {
    let files = FileManager.default
    let place = bench.folder.file("root/new")
    try await bench.put(store, .text("new/key"), .text("1"))
    _ = try bench.folder.write([0x32], to: "root/new/other")
    try await bench.undo(store)
    try files.removeItem(atPath: place)
    try files.createDirectory(atPath: place, withIntermediateDirectories: false)
    try await bench.undo(store, redo: true)
    try await bench.undo(store)
    #expect(try names == ["a", "a/x", "new"])
  }

  @Test func `A folder that later steps use goes with the last of them that is taken back`()
    async throws
  {
    try await bench.put(store, .text("new/dir/one"), .text("1"))
    try await bench.put(store, .text("new/dir/two"), .text("2"))
    try await bench.undo(store, step: 1)
    #expect(try names == ["a", "a/x", "new", "new/dir", "new/dir/two"])
    try await bench.undo(store, step: 2)
    #expect(try names == ["a", "a/x"])
    // Now it is the second that makes them.
    try await bench.undo(store, redo: true, step: 2)
    try await bench.undo(store, redo: true, step: 1)
    try await bench.undo(store, step: 2)
    #expect(try names == ["a", "a/x", "new", "new/dir", "new/dir/one"])
    try await bench.undo(store, step: 1)
    #expect(try names == ["a", "a/x"])
  }

  @Test func `A folder of an earlier step stays where others have made it anew`() async throws {
    let files = FileManager.default
    try await bench.put(store, .text("new/one"), .text("1"))
    try await bench.put(store, .text("new/two"), .text("2"))
    try await bench.undo(store, step: 1)
    let place = bench.folder.file("root/new")
    try files.moveItem(atPath: place, toPath: place + ".old")
    try files.createDirectory(atPath: place, withIntermediateDirectories: false)
    try files.moveItem(atPath: place + ".old/two", toPath: place + "/two")
    try files.removeItem(atPath: place + ".old")
    try await bench.undo(store, step: 2)
    #expect(try names == ["a", "a/x", "new"])
  }

  @Test func `A folder that an undo made goes with the last deletion that is made again`()
    async throws
  {
    try await bench.put(store, .text("a/y"), .text("2"))
    for name in ["a/x", "a/y"] { try await store.source.delete(EntryQuery(.text(name))).get() }
    try FileManager.default.removeItem(atPath: bench.folder.file("root/a"))
    try await bench.undo(store, step: 3)
    try await bench.undo(store, step: 2)
    #expect(try names == ["a", "a/x", "a/y"])
    try await bench.undo(store, redo: true, step: 3)
    #expect(try names == ["a", "a/x"])
    try await bench.undo(store, redo: true, step: 2)
    #expect(try names == [])
  }

  @Test func `Deleting again takes the folders away that bringing back had to make`() async throws {
    try await store.source.delete(EntryQuery(.text("a/x"))).get()
    #expect(try names == ["a"])
    try FileManager.default.removeItem(atPath: bench.folder.file("root/a"))
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
    try await bench.undo(store, redo: true)
    #expect(try names == [])
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
  }

  @Test func `A change that was killed takes its folders away when it is taken back`()
    async throws
  {
    try await bench.put(store, .text("new/dir/key"), .text("1"))
    try await bench.interrupt()
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
  }

  @Test func `A change that is refused leaves no folder`() async throws {
    let name = String(repeating: "n", count: 300)
    await #expect(throws: StoreError.self) {
      try await bench.put(store, .text("new/dir/\(name)"), .text("1"))
    }
    #expect(try names == ["a", "a/x"])
  }

  @Test func `A step of many folders takes all of them away, in one step`() async throws {
    let changes = (0..<30).map {
      EntryChange(.text("n\($0 % 7)/m\($0 % 3)/k\($0)"), value: .text("1"), expecting: nil)
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    #expect(try names.count > 50)
    try await bench.undo(store)
    #expect(try names == ["a", "a/x"])
  }
}
