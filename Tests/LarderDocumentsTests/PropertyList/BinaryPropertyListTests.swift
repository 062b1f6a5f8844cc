import Foundation
import LarderModel
import LarderDocuments
import Testing

@Suite struct BinaryPropertyListTests {
  /// Returns a binary property list of the given objects, with one-byte offsets and references.
  fileprivate func list(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let start = UInt8(bytes.count)
    let zeros = [UInt8](repeating: 0, count: 7)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + zeros + [UInt8(objects.count)] + zeros + [
      top
    ]
      + zeros + [start]
  }

  private func value(_ object: [UInt8]) throws -> StoredValue? {
    try PropertyListDocument(parsing: list([object])).value(at: [])
  }

  @Test(
    arguments: [
      ([0x00], .null), ([0x08], .bool(false)), ([0x09], .bool(true)),
      ([0x10, 0xFF], .integer(255)),
      ([0x11, 0xFF, 0xFF], .integer(65_535)),
      ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
      ([0x13] + [UInt8](repeating: 0xFF, count: 8), .integer(-1)),
      (
        [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
        .number("18446744073709551615")
      ),
      ([0x14] + [UInt8](repeating: 0xFF, count: 16), .integer(-1)),
      ([0x22, 0x3F, 0x80, 0, 0], .real(1)),
      ([0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], .real(.infinity)),
      ([0x33, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0], .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      ([0x42, 1, 2], .data([1, 2])), ([0x52, 0x61, 0x62], .text("ab")),
      ([0x61, 0, 0xE9], .text("é")),
      ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .text("😀")),
      ([0x62, 0xD8, 0x3D, 0x00, 0x61], .malformedText([0xED, 0xA0, 0xBD, 0x61])),
      ([0x61, 0xDE, 0x00], .malformedText([0xED, 0xB8, 0x80])),
      ([0x51, 0xFF], .malformedText([0xFF])),
      ([0x80, 7], .dictionary([.init("CF$UID", .integer(7))])), ([0xA0], .array([])),
      ([0xD0], .dictionary([])), ([0x4F, 0x10, 1, 9], .data([9])),
    ] as [([UInt8], StoredValue)])
  func `Objects are decoded as values`(object: [UInt8], expected: StoredValue) throws {
    #expect(try value(object) == expected)
    let document = try PropertyListDocument(parsing: list([object]))
    guard expected != .null, expected != .malformedText([0xFF]) else { return }
    let other = try document.applying([.set([], .array([.text("other")]))])
    let back = try PropertyListDocument(parsing: other).applying([.set([], expected)])
    #expect(try PropertyListDocument(parsing: back).value(at: []) == expected)
  }

  @Test(
    arguments: [
      [0x01], [0x15], [0x21, 0, 0], [0x32], [0x43, 1],
      [0x5F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
      [0x6F, 0x10, 0xFF], [0xA1, 0], [0xA1, 1], [0xD1, 0, 0], [0xF0], [0x5F, 0x50], [0x88],
      [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8),
    ] as [[UInt8]])
  func `Damaged objects are refused`(object: [UInt8]) {
    #expect(throws: DocumentError.self) { try value(object) }
  }

  @Test func `A cycle is refused`() {
    #expect(throws: DocumentError.self) {
      try PropertyListDocument(parsing: list([[0xA1, 1], [0xA1, 2], [0xA1, 0]]))
    }
  }

  @Test func `A name must be text`() {
    #expect(throws: DocumentError.self) {
      try PropertyListDocument(parsing: list([[0xD1, 1, 1], [0x09]]))
    }
  }

  @Test func `Shared objects cannot make a value expand without limit`() throws {
    let laughs: [[UInt8]] = (0..<20).map { [0xA8] + [UInt8](repeating: $0 + 1, count: 8) }
    let document = try PropertyListDocument(parsing: list(laughs + [[0x09]]))
    #expect(throws: DocumentError.self) { try document.value(at: []) }
    var path: [DocumentStep] = []
    for _ in 0..<20 { path.append(.index(7)) }
    #expect(try document.value(at: path) == .bool(true))
    let changed = try document.applying([.set(path, .bool(false))])
    let other = try PropertyListDocument(parsing: changed)
    #expect(try other.value(at: path) == .bool(false))
    #expect(try other.value(at: [.index(0)] + path.dropFirst()) == .bool(true))
  }

  @Test func `Depth is limited`() throws {
    let deep = try PropertyListSamples.python(
      """
      value = []
      for _ in range(700): value = [value]
      sys.setrecursionlimit(9000)
      sys.stdout.buffer.write(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
      """)
    #expect(throws: DocumentError.self) { try PropertyListDocument(parsing: deep) }
  }

  @Test func `A set can be shown but not changed`() throws {
    let bytes = list([[0xA2, 1, 2], [0xC1, 2], [0x09]])
    let document = try PropertyListDocument(parsing: bytes)
    #expect(try document.value(at: [.index(0)]) == .array([.bool(true)]))
    for change in [
      DocumentChange.set([.index(0), .index(0)], .bool(false)), .remove([.index(0), .index(0)]),
      .set([.index(0)], .array([])),
    ] {
      #expect(throws: DocumentError.self) { try document.applying([change]) }
    }
    let changed = try document.applying([.set([.index(1)], .integer(1))])
    #expect(changed == list([[0xA2, 1, 3], [0xC1, 2], [0x09], [0x10, 1]]))
  }

  @Test func `Unchanged objects keep their bytes, their order and their sharing`() throws {
    let real: [UInt8] = [0x22, 0x3D, 0xCC, 0xCC, 0xCD]
    let wide: [UInt8] = [0x61, 0, 0x61]
    let long: [UInt8] = [0x13, 0, 0, 0, 0, 0, 0, 0, 1]
    let document = try PropertyListDocument(
      parsing: list([[0xA5, 1, 2, 3, 3, 4], real, wide, [0xA1, 1], long]))
    #expect(
      try document.applying([.set([.index(4)], .integer(2))])
        == list([[0xA5, 1, 2, 3, 3, 4], real, wide, [0xA1, 1], [0x10, 2]]))
    #expect(
      try document.applying([.set([.index(2), .index(0)], .bool(true))])
        == list([[0xA5, 1, 2, 6, 3, 4], real, wide, [0xA1, 1], long, [0x09], [0xA1, 5]])
    )
    let one = try PropertyListDocument(
      parsing: document.applying([.set([.index(2), .index(0)], .bool(true))]))
    #expect(try one.value(at: [.index(2)]) == .array([.bool(true)]))
    #expect(try one.value(at: [.index(3)]) == document.value(at: [.index(3)]))
    #expect(
      try document.applying([.remove([.index(1)])])
        == list([[0xA4, 1, 2, 2, 3], real, [0xA1, 1], long]))
  }

  @Test func `References and offsets grow with the file`() throws {
    let document = try PropertyListDocument(parsing: list([[0xA1, 1], [0x09]]))
    let many = StoredValue.array((0..<70_000).map { .integer($0) })
    let changed = try document.applying([.set([.index(1)], many)])
    let read = try PropertyListSerialization.propertyList(from: Data(changed), format: nil)
    #expect(((read as? [Any])?.last as? [Int])?.count == 70_000)
    #expect(try PropertyListDocument(parsing: changed).value(at: [.index(1)]) == many)
  }

  @Test func `A damaged file never traps`() throws {
    let object: [String: Any] = [
      "a": [1, 2.5, true, Data([1, 2]), Date(timeIntervalSinceReferenceDate: 0)], "b": ["c": "é"],
    ]
    try PropertyListSamples.bytes(of: object, .binary).torture(
      as: PropertyListDocument.self, flips: 2_000)
  }
}

extension BinaryPropertyListTests {
  @Test func `A file with gaps between its objects is preserved if nothing changes`() throws {
    var bytes = list([[0xA1, 1], [0x09, 0x00, 0x00]])
    #expect(
      try PropertyListDocument(parsing: bytes).applying([.set([.index(0)], .bool(true))]) == bytes)
    bytes[8] = 0xA0
    #expect(try PropertyListDocument(parsing: bytes).members.isEmpty)
  }
}
