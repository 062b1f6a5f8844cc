import Foundation
import Testing

@testable import Harmony

/// Values in crashes, on full disks, and beside other users of the defaults.
@Suite struct DeviceStorageFileTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }
  private var list: String { StorePlaces.list(suite) }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: list)) }

  private func values() throws -> [String: Any] {
    let list = try PropertyListSerialization.propertyList(from: bytes(), options: [], format: nil)
    return try #require(list as? [String: Any])
  }

  /// The names of the files of the suite.
  private var names: [String] {
    let directory = (list as NSString).deletingLastPathComponent
    return ((try? Files.names(in: directory)) ?? []).filter { $0.hasPrefix(suite) }
      .map { String($0.dropFirst(suite.count)) }.sorted()
  }

  /// Runs another process and returns the last line of its output.
  @discardableResult
  private func run(_ arguments: String...) throws -> String? {
    var process = try WriterProcess(arguments)
    defer { process.wait() }
    var last: String?
    while let line = process.line() { last = line }
    return last
  }

  // MARK: Writing

  @Test func `A full disk fails the write and loses nothing`() async throws {
    let foreign = String(repeating: "x", count: 5_000)
    defaults.set(foreign, forKey: "foreign")
    defaults.synchronize()
    let before = try bytes()
    #expect(try run("cramp", "defaults", suite, "6000")?.hasPrefix("error ") == true)
    #expect(try bytes() == before)
    #expect(names == [".harmony-lock", ".plist"])
    #expect(try await DeviceStorageDataSource<String>(defaults).get("foreign").get() == foreign)
  }

  @Test func `A folder that is not writable fails the write and shows no value`() async throws {
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(1, forId: "a").get()
    let before = try bytes()
    for isDirty in [false, true] {
      if isDirty { defaults.set(7, forKey: "unsaved") }
      // A directory at the file's path cannot be replaced even by root, as which the tests may run.
      try FileManager.default.moveItem(atPath: list, toPath: list + ".moved")
      try FileManager.default.createDirectory(
        atPath: list + "/inside", withIntermediateDirectories: true)
      await #expect(throws: CoreError.Failed.self) { try await source.put(2, forId: "a").get() }
      try FileManager.default.removeItem(atPath: list)
      try FileManager.default.moveItem(atPath: list + ".moved", toPath: list)
      #expect(try bytes() == before)
      #expect(try await source.get("a").get() == 1)
      #expect(defaults.integer(forKey: "a") == 1)
    }
  }

  @Test func `Several values replace the file once or not at all`() async throws {
    let source = DeviceStorageDataSource<Int?>(defaults)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.putAll([1, nil], in: IdsQuery(["a", "b"])).get()
    }
    #expect(names == [])
    try await source.put(0, forId: "z").get()
    // A reader that has opened the old file still sees its contents, unlike after writing in place.
    let old = try #require(FileHandle(forReadingAtPath: list))
    let before = try bytes()
    let keys = (0..<100).map { "k\($0)" }
    try await source.putAll(Array(0..<100), in: IdsQuery(keys)).get()
    #expect(try old.readToEnd() == before)
    #expect(try values().count == 101)
    let stamp = FileStamp(path: list)
    try await source.delete("absent").get()
    try await source.put(0, forId: "z").get()
    #expect(FileStamp(path: list) == stamp)
  }

  @Test func `Leftovers of a process killed while writing are removed`() async throws {
    try await DeviceStorageDataSource<Int>(defaults).put(1, forId: "a").get()
    let leftover = (list as NSString).deletingLastPathComponent + "/.harmony-\(suite).tmp"
    try Data("<".utf8).write(to: URL(fileURLWithPath: leftover))
    #expect(try run("fill", "defaults", suite, "b", "1") == "done")
    #expect(!FileManager.default.fileExists(atPath: leftover))
  }

  @Test func `Reading creates no file`() async throws {
    // Unsaved values of the program would be saved with those of any other suite.
    let source = DeviceStorageDataSource<Int>(defaults)
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    try await source.delete("absent").get()
    #expect(names == [".harmony-lock"])
  }

  // MARK: UserDefaults of the same process

  @Test func `UserDefaults sees written values and has nothing to save`() async throws {
    let source = DeviceStorageDataSource<Date>(defaults)
    #expect(defaults.object(forKey: "d") == nil)
    let date = Date(timeIntervalSinceReferenceDate: 0.123)
    try await source.put(date, forId: "d").get()
    #expect(defaults.object(forKey: "d") as? Date == date)
    let stamp = FileStamp(path: list)
    for _ in 0..<2 { defaults.synchronize() }
    #expect(FileStamp(path: list) == stamp)
    #expect(try await source.get("d").get() == date)
  }

  @Test func `Values set through UserDefaults before are read and preserved`() async throws {
    defaults.set("saved", forKey: "saved")
    defaults.synchronize()
    defaults.set("unsaved", forKey: "unsaved")
    let source = DeviceStorageDataSource<String>(defaults)
    try await source.put("own", forId: "own").get()
    for key in ["saved", "unsaved", "own"] {
      #expect(try await source.get(key).get() == key)
      #expect(defaults.string(forKey: key) == key)
    }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["own", "saved", "unsaved"])
    let written = try values()
    #expect(written["own"] as? String == "own")
    #expect(written["saved"] as? String == "saved")
    defaults.synchronize()
    #expect(try values().count == 3)
  }

  @Test func `Changes through UserDefaults are read before and after they are saved`()
    async throws
  {
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.putAll([1, 2], in: IdsQuery(["a", "b"])).get()
    defaults.set(3, forKey: "a")
    defaults.removeObject(forKey: "b")
    for _ in 0..<2 {
      #expect(try await source.get("a").get() == 3)
      #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a"])
      defaults.synchronize()
    }
    try await source.put(4, forId: "a").get()
    #expect(defaults.integer(forKey: "a") == 4)
    #expect(try await source.get("a").get() == 4)
    #expect(try run("fill", "defaults", suite, "x", "1") == "done")
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a"])
    #expect(try values().keys.sorted() == ["a", "store.x0"])
  }

  @Test func `A list and a dictionary are visible while UserDefaults has unsaved values`()
    async throws
  {
    defaults.set(1, forKey: "unsaved")
    let root = DeviceStorageDataSource<[Int]>(defaults, storageType: .rootKey("r"))
    try await root.put([1, 2], forId: "a").get()
    try await DeviceStorageDataSource<UInt64>(defaults).put(.max, forId: "large").get()
    #expect(defaults.dictionary(forKey: "r<Array<Int>>")?["a"] as? [Int] == [1, 2])
    #expect(defaults.object(forKey: "large") as? UInt64 == .max)
    #expect(try await root.get("a").get() == [1, 2])
    try await root.delete("a").get()
    #expect(defaults.object(forKey: "r<Array<Int>>") == nil)
  }

  @Test func `Values set in the dictionary of a root key through UserDefaults are preserved`()
    async throws
  {
    let source = DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("r"))
    try await source.put(1, forId: "a").get()
    defaults.set(["x": 2], forKey: "r<Int>")
    try await source.put(3, forId: "b").get()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["b", "x"])
    #expect(defaults.dictionary(forKey: "r<Int>") as? [String: Int] == ["b": 3, "x": 2])
  }

  // MARK: Other processes

  @Test func `Values written by another process are read`() async throws {
    let source = DeviceStorageDataSource<String>(defaults, prefix: "store")
    try await source.put("mine", forId: "a0").get()
    #expect(try run("fill", "defaults", suite, "a", "2") == "done")
    #expect(try await source.get("a0").get() == "0:")
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a0", "a1"])
    try await source.put("mine", forId: "a0").get()
    #expect(try await source.get("a0").get() == "mine")
    #expect(defaults.string(forKey: "store.a1") != nil)
    #expect(try values()["store.a0"] as? String == "mine")
  }

  @Test func `Synchronizing does not undo later writes by another process`() async throws {
    // In a process of its own, since other tests may have unsaved values.
    await #expect(processExitsWith: .success) {
      let suite = StorePlaces.suite()
      let defaults = StorePlaces.defaults(suite)
      let source = DeviceStorageDataSource<String>(defaults, prefix: "store")
      try await source.put("mine", forId: "a0").get()
      #expect(defaults.string(forKey: "store.a0") == "mine")
      var writer = try WriterProcess(["fill", "defaults", suite, "a", "1"])
      #expect(writer.line() == "done")
      writer.wait()
      UserDefaults.standard.synchronize()
      defaults.synchronize()
      #expect(try await source.get("a0").get() == "0:")
      #expect(defaults.string(forKey: "store.a0") == "0:")
    }
  }

  @Test func `Reading loses nothing that another program writes in place`() async throws {
    var writer = try WriterProcess(["alone", "defaults", suite, "300"])
    #expect(writer.line() == "ready")
    let source = DeviceStorageDataSource<Int>(defaults)
    var largest = -1
    while largest < 299 {
      // A file that is constantly being overwritten results in an error.
      guard let numbers = try? await source.getAll(AllObjectsQuery()).get() else { continue }
      largest = max(largest, numbers.max() ?? -1)
    }
    #expect(writer.line() == "lost 0")
    writer.wait()
    #expect(names == [".plist"])
    try await source.put(-1, forId: "own").get()
    let kept = try values()
    for number in 0..<300 { #expect(kept["n\(number)"] as? Int == number) }
    #expect((kept["large"] as? String)?.utf8.count == 30_000)
  }

  // MARK: Keys

  @Test func `Keys that Foundation confuses are stored separately`() async throws {
    let keys = ["\u{E9}", "e\u{301}", "\u{FEFF}a", "a", "harmony%a", "harmony%", ".\u{301}"]
    for type in [DeviceStorageType.regular, .prefix("e\u{301}"), .rootKey("\u{FEFF}r")] {
      let source = DeviceStorageDataSource<String>(StorePlaces.defaults(), storageType: type)
      try await source.putAll(keys, in: IdsQuery(keys)).get()
      #expect(try await source.getAll(IdsQuery(keys)).get() == keys)
      let found = try await source.getKeys(AllObjectsQuery()).get()
      #expect(Set(found.map { Array($0.utf8) }) == Set(keys.map { Array($0.utf8) }))
      try await source.delete("e\u{301}").get()
      #expect(try await source.get("\u{E9}").get() == "\u{E9}")
    }
  }
}
