import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Faults of upstream's stores on disk, numbered as in `Departures.md`.
@Suite struct UpstreamStoreTests {
  private let suite = StorePlaces.suite()
  private let directory = StorePlaces.directory()
  private let bytes = Data("value".utf8)

  private var defaults: UserDefaults { StorePlaces.defaults(suite) }

  private func values<T: Sendable>(
    _ type: T.Type, _ storage: DeviceStorageType = .regular
  ) -> DeviceStorageDataSource<T> {
    DeviceStorageDataSource<T>(defaults, storageType: storage)
  }

  private func files(
    _ names: FileSystemStorageDataSource.FileNameEncoding = .readable
  ) -> FileSystemStorageDataSource {
    FileSystemStorageDataSource(
      fileManager: .default, directory: directory, fileNameEncoding: names)
  }

  @Test func `Fault 7: a prefix includes its dot`() async throws {
    let (short, long) = (values(Int.self, .prefix("a")), values(Int.self, .prefix("ab")))
    try await short.put(1, forId: "z").get()
    try await long.put(2, forId: "z").get()
    #expect(try await short.getAll(AllObjectsQuery()).get() == [1])
    #expect(try await short.getKeys(AllObjectsQuery()).get() == ["z"])
    try await short.delete(AllObjectsQuery()).get()
    #expect(try await long.get("z").get() == 2)
    #expect(defaults.object(forKey: "a.z") == nil)
  }

  @Test func `Fault 8: a file that is not an archive is an error, not a crash`()
    async throws
  {
    let source = files()
    try await source.putAll([bytes], forId: "list").get()
    let file = directory.appendingPathComponent("list.value")
    let whole = try Data(contentsOf: file)
    var changed = whole
    changed[changed.count - 1] ^= 1
    for damaged in [Data(), Data("no archive".utf8), Data("bplist00".utf8), changed] {
      try damaged.write(to: file)
      await #expect(throws: (any Error).self) { try await source.getAll("list").get() }
    }
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getAll("list").get()
    }
    try whole.write(to: file)
    #expect(try await source.getAll("list").get() == [bytes])
  }

  @Test func `Fault 9: a failed deletion is an error, and an empty folder is an empty source`()
    async throws
  {
    let source = files()
    try await source.put(bytes, forId: "a").get()
    try await source.delete(AllObjectsQuery()).get()
    #expect(FileManager.default.fileExists(atPath: directory.path))
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    try FileManager.default.removeItem(at: directory)
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    // With a file in place of the folder, nothing can be deleted.
    try bytes.write(to: directory)
    await #expect(throws: CoreError.Failed.self) { try await source.delete("a").get() }
    await #expect(throws: CoreError.Failed.self) {
      try await source.delete(AllObjectsQuery()).get()
    }
  }

  @Test func `Fault 10: keys can be listed with every file name encoding`() async throws {
    let source = files()
    try await source.put(bytes, forId: "session.42").get()
    try await source.put(bytes, forId: "a/b").get()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(names) == ["session.42.value", "a%2Fb.value"])
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a/b", "session.42"])
    try await source.delete(AllObjectsQuery()).get()
    let digests = files(.sha256)
    try await digests.put(bytes, forId: "session.42").get()
    #expect(try await digests.getKeys(AllObjectsQuery()).get() == ["session.42"])
  }

  @Test(arguments: [DeviceStorageType.regular, .prefix("p"), .rootKey("r")])
  func `Fault 44: a missing number or Boolean is not found`(type: DeviceStorageType) async {
    let missing = CoreError.NotFound.self
    await #expect(throws: missing) { try await values(Int.self, type).get("a").get() }
    await #expect(throws: missing) { try await values(Double.self, type).get("a").get() }
    await #expect(throws: missing) { try await values(Float.self, type).get("a").get() }
    await #expect(throws: missing) { try await values(Bool.self, type).get("a").get() }
    await #expect(throws: missing) {
      try await values(Int.self, type).getAll(IdsQuery(["a"])).get()
    }
  }

  @Test func `Fault 45: a value that cannot be converted without loss is not found`() async throws {
    try await values(String.self).put("abc", forId: "text").get()
    try await values(Double.self).put(3.5, forId: "fraction").get()
    try await values(Int.self).putAll([1, 2], forId: "list").get()
    for key in ["text", "fraction", "list"] {
      await #expect(throws: CoreError.NotFound.self) { try await values(Int.self).get(key).get() }
    }
    try await values(Double.self).put(3, forId: "whole").get()
    #expect(try await values(Int.self).get("whole").get() == 3)
  }

  @Test func `Fault 46: a number can be read as a string`() async throws {
    try await values(Double.self, .prefix("Double")).put(3.14159265359, forId: "pi").get()
    let texts = values(String.self, .prefix("Double"))
    #expect(try await texts.get("pi").get() == "3.14159265359")
    try await values(Int.self).put(3, forId: "three").get()
    #expect(try await values(String.self).get("three").get() == "3")
  }

  @Test func `Fault 47: a root key finds and deletes all of its objects`() async throws {
    let source = values(Int.self, .rootKey("root"))
    try await source.put(1, forId: "a").get()
    try await source.putAll([2, 3], forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2, 3])
    try await source.delete(AllObjectsQuery()).get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
  }

  @Test func `Fault 48: concurrent writers of one root key lose nothing`() async throws {
    let writers = (0..<4).map { _ in values(Int.self, .rootKey("root")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, writer) in writers.enumerated() {
        group.addTask {
          for index in 0..<25 { try await writer.put(index, forId: number * 25 + index).get() }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await writers[0].countKeys(AllObjectsQuery()).get() == 100)
  }

  @Test func `Fault 49: deleting a prefix deletes values of every type`() async throws {
    try await values(Data.self, .prefix("p")).put(bytes, forId: "d").get()
    try await values(String.self, .prefix("p")).put("text", forId: "t").get()
    try await values(Int.self, .prefix("p")).delete(AllObjectsQuery()).get()
    #expect(defaults.object(forKey: "p.d") == nil)
    #expect(defaults.object(forKey: "p.t") == nil)
  }

  @Test func `Fault 50: a value that the defaults do not support is an error, not a crash`()
    async
  {
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await values(UUID.self).put(UUID(), forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await values(UUID.self).putAll([UUID()], forId: "a").get()
    }
  }

  @Test func `Fault 51: a web address is returned unchanged`() async throws {
    let web = try #require(URL(string: "https://a.b/c?d=1#e"))
    for type in [DeviceStorageType.regular, .prefix("p"), .rootKey("r")] {
      try await values(URL.self, type).put(web, forId: "web").get()
      #expect(try await values(URL.self, type).get("web").get() == web)
      try await values(URL.self, type).putAll([web], forId: "list").get()
      #expect(try await values(URL.self, type).getAll("list").get() == [web])
    }
  }
}
