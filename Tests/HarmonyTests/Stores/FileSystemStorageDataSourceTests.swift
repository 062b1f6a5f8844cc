import Foundation
import Harmony
import Testing

@Suite struct FileSystemStorageDataSourceTests {
  private let directory = StorePlaces.directory()
  private let value = Data("value".utf8)

  @Test func `File names are readable and identify the keys`() async throws {
    let source = source()
    let names = [
      "session.42.token": "session.42.token.value", "a/b": "a%2Fb.value", "..": "%2E..value",
      "": "%.value", "50%": "50%25.value", "ü\n": "ü%0A.value", "~": "%7E.value",
      "nul\0": "nul%00.value",
    ]
    for key in names.keys { try await source.put(value, forId: key).get() }
    #expect(try Set(names.values) == Set(self.names()))
    #expect(try await Set(source.getKeys(AllObjectsQuery()).get()) == Set(names.keys))
    #expect(try content("50%25.value") == value)
  }

  @Test(arguments: 1...3)
  func `Keys that are too long for a file name are supported`(width: Int) async throws {
    let source = source()
    let unit = ["", "x", "é", "🦀"][width]
    let keys = [240, 250, 5_000].map { String(repeating: unit, count: $0) }
    for key in keys { try await source.put(Data(key.utf8), forId: key).get() }
    #expect(try names().allSatisfy { $0.utf8.count <= 255 })
    #expect(try await source.getKeys(AllObjectsQuery()).get() == keys)
    #expect(try await source.getAll(AllObjectsQuery()).get() == keys.map { Data($0.utf8) })
    try await source.delete(IdsQuery(keys)).get()
    #expect(try names() == [])
  }

  @Test func `Keys that combine with adjacent characters are supported`() async throws {
    let joining = ["\u{301}", "\u{200D}", "\u{600}", "\u{FE0F}", "\u{1F1E6}", "\u{FEFF}", "\r"]
    let keys = joining.flatMap { ["\($0)", "a\($0)", "\($0)a", ".\($0)", "%\($0)", "~\($0)"] }
    for encoding in [
      FileSystemStorageDataSource.FileNameEncoding.readable, .none, .sha256, .custom { $0 },
    ] {
      let source = FileSystemStorageDataSource(
        fileManager: .default, directory: StorePlaces.directory(), fileNameEncoding: encoding)
      for key in keys { try await source.put(Data(key.utf8), forId: key).get() }
      for key in keys { #expect(try await source.get(key).get() == Data(key.utf8)) }
      let found = try await source.getKeys(AllObjectsQuery()).get()
      #expect(
        found.map { Array($0.utf8) }
          == keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
      #expect(try await source.getAll(AllObjectsQuery()).get() == found.map { Data($0.utf8) })
      try await source.delete(AllObjectsQuery()).get()
      #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
    }
  }

  @Test(arguments: ["", "\u{FEFF}", "\u{FEFF}a", "\u{FEFF}\u{FEFF}", "a\u{FEFF}", "\u{FFFE}", "\0"])
  func `Strings in files survive a round trip exactly`(text: String) async throws {
    let source = source().withMapping(in: StringToDataMapper(), out: DataToStringMapper())
    try await source.put(text, forId: text).get()
    #expect(try await Array(source.get(text).get().utf8) == Array(text.utf8))
    try await source.putAll([text, text], forId: "list").get()
    #expect(try await source.getAll("list").get().allSatisfy { $0.utf8.elementsEqual(text.utf8) })
  }

  @Test func `A removed directory is created again`() async throws {
    let source = source()
    try await source.put(value, forId: "a").get()
    try FileManager.default.removeItem(at: source.directory)
    try await source.put(value, forId: "b").get()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["b"])
  }

  @Test func `A list whose file was renamed is found under its new key`() async throws {
    let source = source()
    try await source.putAll([value, value], forId: "old").get()
    let old = source.directory.appendingPathComponent("old.value")
    try FileManager.default.moveItem(
      at: old, to: source.directory.appendingPathComponent("new.value"))
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["new"])
    #expect(try await source.getAll("new").get() == [value, value])
  }

  @Test func `Without an encoding, only valid file names are keys`() async throws {
    let source = source(.none)
    try await source.put(value, forId: "photo.png").get()
    #expect(try names() == ["photo.png"])
    for key in [
      "", ".", "..", "../evil", "a/b", "/etc/x", "nul\0", String(repeating: "x", count: 256),
    ] {
      await #expect(throws: CoreError.IllegalArgument.self) {
        try await source.put(value, forId: key).get()
      }
      await #expect(throws: CoreError.NotFound.self) { try await source.get(key).get() }
      try await source.delete(key).get()
    }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["photo.png"])
  }

  @Test func `Two keys never share a custom file name`() async throws {
    let source = source(.custom { String($0.prefix(1)) })
    try await source.put(value, forId: "apple").get()
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(value, forId: "ant").get()
    }
    await #expect(throws: CoreError.NotFound.self) { try await source.get("ant").get() }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.putAll([value, value], in: IdsQuery(["bee", "bat"])).get()
    }
    await #expect(throws: CoreError.NotFound.self) { try await source.get("bat").get() }
    try await source.putAll([value, value], in: IdsQuery(["cat", "cat"])).get()
    try await source.delete(IdsQuery(["ant", "cat"])).get()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["apple"])
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await self.source(.custom { "../" + $0 }).put(value, forId: "a").get()
    }
  }

  @Test func `Values can be written and read by other programs`() async throws {
    let source = source()
    try await source.put(value, forId: "a").get()
    #expect(try content("a.value") == value)
    try Data("new".utf8).write(to: directory.appendingPathComponent("b.value"))
    #expect(try await source.get("b").get() == Data("new".utf8))
    let digest = "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683"
    try value.write(to: directory.appendingPathComponent(digest))
    #expect(try await self.source(.sha256).get("key").get() == value)
  }

  @Test func `A value that looks like a list remains a value`() async throws {
    let source = source()
    try await source.putAll([value, Data()], forId: "list").get()
    let bytes = try content("list.value")
    try await source.put(bytes, forId: "copy").get()
    #expect(try await source.get("copy").get() == bytes)
    await #expect(throws: CoreError.NotFound.self) { try await source.getAll("copy").get() }
    #expect(try await source.getAll("list").get() == [value, Data()])
  }

  // MARK: Upstream's faults

  @Test func `Damaged and foreign files never trap`() async throws {
    let source = source()
    try await source.putAll([value, value], forId: "list").get()
    let bytes = try content("list.value")
    for size in 0...bytes.count {
      try bytes.prefix(size).write(to: directory.appendingPathComponent("list.value"))
      let list = await Result { try await source.getAll("list").get() }
      if size == bytes.count {
        #expect(try list.get() == [value, value])
      } else {
        #expect(throws: (any Error).self) { try list.get() }
      }
    }
    var damaged = bytes
    damaged[damaged.count - 1] ^= 1
    try damaged.write(to: directory.appendingPathComponent("list.value"))
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getAll("list").get()
    }
    await #expect(throws: CoreError.DataSerialization.self) { try await source.get("list").get() }
    #expect(try await self.source(.sha256).getKeys(AllObjectsQuery()).get() == [])
  }

  @Test(arguments: ["readable", "sha256"])
  func `Deleting everything keeps the directory and its other files`(
    encoding: String
  ) async throws {
    let source = source(encoding == "readable" ? .readable : .sha256)
    try await source.put(value, forId: "a").get()
    try await source.putAll([value], forId: "b").get()
    let others = ["notes.txt", "%zz.value", ".hidden", "A%2f.value"]
    for name in others { try value.write(to: directory.appendingPathComponent(name)) }
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("folder.value"), withIntermediateDirectories: true)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a", "b"])
    await #expect(throws: CoreError.NotFound.self) { try await source.get("folder").get() }
    try await source.delete("folder").get()
    try await source.delete(AllObjectsQuery()).get()
    #expect(try Set(names()) == Set(others + ["folder.value"]))
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
  }

  @Test func `A missing directory is empty`() async throws {
    let source = source()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    try await source.delete(AllObjectsQuery()).get()
    try await source.delete("a").get()
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test func `System errors are reported with the file name, but not its contents`() async throws {
    try value.write(to: directory)
    let source = source()
    let hidden = Data("hidden".utf8)
    let error = await #expect(throws: CoreError.Failed.self) {
      try await source.put(hidden, forId: "a").get()
    }
    #expect(error?.description.contains(directory.path) == true)
    #expect(error?.description.contains("hidden") == false)
    await #expect(throws: CoreError.Failed.self) {
      try await source.getKeys(AllObjectsQuery()).get()
    }
    let refusal = await #expect(throws: CoreError.Failed.self) {
      try await source.get("secret").get()
    }
    #expect(
      refusal?.description == "Could not read the directory \(directory.path): Not a directory")
  }

  @Test func `Keys can be listed with digest encodings too`() async throws {
    for encoding in [FileSystemStorageDataSource.FileNameEncoding.sha256, .md5] {
      let source = source(encoding)
      try await source.put(value, forId: "key").get()
      #expect(try await source.getKeys(AllObjectsQuery()).get() == ["key"])
    }
    #expect(
      try Set(names()) == [
        "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683",
        "3c6e0b8a9c15224a8228b9a98ca1531d",
      ])
  }

  @Test func `Leftovers of a killed writer are removed by the next one`() async throws {
    try await source().put(value, forId: "a").get()
    try value.write(to: directory.appendingPathComponent(".harmony-abc.tmp"))
    #expect(try await source().getKeys(AllObjectsQuery()).get() == ["a"])
    try await source().put(value, forId: "b").get()
    #expect(try Set(names()) == ["a.value", "b.value"])
  }

  @Test func `Overwriting can be prevented`() async throws {
    let source = FileSystemStorageDataSource(
      fileManager: .default, directory: directory, writingOptions: .withoutOverwriting)
    try await source.put(value, forId: "a").get()
    await #expect(throws: CoreError.Failed.self) {
      try await source.put(Data(), forId: "a").get()
    }
    #expect(try await source.get("a").get() == value)
    #expect(try names() == ["a.value"])
  }

  private func source(
    _ encoding: FileSystemStorageDataSource.FileNameEncoding = .readable
  ) -> FileSystemStorageDataSource {
    FileSystemStorageDataSource(
      fileManager: .default, directory: directory, fileNameEncoding: encoding)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
  }

  private func content(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(name))
  }

  @Test func `A web URL is not a location for files`() async throws {
    let web = try #require(URL(string: "https://example.com/x"))
    let source = FileSystemStorageDataSource(fileManager: .default, directory: web)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(Data(), forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) { try await source.get("a").get() }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.getKeys(AllObjectsQuery()).get()
    }
  }
}

extension Result where Failure == any Error, Success: Sendable {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
