import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

struct FolderTests {

  private func fill(_ folder: TestFolder) throws -> [EntryKey] {
    let files = [
      "a-b", "a.txt", "a/b", "a/b.c/d", "a/z", "b", "é", "e\u{301}", "z z", "#1", "A", "a\nb",
      "\u{1B}[2J", "long/" + String(repeating: "x", count: 200), "c/d/e/f/g", "c/d/e/h", "c/i",
    ]
    for file in files { _ = try folder.write(Array(file.utf8), to: "root/" + file) }
    try FileManager.default.createDirectory(
      atPath: folder.file("root/empty/inside"), withIntermediateDirectories: true)
    return files.map { .text($0) }.sorted()
  }

  @Test(arguments: [1, 2, 3, 100])
  func `Paths are in byte order`(_ size: Int) async throws {
    let folder = try TestFolder()
    let keys = try fill(folder)
    let store = try await Stores.store(folder.file("root"))
    #expect(try await store.keys(pages: size) == keys)
    #expect(try await store.keys(pages: size, direction: .backward) == keys.reversed())
    for prefix in ["a", "a/", "a/b", "c/d/e", "c/d/e/", "none", "b", "z", "é"] {
      let expected = keys.filter { key in
        if case .text(let text) = key { text.utf8.starts(with: prefix.utf8) } else { false }
      }
      #expect(try await store.keys(pages: size, prefix: prefix) == expected)
      #expect(
        try await store.keys(pages: size, direction: .backward, prefix: prefix)
          == expected.reversed())
      let count = try await store.source.get(CountQuery(prefix: prefix)).get()
      #expect(count.value == .integer(Int64(expected.count)))
    }
    let found = try await store.keys(pages: size, filter: EntryFilter(.text("/d/e/"), in: .values))
    #expect(found == [.text("c/d/e/f/g"), .text("c/d/e/h")])
  }

  @Test func `Every key reads its own file`() async throws {
    let folder = try TestFolder()
    let keys = try fill(folder)
    let store = try await Stores.store(folder.file("root"))
    for key in keys {
      guard case .text(let text) = key else { continue }
      #expect(try await store.value(key) == .text(text))
    }
    let summary = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(summary.allSatisfy { $0.size != nil && $0.modified != nil && $0.value == nil })
  }

  @Test(arguments: [
    "../outside", "a/../../outside", "/etc/passwd", "", ".", "..", "a//b", "a/", "./a", "a/.",
    "a\0b",
  ])
  func `No key leads out of the folder`(_ key: String) async throws {
    let folder = try TestFolder()
    _ = try folder.write([1], to: "outside")
    _ = try folder.write([1], to: "root/a/b")
    let store = try await Stores.store(folder.file("root"))
    await #expect(throws: StoreError.self) { try await store.value(.text(key)) }
    await #expect(throws: StoreError.self) { try await store.set(.text("x"), .text(key)) }
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.text(key))).get()
    }
    #expect(try folder.bytes("outside") == [1])
    #expect(try await store.keys() == [.text("a/b")])
  }

  @Test func `Links and special files are listed and never followed`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "outside/secret")
    _ = try folder.write([0x32], to: "root/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("root/link"), withDestinationPath: folder.file("outside/secret"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("root/linked"), withDestinationPath: folder.file("outside"))
    #expect(mkfifo(folder.file("root/pipe"), 0o600) == 0)
    let store = try await Stores.store(folder.file("root"))
    let keys: [EntryKey] = [.text("file"), .text("link"), .text("linked"), .text("pipe")]
    #expect(try await store.keys() == keys)
    let page = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
    #expect(page.map(\.isWhole) == [true, false, false, false])
    for key in ["link", "linked", "pipe"] {
      await #expect(throws: StoreError.self) { try await store.value(.text(key)) }
      await #expect(throws: StoreError.self) { try await store.set(.text("x"), .text(key)) }
    }
    await #expect(throws: CoreError.NotFound.self) { try await store.value(.text("linked/secret")) }
    await #expect(throws: StoreError.self) {
      try await store.set(.text("x"), .text("linked/secret"))
    }
    await #expect(throws: StoreError.self) { try await store.set(.text("x"), .text("linked/new")) }
    try await store.source.delete(EntryQuery(.text("link"))).get()
    #expect(try folder.bytes("outside/secret") == [0x31])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("outside")).count == 1)
  }

  @Test func `A file is replaced atomically and keeps its mode`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    chmod(path, 0o751)
    let store = try await Stores.store(folder.file("root"))
    let read = try await store.source.get(EntryQuery(.text("file"))).get()
    let stored = try await store.source.put(
      Entry(key: read.key, value: .data([0, 1])),
      in: ReplaceQuery(read.key, expecting: read.fingerprint)
    ).get()
    #expect(stored.value == .data([0, 1]))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o751)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("root")) == ["file"])
    await #expect(throws: StoreError.conflict(current: stored)) {
      try await store.source.put(
        Entry(key: read.key, value: .text("x")),
        in: ReplaceQuery(read.key, expecting: read.fingerprint)
      ).get()
    }
    await #expect(throws: StoreError.conflict(current: stored)) {
      try await store.source.put(
        Entry(key: read.key, value: .text("x")), in: ReplaceQuery(read.key, expecting: nil)
      ).get()
    }
    await #expect(throws: StoreError.conflict(current: stored)) {
      try await store.source.delete(EntryQuery(read.key, expecting: read.fingerprint)).get()
    }
    #expect(try folder.bytes("root/file") == [0, 1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("root")) == ["file"])
    let made = try await store.source.put(
      Entry(key: .text("new/deep/file"), value: .text("x")),
      in: ReplaceQuery(.text("new/deep/file"), expecting: nil)
    ).get()
    #expect(made.value == .text("x"))
    try await store.source.delete(PrefixQuery("new/")).get()
    #expect(try await store.keys() == [.text("file")])
  }

  @Test func `File names that are not valid text are keys too`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([], to: "root/a")
    let store = try await Stores.store(folder.file("root"))
    let key = EntryKey.malformedText([0xFF, 0x41])
    try await store.set(.text("x"), key)
    #expect(try await store.keys() == [.text("a"), key])
    #expect(try await store.value(key) == .text("x"))
    try await store.source.delete(EntryQuery(key)).get()
    #expect(try await store.keys() == [.text("a")])
  }

  @Test func `New files by other programs are seen`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([], to: "root/b")
    let store = try await Stores.store(folder.file("root"))
    for round in 0..<20 {
      #expect(try await store.keys(pages: 50).count == round + 1)
      _ = try folder.write([], to: "root/c\(round)")
    }
  }

  @Test func `Values that a file cannot hold are refused`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([], to: "root/a")
    let store = try await Stores.store(folder.file("root"))
    for value: StoredValue in [.null, .integer(1), .record([]), .array([])] {
      await #expect(throws: StoreError.self) { try await store.set(value, .text("a")) }
    }
    #expect(try await store.value(.text("a")) == .text(""))
    let readOnly = try await Stores.store(
      folder.file("root"), options: OpenOptions(isReadOnly: true))
    await #expect(throws: StoreError.self) { try await readOnly.set(.text("x"), .text("a")) }
    #expect(!readOnly.capabilities.contains(.writable))
  }
}
