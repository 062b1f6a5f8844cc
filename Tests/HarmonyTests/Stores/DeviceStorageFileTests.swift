import Foundation
import Testing

@testable import Harmony

/// What happens to the files of defaults, by crashes and by others.
@Suite struct DeviceStorageFileTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }

  @Test(arguments: [0, 1, 100])
  func `A property list that was cut off by a crash is mended`(size: Int) async throws {
    try await DeviceStorageDataSource<Int>(defaults).put(42, forId: "a").get()
    let list = StorePlaces.list(suite)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: list))
    try bytes.prefix(size).write(to: URL(fileURLWithPath: list))
    defaults.synchronize()
    let source = DeviceStorageDataSource<Int>(defaults)
    #expect(try await source.get("a").get() == 42)
    #expect(try Data(contentsOf: URL(fileURLWithPath: list)).count == size)
    try await source.delete("a").get()
    try await source.put(43, forId: "b").get()
    #expect(defaults.object(forKey: "a") == nil)
    #expect(try String(contentsOfFile: list, encoding: .utf8).contains("<integer>43</integer>"))
  }

  @Test(arguments: [0, 1, 100])
  func `A property list that was cut off is mended also if the next thing is a write`(
    size: Int
  ) async throws {
    try await DeviceStorageDataSource<Int>(defaults).put(42, forId: "a").get()
    let list = URL(fileURLWithPath: StorePlaces.list(suite))
    try Data(contentsOf: list).prefix(size).write(to: list)
    defaults.synchronize()
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(43, forId: "b").get()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a", "b"])
    #expect(defaults.integer(forKey: "a") == 42)
  }

  @Test func `What an interrupted save has lost comes back also after others have saved`()
    async throws
  {
    try await DeviceStorageDataSource<Int>(defaults).put(42, forId: "a").get()
    // The record that saving has begun: its length, its checksum and its kind.
    let journal = try #require(FileHandle(forUpdatingAtPath: StorePlaces.journal(suite)))
    try journal.seekToEnd()
    try journal.write(contentsOf: Data([1, 0, 0, 0, 0xA1, 0x8E, 0x0C, 0x3C, 2]))
    defaults.removeObject(forKey: "a")
    defaults.set(1, forKey: "other")
    defaults.synchronize()
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(43, forId: "b").get()
    #expect(try await source.get("a").get() == 42)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a", "b", "other"])
  }

  @Test func `What others have set survives a disk that is full`() async throws {
    let foreign = String(repeating: "x", count: 5_000)
    defaults.set(foreign, forKey: "foreign")
    defaults.synchronize()
    var writer = try WriterProcess(["cramp", "defaults", suite, "6000"])
    #expect(writer.line() == "done")
    writer.wait()
    // The process tries again later, and may have ended in the middle of that.
    let isWhole = [StorePlaces.list(suite), StorePlaces.copy(suite)].contains { path in
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text.map { $0.contains(foreign) && $0.contains("</plist>") } ?? false
    }
    #expect(isWhole)
    let source = DeviceStorageDataSource<String>(defaults)
    #expect(try await source.get("foreign").get() == foreign)
    #expect(try await source.get("store.a").get().hasPrefix("84:..."))
  }

  @Test func `Reading does not cut the file off where what was set has no room`() async throws {
    let foreign = String(repeating: "x", count: 5_000)
    defaults.set(foreign, forKey: "foreign")
    defaults.synchronize()
    var reader = try WriterProcess(["peek", "defaults", suite, "6000"])
    #expect(reader.line() == "dirty true")
    reader.wait()
    let list = try String(contentsOfFile: StorePlaces.list(suite), encoding: .utf8)
    let isWhole = list.contains(foreign) && list.contains("</plist>")
    #expect(isWhole)
    #expect(!FileManager.default.fileExists(atPath: StorePlaces.copy(suite)))
  }

  @Test func `What a process that was killed had begun to overwrite is read from its copy`()
    async throws
  {
    try await DeviceStorageDataSource<String>(defaults).put("y", forId: "own").get()
    let list = URL(fileURLWithPath: StorePlaces.list(suite))
    let text = try String(contentsOf: list, encoding: .utf8)
      .replacing("<dict>", with: "<dict><key>foreign</key><string>x</string>")
    try Data(text.utf8).write(to: URL(fileURLWithPath: StorePlaces.copy(suite)))
    try Data().write(to: list)
    let times = [FileAttributeKey.modificationDate: Date()]
    for path in [StorePlaces.copy(suite), list.path] {
      try FileManager.default.setAttributes(times, ofItemAtPath: path)
    }
    let journal = try #require(FileHandle(forUpdatingAtPath: StorePlaces.journal(suite)))
    try journal.seekToEnd()
    try journal.write(contentsOf: Data([1, 0, 0, 0, 0xA1, 0x8E, 0x0C, 0x3C, 2]))
    let source = DeviceStorageDataSource<String>(defaults)
    #expect(try await source.get("foreign").get() == "x")
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["foreign", "own"])
    #expect(try Data(contentsOf: list).isEmpty)
    try await source.put("z", forId: "own").get()
    #expect(try String(contentsOf: list, encoding: .utf8).contains("foreign"))
    #expect(try await source.getAll(AllObjectsQuery()).get() == ["x", "z"])
  }

  @Test func `What was put before is put again after another process has changed it`()
    async throws
  {
    let source = DeviceStorageDataSource<String>(defaults, prefix: "store")
    try await source.put("mine", forId: "a0").get()
    var writer = try WriterProcess(["fill", "defaults", suite, "a", "1"])
    #expect(writer.line() == "done")
    writer.wait()
    try await source.put("mine", forId: "a0").get()
    #expect(try await source.get("a0").get() == "mine")
    let list = try String(contentsOfFile: StorePlaces.list(suite), encoding: .utf8)
    #expect(list.contains("<string>mine</string>"))
  }

  @Test func `What is yet to be saved does not undo what another process has saved since`() async {
    // Of its own, as `synchronize()` in any other test saves what is yet to be saved here.
    await #expect(processExitsWith: .success) {
      let suite = StorePlaces.suite()
      let defaults = StorePlaces.defaults(suite)
      // Large enough that not every change is saved at once.
      defaults.set(String(repeating: "x", count: 9_000), forKey: "foreign")
      defaults.synchronize()
      let files = try DefaultsSuite(defaults)
      let state = DefaultsState(files, DefaultsHandle(defaults: defaults))
      try state.put("mine", "store.a0")
      #expect(defaults.string(forKey: "store.a0") == "mine")
      // So many that it saves them before it ends.
      var writer = try WriterProcess(["fill", "defaults", suite, "a", "1100"])
      #expect(writer.line() == "done")
      writer.wait()
      try state.put("2", "other")
      try state.flush()
      #expect(try state.text("store.a0") == "0:")
      let fresh = DefaultsState(files, DefaultsHandle(defaults: defaults))
      #expect(try fresh.text("store.a0") == "0:")
      #expect(try fresh.text("other") == "2")
      let list = try String(contentsOfFile: StorePlaces.list(suite), encoding: .utf8)
      #expect(list.contains("<key>other</key>"))
      #expect(!list.contains("<string>mine</string>"))
    }
  }

  @Test func `What others have set survives the death of a process that was saving`() async throws {
    defaults.set("x", forKey: "foreign")
    defaults.synchronize()
    let list = URL(fileURLWithPath: StorePlaces.list(suite))
    try Data(contentsOf: list).write(to: URL(fileURLWithPath: StorePlaces.copy(suite)))
    try Data().write(to: list)
    // The copy counts for some seconds only, and a busy machine may take longer from one line here
    // to the next.
    let times = [FileAttributeKey.modificationDate: Date()]
    for path in [StorePlaces.copy(suite), list.path] {
      try FileManager.default.setAttributes(times, ofItemAtPath: path)
    }
    // The record that saving has begun, in a journal of its own.
    try (Data("harmony1".utf8) + [1, 0, 0, 0, 0xA1, 0x8E, 0x0C, 0x3C, 2])
      .write(to: URL(fileURLWithPath: StorePlaces.journal(suite)))
    let source = DeviceStorageDataSource<String>(defaults)
    try await source.put("y", forId: "own").get()
    #expect(try String(contentsOf: list, encoding: .utf8).contains("foreign"))
    #expect(!FileManager.default.fileExists(atPath: StorePlaces.copy(suite)))
  }

  @Test func `A record that no change could follow is none`() async throws {
    try await DeviceStorageDataSource<Int>(defaults).put(1, forId: "a").get()
    let journal = try #require(FileHandle(forUpdatingAtPath: StorePlaces.journal(suite)))
    try journal.seekToEnd()
    // All changes up to the greatest number are saved.
    try journal.write(
      contentsOf: Data([9, 0, 0, 0, 0x1E, 0x28, 0xE2, 0x9B, 3] + [UInt8](repeating: 255, count: 8)))
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(2, forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2])
  }

  @Test func `Records that are cut off never happened, and can be followed by others`() async throws
  {
    try await DeviceStorageDataSource<Int>(defaults).put(1, forId: "a").get()
    let journal = try #require(FileHandle(forUpdatingAtPath: StorePlaces.journal(suite)))
    try journal.seekToEnd()
    try journal.write(contentsOf: Data([200, 0, 0, 0, 1, 2, 3, 4, 5]))
    let source = DeviceStorageDataSource<Int>(defaults)
    #expect(try await source.get("a").get() == 1)
    try await source.put(2, forId: "b").get()
    #expect(try await source.get("a").get() == 1)
    #expect(try await source.get("b").get() == 2)
  }

  @Test func `Records behind a damaged length are kept in another file`() async throws {
    for key in ["a", "b", "c"] {
      try await DeviceStorageDataSource<String>(defaults).put(key, forId: key).get()
    }
    let journal = URL(fileURLWithPath: StorePlaces.journal(suite))
    var bytes = try Data(contentsOf: journal)
    // The highest byte of the length of the first record.
    bytes[11] = 127
    try bytes.write(to: journal)
    let source = DeviceStorageDataSource<String>(defaults)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a", "b", "c"])
    try await source.put("d", forId: "d").get()
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal.path + "-damaged")) == bytes)
    #expect(try await source.getAll(AllObjectsQuery()).get() == ["a", "b", "c", "d"])
  }

  @Test func `A file of another kind is reported and left alone`() async throws {
    let foreign = Data("something else".utf8)
    try FileManager.default.createDirectory(
      atPath: (StorePlaces.journal(suite) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try foreign.write(to: URL(fileURLWithPath: StorePlaces.journal(suite)))
    let source = DeviceStorageDataSource<Int>(defaults)
    await #expect(throws: CoreError.DataSerialization.self) { try await source.get("a").get() }
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.put(1, forId: "a").get()
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: StorePlaces.journal(suite))) == foreign)
  }

  @Test func `The journal does not grow with writes to one key`() async throws {
    let source = DeviceStorageDataSource<String>(defaults)
    let text = String(repeating: "x", count: 1_000)
    for index in 0..<300 { try await source.put(text + "\(index)", forId: "a").get() }
    let attributes = try FileManager.default.attributesOfItem(atPath: StorePlaces.journal(suite))
    #expect((attributes[.size] as? Int ?? 0) < 100_000)
    #expect(try await source.get("a").get() == text + "299")
  }

  @Test func `Many values are stored together or not at all`() async throws {
    let source = DeviceStorageDataSource<Int?>(defaults)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.putAll([1, nil], in: IdsQuery(["a", "b"])).get()
    }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
  }

  @Test func `A large store is saved after it was written, unasked`() async throws {
    let source = DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("r"))
    let keys = (0..<2_000).map { "k\($0)" }
    try await source.putAll(Array(0..<2_000), in: IdsQuery(keys)).get()
    try await source.put(-1, forId: "last").get()
    #expect(try await source.get("last").get() == -1)
    while defaults.dictionary(forKey: "r<Int>")?["last"] as? Int != -1 { await Task.yield() }
    #expect(try await source.countKeys(AllObjectsQuery()).get() == 2_001)
  }
}
