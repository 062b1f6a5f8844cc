import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Property lists in encodings and formats of other systems and older programs, which are
/// read-only.
struct OldPropertyListTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private func store(_ bytes: [UInt8]) async throws -> Store {
    try await Stores.store(try folder.write(bytes, to: "list"))
  }

  private static let xml = """
    <?xml version="1.0" encoding="UTF-16"?>
    <plist version="1.0"><dict><key>é 🗝</key><string>ü</string></dict></plist>
    """
  private static let strings = """
    /* What a button says: "x" = "y"; */
    "é 🗝" = "ü";
    // next
    plain_key = "line\\nbreak";
    """

  private static func wide(_ text: String, _ encoding: String.Encoding, isMarked: Bool) -> [UInt8] {
    let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
    return (isMarked ? mark : []) + [UInt8](text.data(using: encoding) ?? Data())
  }

  @Test(
    arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `A list in UTF-16 is read`(_ encoding: String.Encoding, isMarked: Bool) async throws {
    for text in [Self.xml, Self.strings] {
      let bytes = Self.wide(text, encoding, isMarked: isMarked)
      let store = try await store(bytes)
      #expect(store.kind.name == "plist")
      #expect(try await store.value(.text("é 🗝")) == .text("ü"))
      #expect(store.readOnlyReason?.contains("read-only") == true)
      // A truncated list is refused, wherever it is cut.
      for count in [3, bytes.count / 2, bytes.count - 1] {
        let path = try folder.write(Array(bytes.prefix(count)), to: "cut")
        await #expect(throws: StoreError.self) { try await Stores.store(path) }
      }
    }
  }

  @Test func `A strings file is read in key order`() async throws {
    let store = try await store(Array(Self.strings.utf8))
    #expect(try await store.keys() == [.text("plain_key"), .text("é 🗝")])
    #expect(try await store.value(.text("plain_key")) == .text("line\nbreak"))
    #expect(
      try await store.value(.composite([]))
        == .dictionary([
          .init("é 🗝", .text("ü")), .init("plain_key", .text("line\nbreak")),
        ]))
  }

  @Test(arguments: [
    ("(a, b)", 2), ("( \"x y\" , (1, 2), { k = v; }, )", 3), ("({ k = v; })", 1), ("()", 0),
    ("/* c */ (<0f>)", 1),
  ])
  func `A top-level array is read`(text: String, count: Int) async throws {
    let store = try await store(Array(text.utf8))
    #expect(store.kind.name == "plist")
    #expect(try await store.keys() == (0..<Int64(count)).map { .integer($0) })
  }

  @Test(arguments: ["(defun f (x) x)", "(a b)", "key = value\n", "a: b", "(", "()x", "int x = 5;"])
  func `Other text is not a property list`(text: String) async throws {
    let path = try folder.write(Array(text.utf8), to: "text")
    await #expect(throws: StoreError.self) { try await Stores.store(path) }
  }
}
