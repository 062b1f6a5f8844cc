import Foundation
import Testing

@testable import Harmony

/// The property list of defaults, which Foundation overwrites and others may damage.
///
/// What happens while others are writing it is in ``DefaultsRaceTests``.
@Suite struct DefaultsListTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }
  private var list: URL { URL(fileURLWithPath: StorePlaces.list(suite)) }

  private static let damages = [
    "", "<", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><dict><key>a</key><inte",
    "<plist><dict><key>a</dict></plist>", "<plist><array></array></plist>", "{\"a\": 1}",
    "bplist00" + String(repeating: "garbage", count: 10),
  ]

  /// Writes what nobody is still writing.
  private func damage(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: list)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: list.path)
  }

  /// What a property list holds; nil if it is none.
  private static func values(_ list: URL) -> [String: Int]? {
    let values = (try? Data(contentsOf: list)).flatMap {
      try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
    }
    return values as? [String: Int]
  }

  private func mode(_ path: String) -> mode_t? { FileStamp(path: path)?.mode }

  // MARK: Damaged

  @Test(arguments: damages)
  func `Foundation is not asked to read what is no property list`(text: String) throws {
    try damage(text)
    var list = DefaultsList(try DefaultsSuite(defaults), pause: {})
    var answer: [String: Int]?
    let isDone = list.overwrite {
      answer = Self.values(self.list)
      return true
    }
    #expect(isDone)
    #expect(answer == [:])
    guard case .whole = try list.inspect() else {
      Issue.record("The list is still damaged")
      return
    }
  }

  @Test(arguments: damages)
  func `What is no property list is kept beside it`(text: String) async throws {
    try damage(text)
    let source = DeviceStorageDataSource<Int>(defaults)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
    #expect(try String(contentsOf: list, encoding: .utf8) == text)
    try await source.put(1, forId: "a").get()
    #expect(Self.values(list) == ["a": 1])
    let kept = try? String(contentsOfFile: StorePlaces.damagedList(suite), encoding: .utf8)
    #expect(kept == (text.isEmpty ? nil : text))
  }

  @Test func `What is no property list loses no value of the journal`() async throws {
    try await DeviceStorageDataSource<Int>(defaults).put(42, forId: "a").get()
    try damage("<plist><dict><key>a</dict></plist>")
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(43, forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [42, 43])
    #expect(Self.values(list) == ["a": 42, "b": 43])
  }

  @Test func `A property list of another format is whole`() async throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let name = StorePlaces.suite()
      let path = URL(fileURLWithPath: StorePlaces.list(name))
      try PropertyListSerialization.data(
        fromPropertyList: ["foreign": 7], format: format, options: 0
      ).write(to: path)
      let source = DeviceStorageDataSource<Int>(StorePlaces.defaults(name))
      try await source.put(1, forId: "a").get()
      #expect(try await source.get("foreign").get() == 7)
      #expect(!FileManager.default.fileExists(atPath: StorePlaces.damagedList(name)))
    }
  }

  @Test func `A property list of the oldest format is read and made one of today's`() async throws {
    try damage("{ foreign = text; }")
    let source = DeviceStorageDataSource<String>(defaults)
    #expect(try await source.get("foreign").get() == "text")
    try await source.put("other", forId: "own").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == ["text", "other"])
    #expect(!FileManager.default.fileExists(atPath: StorePlaces.damagedList(suite)))
  }

  @Test func `A link to what is no property list stays one`() async throws {
    try damage("<plist")
    let target = StorePlaces.directory()
    try FileManager.default.moveItem(at: list, to: target)
    try FileManager.default.createSymbolicLink(at: list, withDestinationURL: target)
    try await DeviceStorageDataSource<Int>(defaults).put(1, forId: "a").get()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: list.path) == target.path)
    #expect(Self.values(target) == ["a": 1])
  }

  // MARK: Mode

  @Test(arguments: [0o644, 0o640, 0o600, 0o660] as [mode_t])
  func `A property list that is overwritten keeps its mode`(wanted: mode_t) async throws {
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(1, forId: "a").get()
    #expect(mode(list.path) == 0o600)
    chmod(list.path, wanted)
    try await source.put(2, forId: "a").get()
    #expect(mode(list.path) == wanted)
    var copy: mode_t?
    var list = DefaultsList(try DefaultsSuite(defaults))
    _ = list.overwrite {
      copy = mode(StorePlaces.copy(suite))
      return true
    }
    #expect(copy == wanted)
  }

  @Test func `A property list keeps its mode also when its copy takes its place`() async throws {
    let source = DeviceStorageDataSource<Int>(defaults)
    try await source.put(1, forId: "a").get()
    chmod(list.path, 0o644)
    var list = DefaultsList(try DefaultsSuite(defaults))
    let isDone = list.overwrite {
      truncate(self.list.path, 10)
      chmod(self.list.path, 0o600)
      return false
    }
    #expect(!isDone)
    #expect(mode(self.list.path) == 0o644)
    #expect(Self.values(self.list) == ["a": 1])
  }
}
