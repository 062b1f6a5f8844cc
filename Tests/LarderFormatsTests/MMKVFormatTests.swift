import LarderFormats
import LarderModel
import Testing

/// Values that MMKV stores without their types.
@Suite struct MMKVFormatTests {
  private func readings(_ bytes: [UInt8]) -> [StoredValue.Field]? {
    let format = ValueFormat.named("mmkv")
    guard let format, format.suits(.data(bytes)) > 0,
      case .headed(_, .fields(let fields)) = format.compared(.data(bytes))
    else { return nil }
    return fields
  }

  @Test(
    arguments: [
      (
        [0],
        [.init("integer", .integer(0)), .init("bool", .bool(false)), .init("string", .text(""))]
      ),
      ([1], [.init("integer", .integer(1)), .init("bool", .bool(true))]),
      ([0xAC, 2], [.init("integer", .integer(300))]),
      ([UInt8](repeating: 0xFF, count: 9) + [1], [.init("integer", .integer(-1))]),
      ([0, 0, 0, 0x3F], [.init("float", .real(0.5))]),
      (
        [0xCD, 0xCC, 0xCC, 0x3D],
        [.init("integer", .integer(129_181_261)), .init("float", .real(0.1))]
      ),
      ([0, 0, 0, 0, 0, 0, 0xE0, 0x3F], [.init("double", .real(0.5))]),
      ([2, 0xFF, 0], [.init("string", .data([0xFF, 0]))]),
      (
        [5, 1, 0x61, 2, 0x62, 0x63],
        [
          .init("string", .text("\u{1}a\u{2}bc")),
          .init("strings", .array([.text("a"), .text("bc")])),
        ]
      ),
    ] as [([UInt8], [StoredValue.Field])])
  func `Each type that the bytes may have is shown`(
    bytes: [UInt8], fields: [StoredValue.Field]
  ) {
    #expect(readings(bytes) == fields)
    #expect(ValueFormat.suitable(for: .data(bytes)).first?.name != "mmkv")
  }

  @Test(
    arguments: [
      [], [0x80], [3, 1], [0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 16), [1, 2, 3],
    ] as [[UInt8]])
  func `Other bytes have no reading`(bytes: [UInt8]) {
    #expect(readings(bytes) == nil)
  }
}
