extension JSONScanner {
  /// Skips a quoted string and validates its escapes.
  package mutating func skipText() throws(JSONParser.Failure) {
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return
      case UInt8(ascii: "\\"): _ = try escape()
      case 0..<0x20: throw failure(.rawControl)
      default: place += 1
      }
    }
    throw failure(.openString)
  }

  /// Skips the name of a member.
  package mutating func skipName() throws(JSONParser.Failure) {
    guard next == UInt8(ascii: "\"") else { throw failure(.nameExpected) }
    try skipText()
  }

  /// Returns the content of a quoted string as bytes.
  ///
  /// In lenient mode, half of a surrogate pair yields the three bytes that its UTF-8 encoding would
  /// have, which never occur in valid UTF-8.
  package mutating func text() throws(JSONParser.Failure) -> [UInt8] {
    let start = place + 1
    try skipText()
    let content = start..<(place - 1)
    guard let first = bytes[content].firstIndex(of: UInt8(ascii: "\\")) else {
      return Array(bytes[content])
    }
    var text = Array(bytes[start..<first])
    text.reserveCapacity(content.count)
    var reader = self
    reader.place = first
    while reader.place < content.upperBound {
      let byte = bytes[reader.place]
      if byte == UInt8(ascii: "\\") {
        try reader.escapedCharacter(into: &text)
      } else {
        text.append(byte)
        reader.place += 1
      }
    }
    return text
  }

  private mutating func escapedCharacter(
    into text: inout [UInt8]
  ) throws(JSONParser.Failure) {
    var code = try escape()
    if 0xD800..<0xDC00 ~= code {
      let end = place
      if next == UInt8(ascii: "\\"), case let low = try escape(), 0xDC00..<0xE000 ~= low {
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      } else {
        guard isLenient else { throw failure(.loneSurrogate) }
        place = end
      }
    }
    if let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) {
      text.append(contentsOf: bytes)
      return
    }
    guard isLenient else { throw failure(.loneSurrogate) }
    text += [0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F)]
  }

  /// Skips an escape sequence.
  ///
  /// - Returns: The code unit, which may be half of a surrogate pair.
  private mutating func escape() throws(JSONParser.Failure) -> UInt32 {
    place += 1
    guard let byte = next else { throw failure(.openString) }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(byte)
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      var code: UInt32 = 0
      for _ in 0..<4 {
        guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
          throw failure(.shortEscape)
        }
        code = code << 4 | UInt32(digit)
        place += 1
      }
      return code
    default: throw failure(.unknownEscape)
    }
  }
}
