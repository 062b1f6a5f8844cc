import Foundation
import Testing

@testable import Harmony

/// The property list of the defaults, which sources replace and other programs change or damage.
@Suite struct DefaultsListTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }
  private var path: String { StorePlaces.list(suite) }

  init() throws {
    try Files.createDirectory((StorePlaces.list(suite) as NSString).deletingLastPathComponent)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func source<T>(_ type: T.Type = String.self) -> DeviceStorageDataSource<T> {
    DeviceStorageDataSource<T>(defaults)
  }

  private static func xml(_ members: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\(members)</dict></plist>\n"
  }

  /// Returns the values in a property list, or nil if it is not valid.
  private func values(_ path: String? = nil) -> [String: Any]? {
    let bytes = FileManager.default.contents(atPath: path ?? self.path)
    let list = bytes.flatMap {
      try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
    }
    return list as? [String: Any]
  }

  // MARK: Damaged

  @Test(arguments: [
    "<", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><dict><key>a</key><inte",
    "<plist><dict><key>a</dict></plist>", "<plist><array></array></plist>", "{\"a\": 1}",
    "bplist00" + String(repeating: "garbage", count: 10),
  ])
  func `An invalid property list is an error and is preserved`(text: String) async throws {
    try write(text)
    let source = source()
    for _ in 0..<2 {
      await #expect(throws: CoreError.DataSerialization.self) { try await source.get("a").get() }
      await #expect(throws: CoreError.DataSerialization.self) {
        try await source.getKeys(AllObjectsQuery()).get()
      }
      await #expect(throws: CoreError.DataSerialization.self) {
        try await source.put("1", forId: "a").get()
      }
      await #expect(throws: CoreError.DataSerialization.self) { try await source.delete("a").get() }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    // After it is moved away, the defaults can be used again.
    try FileManager.default.removeItem(atPath: path)
    try await source.put("1", forId: "a").get()
    #expect(values() as? [String: String] == ["a": "1"])
  }

  @Test func `An empty file, as left behind when Foundation is killed, contains nothing`()
    async throws
  {
    try write("")
    #expect(try await source().getKeys(AllObjectsQuery()).get() == [])
    #expect(FileManager.default.contents(atPath: path) == Data())
    try await source().put("1", forId: "a").get()
    #expect(values() as? [String: String] == ["a": "1"])
  }

  @Test func `Reading waits for a program that writes in place`() async throws {
    try write(Self.xml("<key>old</key><string>x</string>"))
    let writer = try OpenFile(path, O_WRONLY | O_TRUNC)
    let source = source()
    async let value = source.get("new").get()
    try writer.write(Array(Self.xml("<key>new</key><string>y</string>").utf8))
    #expect(try await value == "y")
  }

  @Test func `A file that cannot be read is not considered missing`() async throws {
    // A directory cannot be read as a file even by root, as which the tests may run.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = await #expect(throws: CoreError.Failed.self) { try await source().get("a").get() }
    #expect(error?.description.contains(path) == true)
    await #expect(throws: CoreError.Failed.self) {
      try await source().getKeys(AllObjectsQuery()).get()
    }
    await #expect(throws: CoreError.Failed.self) { try await source().put("1", forId: "a").get() }
  }

  @Test func `A value that is not supported is preserved`() async throws {
    // A UID, as used in archives, which only exists in binary property lists.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0x80, 7, 8, 11, 13]
      + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 15]
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    await #expect(throws: CoreError.NotFound.self) { try await source().get("a").get() }
    let error = await #expect(throws: CoreError.Failed.self) {
      try await source().put("1", forId: "b").get()
    }
    #expect(error?.description.contains("\"a\"") == true)
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
  }

  // MARK: Others

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `Values stored by other programs are read and preserved`(
    format: PropertyListSerialization.PropertyListFormat
  ) async throws {
    let others: [String: Any] = [
      "text": "x", "number": 7, "real": 1.5, "truth": true, "data": Data([1, 2]),
      "date": Date(timeIntervalSinceReferenceDate: 86_400), "list": [1, "two", [3.5]] as [Any],
      "table": ["a": ["b": false]] as [String: Any], "large": UInt64.max,
    ]
    try PropertyListSerialization.data(fromPropertyList: others, format: format, options: 0)
      .write(to: URL(fileURLWithPath: path))
    #expect(try await source(Int.self).get("number").get() == 7)
    try await source().put("y", forId: "own").get()
    let kept = try #require(values())
    #expect(kept.keys.sorted() == (others.keys + ["own"]).sorted())
    for (key, value) in others {
      let stored = kept[key].flatMap { DefaultsValue(any: $0) }
      #expect(stored != nil && stored == DefaultsValue(any: value), "\(key)")
    }
  }

  @Test func `A property list in OpenStep format is read`() async throws {
    try write("{ foreign = text; }")
    #expect(try await source().get("foreign").get() == "text")
    try await source().put("other", forId: "own").get()
    #expect(values() as? [String: String] == ["foreign": "text", "own": "other"])
  }

  @Test func `An unlocked change between reading and replacing is not overwritten`() throws {
    try write(Self.xml("<key>a</key><string>x</string>"))
    var list = DefaultsList(path: path)
    _ = try list.follow()
    try write(Self.xml("<key>a</key><string>longer</string>"))
    #expect(try !list.replace(by: ["a": .string("mine")]))
    #expect(values()?["a"] as? String == "longer")
    _ = try list.follow()
    #expect(try list.replace(by: ["a": .string("mine")]))
    #expect(values()?["a"] as? String == "mine")
    #expect(try !list.follow())
  }

  @Test func `A file that appears between reading and replacing is not overwritten`() throws {
    var list = DefaultsList(path: path)
    _ = try list.follow()
    try write(Self.xml("<key>a</key><string>x</string>"))
    #expect(try !list.replace(by: ["b": .string("mine")]))
    #expect(values()?["a"] as? String == "x")
  }

  // MARK: The file itself

  @Test func `A symbolic link is preserved`() async throws {
    let target = StorePlaces.directory()
    try Data(Self.xml("<key>a</key><string>x</string>").utf8).write(to: target)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: target.path)
    try await source().put("y", forId: "b").get()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target.path)
    #expect(values(target.path) as? [String: String] == ["a": "x", "b": "y"])
  }

  @Test(arguments: [0o644, 0o640, 0o600, 0o660] as [mode_t])
  func `A replaced property list keeps its mode`(mode: mode_t) async throws {
    try await source().put("1", forId: "a").get()
    #expect(FileStamp(path: path)?.mode == 0o600)
    chmod(path, mode)
    try await source().put("2", forId: "a").get()
    #expect(FileStamp(path: path)?.mode == mode)
  }

  // MARK: The binary form

  @Test func `Foundation reads the output`() throws {
    let numbers: [Int64] = [0, 1, 255, 256, 65_535, 65_536, 1 << 32, .max, -1, .min]
    let texts = ["", "a", String(repeating: "b", count: 300), "é", "🦀", "\u{FEFF}", "\0"]
    let value = DefaultsValue.dictionary([
      "numbers": .array(numbers.map { .integer($0) }), "large": .unsigned(.max),
      "texts": .array(texts.map { .string($0) }), "float": .float(0.1), "double": .double(.nan),
      "truths": .array([.bool(true), .bool(false)]), "date": .date(0.123),
      "data": .data(Data(repeating: 7, count: 70_000)), "empty": .dictionary([:]),
      "many": .dictionary(
        Dictionary(uniqueKeysWithValues: (0..<300).map { ("key \($0)", .integer($0)) })),
    ])
    let list = try PropertyListSerialization.propertyList(
      from: Data(PropertyListWriter.bytes(of: value)), options: [], format: nil)
    #expect(DefaultsValue(any: list) == value)
  }
}
