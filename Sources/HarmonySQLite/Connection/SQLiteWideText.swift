/// A conversion between the text of a UTF-16 database and bytes.
///
/// Well-formed text is converted to UTF-8. An unpaired surrogate, which UTF-8 cannot represent, is
/// encoded in the three bytes of its code point, so that different texts have different bytes:
/// <https://simonsapin.github.io/wtf-8/>.
enum SQLiteWideText {
  static func isWellFormed(_ units: UnsafeBufferPointer<UInt16>) -> Bool {
    var place = 0
    while place < units.count {
      guard UTF16.isSurrogate(units[place]) else {
        place += 1
        continue
      }
      guard isPair(units, at: place) else { return false }
      place += 2
    }
    return true
  }

  /// Returns the bytes of UTF-16 units.
  static func bytes(_ units: UnsafeBufferPointer<UInt16>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.count)
    var place = 0
    while place < units.count {
      var number = UInt32(units[place])
      if isPair(units, at: place) {
        number = 0x10000 + (number - 0xD800) << 10 + UInt32(units[place + 1]) - 0xDC00
        place += 1
      }
      place += 1
      append(number, to: &bytes)
    }
    return bytes
  }

  /// Returns the UTF-16 units of bytes; nil if the bytes are not valid.
  static func units(_ bytes: [UInt8]) -> [UInt16]? {
    var units: [UInt16] = []
    var place = 0
    while place < bytes.count {
      let lead = bytes[place]
      let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      guard place + length <= bytes.count else { return nil }
      var number = UInt32(lead) & [0x7F, 0x1F, 0x0F, 0x07][length - 1]
      for byte in bytes[(place + 1)..<(place + length)] {
        number = number << 6 | UInt32(byte & 0x3F)
      }
      place += length
      if number < 0x10000 {
        units.append(UInt16(number))
      } else if number <= 0x10FFFF {
        units.append(UInt16(0xD800 + (number - 0x10000) >> 10))
        units.append(UInt16(0xDC00 + (number - 0x10000) & 0x3FF))
      } else {
        return nil
      }
    }
    // Bytes that were not checked strictly above do not survive the conversion back.
    return units.withUnsafeBufferPointer(Self.bytes) == bytes ? units : nil
  }

  private static func isPair(_ units: UnsafeBufferPointer<UInt16>, at place: Int) -> Bool {
    UTF16.isLeadSurrogate(units[place]) && place + 1 < units.count
      && UTF16.isTrailSurrogate(units[place + 1])
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    func add(_ bits: UInt32) { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    if number < 0x80 { return add(number) }
    if number < 0x800 {
      add(0xC0 | number >> 6)
    } else {
      if number < 0x10000 {
        add(0xE0 | number >> 12)
      } else {
        add(0xF0 | number >> 18)
        add(0x80 | number >> 12 & 0x3F)
      }
      add(0x80 | number >> 6 & 0x3F)
    }
    add(0x80 | number & 0x3F)
  }
}
