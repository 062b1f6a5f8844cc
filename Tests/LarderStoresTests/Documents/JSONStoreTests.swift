import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// JSON files as stores.
struct JSONStoreTests {
  private static let text = """
    {
      "users": [{"name": "Ada"}, {"name": "Grace"}],
      "/api": {"x": 1}, "42": true,
      "b": {"base64": "AAE="}, "twice": 1, "twice": 2
    }
    """

  private func store(
    _ text: String = text, options: OpenOptions = OpenOptions()
  ) async throws -> (Store, TestFolder) {
    let folder = try TestFolder()
    let path = try folder.write(Array(text.utf8), to: "file.json")
    return (try await Stores.store(path, options: options), folder)
  }

  @Test func `Members are listed in key order, in pages forward and backward`() async throws {
    let (store, folder) = try await store()
    let keys: [EntryKey] = [
      .text("/api"), .text("42"), .text("b"), .text("twice"), .text("users"),
      .composite([.text("twice"), .null, .integer(1)]),
    ]
    #expect(try await store.keys(pages: 2) == keys)
    #expect(try await store.keys(pages: 4, direction: .backward) == keys.reversed())
    #expect(try await store.keys(prefix: "t") == [.text("twice")])
    #expect(try await store.keys(filter: EntryFilter(.text("grace"), in: .values)) == [keys[4]])
    let page = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(page.map(\.type) == [.dictionary, .bool, .dictionary, .integer, .array, .integer])
    #expect(page.map(\.size) == [9, 1, 10, 8, 16, 8])
    #expect(page.allSatisfy { $0.value == nil })
    let all = try await store.source.getAll(AllObjectsQuery()).get()
    #expect(all.map(\.key) == keys)
    #expect(all[2].value == .dictionary([.init("base64", .text("AAE="))]))
    #expect(try await store.source.get(CountQuery(precision: .estimate)).get().value == .integer(6))
    withExtendedLifetime(folder) {}
  }

  @Test func `Nested values are found by path and by pointer`() async throws {
    let (store, folder) = try await store()
    let name = EntryKey.composite([.text("users"), .integer(1), .text("name")])
    #expect(try await store.value(name) == .text("Grace"))
    let pointed = try await store.source.get(EntryQuery(.text("/users/1/name"))).get()
    #expect(pointed.key == name)
    #expect(try await store.value(.text("/api")) == .dictionary([.init("x", .integer(1))]))
    #expect(try await store.value(.text("/~1api/x")) == .integer(1))
    for key: EntryKey in [
      .text("/users/2"), .text("/users/01"), .text("/users/-"), .text("/none"), .integer(42), .null,
      .text("/users/1/name/x"), .bytes([1]),
    ] {
      await #expect(throws: CoreError.NotFound.self, "\(key)") { try await store.value(key) }
    }
    let entry = try await store.set(.text("New"), .text("/users/-"))
    #expect(entry.key == .composite([.text("users"), .integer(2)]))
    try await store.set(.integer(36), .text("/users/0/age"))
    try await store.set(.null, .text("/new"))
    try await store.source.delete(EntryQuery(.text("/users/1"))).get()
    let text = String(decoding: try folder.bytes("file.json"), as: UTF8.self)
    #expect(text.contains(#""users": [{"name": "Ada", "age": 36}, "New"],"#))
    #expect(text.hasSuffix(#""twice": 1, "twice": 2, "new": null"# + "\n}"))
  }

  @Test func `Elements have indexes, and deleting one moves the later ones`() async throws {
    let (store, folder) = try await store("[10, 11, 12, 13, 14]")
    #expect(try await store.keys() == (0..<5).map { .integer($0) })
    let keys: [EntryKey] = [.integer(1), .integer(3), .integer(1), .integer(9), .text("/3")]
    try await store.source.delete(IdsQuery(keys)).get()
    #expect(try folder.bytes("file.json") == Array("[10, 12, 14]".utf8))
    try await store.set(.integer(16), .integer(3))
    try await store.set(.integer(17), .text("/-"))
    #expect(try folder.bytes("file.json") == Array("[10, 12, 14, 16, 17]".utf8))
    await #expect {
      try await store.set(.null, .integer(9))
    } throws: { error in
      StoreError(error).message.contains(
        "the next index of the array is 5, not 9; nothing was written")
    }
  }

  @Test func `A write succeeds only if the value is unchanged`() async throws {
    let (store, folder) = try await store()
    let key = EntryKey.text("42")
    let read = try await store.source.get(EntryQuery(key)).get()
    try await store.set(.bool(false), key)
    let new = Entry(key: key, value: .null)
    for query in [
      ReplaceQuery(key, expecting: read.fingerprint), ReplaceQuery(key, expecting: nil),
    ] {
      await #expect {
        try await store.source.put(new, in: query).get()
      } throws: { error in
        guard case .conflict(let current?) = StoreError(error) else { return false }
        return current.value == .bool(false)
      }
    }
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(key, expecting: read.fingerprint)).get()
    }
    #expect(try await store.value(key) == .bool(false))
    withExtendedLifetime(folder) {}
  }

  @Test func `Changes by other programs are seen immediately, even within one clock tick`()
    async throws
  {
    let (store, folder) = try await store("{\"a\": 1}")
    for number in 0..<200 {
      let digit = number % 10
      _ = try folder.write(Array("{\"a\": \(digit)}".utf8), to: "file.json")
      #expect(try await store.value(.text("a")) == .integer(Int64(digit)))
    }
  }

  @Test func `A write that changes nothing does not touch the file`() async throws {
    let (store, folder) = try await store()
    let before = try FileManager.default.attributesOfItem(atPath: folder.file("file.json"))
    try await store.set(.bool(true), .text("42"))
    try await store.source.delete(EntryQuery(.text("none"))).get()
    try await store.source.delete(PrefixQuery("none")).get()
    let after = try FileManager.default.attributesOfItem(atPath: folder.file("file.json"))
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(try folder.names() == ["file.json"])
  }

  @Test func `A batch of entries is written in one replacement of the file`() async throws {
    let (store, folder) = try await store("{}")
    let entries = (0..<100).map { Entry(key: .text("k\($0)"), value: .integer(Int64($0))) }
    let written = try await store.source.putAll(entries, in: AllObjectsQuery()).get()
    #expect(written.map(\.key) == entries.map(\.key))
    let scan = Scan()
    try await store.source.delete(PrefixQuery("k1", scan: scan)).get()
    #expect(scan.isComplete && scan.examined == 11)
    try await store.source.delete(AllObjectsQuery()).get()
    #expect(try folder.bytes("file.json") == Array("{}".utf8))
  }

  @Test func `A symbolic link stays a link, and the file keeps its mode`() async throws {
    let (_, folder) = try await store()
    let path = folder.file("file.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.file("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.json")
    let linked = try await Stores.store(link)
    try await linked.set(.null, .text("42"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file.json")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("other.json"))
    await #expect {
      try await linked.set(.integer(1), .text("42"))
    } throws: { error in
      StoreError(error).message.contains("it has several names (hard links)")
    }
    let reason = try await Stores.open(path).readOnlyReason
    #expect(reason?.contains("several names") == true)
  }

  @Test func `A file that was deleted or damaged meanwhile is left alone`() async throws {
    let (store, folder) = try await store()
    let path = try folder.write(Array("{\"a\": ".utf8), to: "file.json")
    for work in [
      { _ = try await store.value(.text("42")) },
      { _ = try await store.set(.null, .text("42")) },
    ] as [() async throws -> Void] {
      await #expect {
        try await work()
      } throws: { error in
        guard case .corrupt(let text) = StoreError(error) else { return false }
        return text.hasPrefix(
          "\(path) is not JSON: the text ends before a value at line 1, column 7")
      }
    }
    #expect(try folder.bytes("file.json") == Array("{\"a\": ".utf8))
    try FileManager.default.removeItem(atPath: path)
    await #expect {
      try await store.set(.null, .text("42"))
    } throws: { error in
      StoreError(error).code == "cannotOpen"
    }
    #expect(try folder.names() == [])
  }

  @Test func `A store opened read-only writes nothing`() async throws {
    let (store, folder) = try await store(options: OpenOptions(isReadOnly: true))
    #expect(!store.capabilities.contains(.writable))
    await #expect {
      try await store.set(.null, .text("42"))
    } throws: { error in
      if case .readOnly = StoreError(error) { true } else { false }
    }
    withExtendedLifetime(folder) {}
  }

  @Test func `Values that JSON cannot represent are refused with a message`() async throws {
    let (store, folder) = try await store()
    await #expect {
      try await store.set(.data([1]), .text("x"))
    } throws: { error in
      StoreError(error).message.hasSuffix("but no data; nothing was written")
    }
    #expect(try folder.bytes("file.json") == Array(Self.text.utf8))
  }

  @Test func `A value that cannot be shown is listed, and named in the error when read`()
    async throws
  {
    let (store, folder) = try await store(#"{"bad": {"\ud800": 1}, "good": 1}"#)
    let page = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
    #expect(page.map(\.key) == [.text("bad"), .text("good")])
    #expect(page.map(\.value) == [nil, .integer(1)])
    await #expect {
      try await store.value(.text("bad"))
    } throws: { error in
      StoreError(error).message.contains("bad of \(folder.file("file.json")) cannot be shown")
    }
    #expect(try await store.value(.text("/bad/\\ud800")) == .integer(1))
  }

  @Test func `A name that cannot be written again is not deleted or renamed`() async throws {
    let text = #"{"\ud800k": 1, "a": {"\udc00": 2}, "good": 1}"#
    let (store, folder) = try await store(text)
    for key in try await store.keys() + [.composite([.text("a"), .text(#"\udc00"#)])]
    where key != .text("good") && key != .text("a") {
      await #expect {
        try await store.source.delete(EntryQuery(key)).get()
      } throws: { error in
        StoreError(error).message.contains("which cannot be written; nothing was written")
      }
      let entry = try await store.source.get(EntryQuery(key)).get()
      let query = RenameQuery(
        key, to: .text("b"), expecting: try #require(entry.fingerprint))
      await #expect {
        try await store.source.put(nil, in: query).get()
      } throws: { error in
        StoreError(error).message.contains("cannot be renamed: its name")
      }
    }
    #expect(try folder.bytes("file.json") == Array(text.utf8))
  }

  @Test func `A pointer with a trailing slash creates no member with an empty name`() async throws {
    let (store, folder) = try await store(#"{"a": {"b": 1}, "": {"": 2}}"#)
    for pointer in ["/a/", "/a/b/"] {
      await #expect(throws: StoreError.self) {
        try await store.set(.integer(1), .text(pointer))
      }
    }
    try await store.set(.integer(3), .composite([.text("a"), .text("")]))
    try await store.set(.integer(4), .text("/a/"))
    try await store.set(.integer(5), .text("//"))
    #expect(
      try folder.bytes("file.json") == Array(#"{"a": {"b": 1, "": 4}, "": {"": 5}}"#.utf8))
  }

  @Test(arguments: [
    ("/usrs/0/name", "there is nothing at /usrs; add its parents first"),
    ("/users/9/name", "there is nothing at /users/9;"),
    ("/users/x", "/users is an array: use an index from 0"),
    ("/count/x", "/count is of type integer, which has no members"),
  ])
  func `A mistyped pointer does not create a member`(pointer: String, clause: String) async throws {
    let text = #"{"users": [{"name": "a"}], "count": 1}"#
    let (store, folder) = try await store(text)
    await #expect {
      try await store.set(.integer(1), .text(pointer))
    } throws: { error in
      let message = StoreError(error).message
      return message.contains(clause) && message.contains("type (\(pointer))")
    }
    #expect(try folder.bytes("file.json") == Array(text.utf8))
    let exact = EntryKey(notation: "(\(pointer))", style: .typed)
    try await store.set(.integer(1), exact)
    #expect(try await store.keys().contains(.text(pointer)))
    #expect(try await store.value(.text(pointer)) == .integer(1))
  }

  @Test(arguments: [
    ("[section]\nx=1\n", "does not recognize"), ("{a: 1}", "line 1, column 2"),
    ("{ a b }", "does not recognize"), ("[1,\n 2", "line 2, column 3"),
  ])
  func `A file that is not JSON is refused with a message`(text: String, clause: String)
    async throws
  {
    await #expect {
      try await store(text)
    } throws: { error in
      StoreError(error).message.contains(clause)
    }
  }

  @Test func `A licence before the first bracket does not hide the format`() async throws {
    let licence = "/*" + String(repeating: " licence\n", count: 2_000) + "*/\n"
    let (store, folder) = try await store(licence + "{\"a\": 1}")
    #expect(try await store.keys() == [.text("a")])
    withExtendedLifetime(folder) {}
  }
}
