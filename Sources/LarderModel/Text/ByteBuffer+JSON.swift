/// Writes JSON by the rules of ``JSONText``.
extension ByteBuffer {
  /// Appends a string in double quotes, escaping every character that could control a terminal.
  package mutating func append(quoted text: some StringProtocol) {
    if text.utf8.withContiguousStorageIfAvailable({ append(quoted: UnsafeRawBufferPointer($0)) })
      == nil
    {
      Array(text.utf8).withUnsafeBytes { append(quoted: $0) }
    }
  }

  /// Appends UTF-8 in double quotes.
  package mutating func append(quoted utf8: UnsafeRawBufferPointer) {
    append(quoted: utf8, plain: Self.plainCount(utf8))
  }

  /// Appends UTF-8 in double quotes, given the number of leading bytes that need no escape.
  private mutating func append(quoted utf8: UnsafeRawBufferPointer, plain count: Int) {
    if count == utf8.count { return append(utf8, between: UInt8(ascii: "\"")) }
    append(UInt8(ascii: "\""))
    var rest = utf8
    var plain = count
    while true {
      append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
      guard plain < rest.count else { break }
      let length = append(escapeOf: rest, at: plain)
      rest = UnsafeRawBufferPointer(rebasing: rest[(plain + length)...])
      plain = Self.plainCount(rest)
    }
    append(UInt8(ascii: "\""))
  }

  /// Returns the number of leading bytes that are printable ASCII and need no escape.
  ///
  /// The result is too small only if another one follows within eight bytes.
  @inline(__always)
  private static func plainASCIICount(_ utf8: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones &* 0x80
    let count = utf8.count
    var place = start
    // Eight bytes are tested at a time for printable ASCII other than quotes and backslashes.
    while place &+ 8 <= count {
      let word = utf8.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let slash = word ^ (ones &* 0x5C)
      let odd =
        word | (word &- ones &* 0x20) | (word &+ ones) | (quote &- ones) | (slash &- ones)
      guard odd & tops == 0 else { return place }
      // The last eight bytes may overlap with the previous ones.
      if place &+ 8 == count { return count }
      place = min(place &+ 8, count &- 8)
    }
    guard count < 8 else { return place }
    while place < count {
      let byte = utf8[place]
      guard byte >= 0x20, byte < 0x7F, byte != 0x22, byte != 0x5C else { return place }
      place &+= 1
    }
    return place
  }

  /// Returns the number of leading bytes that need no escape.
  private static func plainCount(_ utf8: UnsafeRawBufferPointer) -> Int {
    let count = utf8.count
    var place = 0
    while true {
      place = plainASCIICount(utf8, from: place)
      let end = min(place &+ 8, count)
      while place < end {
        guard isPlain(utf8, at: place) else { return place }
        place &+= 1
      }
      if place == count { return place }
    }
  }

  /// Whether the byte at an offset needs no escape and does not begin a character that does.
  @inline(__always)
  private static func isPlain(_ utf8: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let byte = utf8[place]
    switch byte {
    case 0x00...0x1F, 0x22, 0x5C, 0x7F: return false
    case 0x20...0x7E: return true
    // The lead bytes of the ``Unicode/Scalar/isHostile`` characters outside ASCII.
    case 0xC2, 0xD8, 0xE2, 0xEF: return hostile(utf8, at: place) == nil
    default: return true
    }
  }

  /// Returns the hostile character at an offset and its length in bytes, or nil if there is none.
  private static func hostile(
    _ utf8: UnsafeRawBufferPointer, at place: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let lead = UInt32(utf8[place])
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3
    guard place + length <= utf8.count else { return nil }
    var value = length == 1 ? lead : lead & (length == 2 ? 0x1F : 0x0F)
    for offset in 1..<max(length, 1) where length > 1 {
      value = value << 6 | UInt32(utf8[place + offset] & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value), scalar.isHostile else { return nil }
    return (scalar, length)
  }

  /// Appends the escape for the character at an offset, and returns the character's length in
  /// bytes.
  private mutating func append(escapeOf utf8: UnsafeRawBufferPointer, at place: Int) -> Int {
    switch utf8[place] {
    case UInt8(ascii: "\""): append(literal: "\\\"")
    case UInt8(ascii: "\\"): append(literal: "\\\\")
    case UInt8(ascii: "\n"): append(literal: "\\n")
    case UInt8(ascii: "\r"): append(literal: "\\r")
    case UInt8(ascii: "\t"): append(literal: "\\t")
    default:
      guard let (scalar, length) = Self.hostile(utf8, at: place) else { return 1 }
      append(literal: "\\u")
      for shift in [UInt32(12), 8, 4, 0] {
        let digit = UInt8(scalar.value >> shift & 0xF)
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
      return length
    }
    return 1
  }

  /// Appends bytes as base64 in the standard alphabet of RFC 4648.
  package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    var digits: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    var place = 0
    while place < bytes.count {
      let rest = bytes.count &- place
      let second = rest > 1 ? UInt32(bytes[place &+ 1]) : 0
      let third = rest > 2 ? UInt32(bytes[place &+ 2]) : 0
      let word = UInt32(bytes[place]) << 16 | second << 8 | third
      digits.0 = Self.base64(word >> 18)
      digits.1 = Self.base64(word >> 12)
      digits.2 = rest > 1 ? Self.base64(word >> 6) : UInt8(ascii: "=")
      digits.3 = rest > 2 ? Self.base64(word) : UInt8(ascii: "=")
      withUnsafeBytes(of: &digits) { append($0) }
      place &+= 3
    }
  }

  /// Returns the base64 digit for the low six bits.
  private static func base64(_ word: UInt32) -> UInt8 {
    let six = UInt8(word & 63)
    return switch six {
    case 0..<26: UInt8(ascii: "A") + six
    case 26..<52: UInt8(ascii: "a") + six - 26
    case 52..<62: UInt8(ascii: "0") + six - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  /// Appends a number; one that is not finite is written as an object.
  package mutating func append(json number: Double) {
    guard number.isFinite else {
      append("{\"real\":\"\(number.debugDescription)\"}")
      return
    }
    append(number.description)
  }

  /// Appends text; if it is not valid UTF-8, it is written as an object.
  package mutating func append(jsonText bytes: UnsafeRawBufferPointer) {
    // Most text is ASCII without escapes, for which a single pass suffices.
    let ascii = Self.plainASCIICount(bytes)
    if ascii == bytes.count {
      append(bytes, between: UInt8(ascii: "\""))
    } else if Self.isUTF8(bytes) {
      append(quoted: bytes)
    } else {
      append(json: bytes, isText: true)
    }
  }

  /// Whether bytes are certain to be text without characters that could control a terminal.
  package static func isPrintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    plainCount(bytes) == bytes.count && isUTF8(bytes)
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Most text is ASCII, for which this is faster than full validation.
    var place = 0
    while place &+ 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      place &+= 8
    }
    while place < bytes.count, bytes[place] < 0x80 { place &+= 1 }
    guard place < bytes.count else { return true }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
      .assumingMemoryBound(to: UInt8.self)
    do {
      _ = try UTF8Span(validating: rest.span)
      return true
    } catch {
      return false
    }
  }

  /// Appends bytes as an object, which also indicates whether they are text that is not valid
  /// UTF-8.
  package mutating func append(json bytes: UnsafeRawBufferPointer, isText: Bool) {
    if isText { append(literal: "{\"text\":") }
    append(literal: "{\"base64\":\"")
    append(base64: bytes)
    append(literal: "\"}")
    if isText { append(UInt8(ascii: "}")) }
  }
}
