/// The text encodings of binary property lists: ASCII and big-endian UTF-16.
enum BinaryText {
  /// Converts the text of an object to UTF-8.
  ///
  /// An unpaired surrogate becomes the three bytes that UTF-8 would use for its code point.
  static func bytes(_ content: ArraySlice<UInt8>, isWide: Bool) -> [UInt8] {
    guard isWide else { return Array(content) }
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var high: UInt32?
    var place = content.startIndex
    while place + 1 < content.endIndex {
      let unit = UInt32(content[place]) << 8 | UInt32(content[place + 1])
      place += 2
      if let first = high {
        high = nil
        if 0xDC00..<0xE000 ~= unit {
          append(0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00), to: &result)
          continue
        }
        append(first, to: &result)
      }
      if 0xD800..<0xDC00 ~= unit { high = unit } else { append(unit, to: &result) }
    }
    if let high { append(high, to: &result) }
    return result
  }

  private static func append(_ code: UInt32, to bytes: inout [UInt8]) {
    switch code {
    case 0..<0x80: bytes.append(UInt8(code))
    case 0x80..<0x800: bytes += [0xC0 | UInt8(code >> 6), 0x80 | UInt8(code & 0x3F)]
    case 0x800..<0x10000:
      bytes += [
        0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F),
      ]
    default:
      bytes += [
        0xF0 | UInt8(code >> 18 & 0x07), 0x80 | UInt8(code >> 12 & 0x3F),
        0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F),
      ]
    }
  }

  /// Converts UTF-8 that may contain encoded surrogates to UTF-16; returns nil for other bytes.
  static func units(_ bytes: [UInt8]) -> [UInt16]? {
    var units: [UInt16] = []
    var rest = bytes[...]
    while let first = rest.first {
      // An encoded surrogate is ED A0 80 to ED BF BF, which is not valid UTF-8.
      let head = rest.prefix(3)
      if first == 0xED, let second = head.dropFirst().first, let third = head.dropFirst(2).first,
        0xA0...0xBF ~= second, 0x80...0xBF ~= third
      {
        units.append(0xD000 | UInt16(second & 0x3F) << 6 | UInt16(third & 0x3F))
        rest = rest.dropFirst(3)
        continue
      }
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
      units += Array(UTF16.encode(scalar) ?? .init())
      rest = rest.dropFirst(UTF8.width(scalar))
    }
    return units
  }
}
