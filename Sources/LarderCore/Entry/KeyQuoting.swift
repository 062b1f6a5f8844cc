extension EntryKey {
  /// The text in double quotes, with escapes as in JSON.
  static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { $0 += $1.escaped(asASCII: false) } + "\""
  }

  /// The text inside double quotes, or nil where the quotes or escapes are not complete.
  static func unquoted(_ text: Substring) -> String? {
    var content = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.dropFirst().makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\"": return scalars.next() == nil ? String(content) : nil
      case "\\":
        guard let escaped = unescaped(&scalars) else { return nil }
        content.append(escaped)
      default: content.append(scalar)
      }
    }
    return nil
  }

  private static func unescaped(
    _ scalars: inout some IteratorProtocol<Unicode.Scalar>
  ) -> Unicode.Scalar? {
    switch scalars.next() {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "\"": return "\""
    case "\\": return "\\"
    case "u":
      guard scalars.next() == "{" else { return nil }
      var digits = ""
      while let digit = scalars.next(), digit != "}" {
        guard digits.count < 8 else { return nil }
        digits.unicodeScalars.append(digit)
      }
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }

  static func hex(_ bytes: [UInt8]) -> String {
    var text = ""
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }

  /// The bytes of `x'0aff'`, or nil where the text is not of that form.
  static func quotedHex(_ text: Substring, mark: Character) -> [UInt8]? {
    guard text.first == mark, text.utf8.count >= 3, text.utf8.count % 2 == 1 else { return nil }
    let body = text.utf8.dropFirst()
    guard body.first == UInt8(ascii: "'"), body.last == UInt8(ascii: "'") else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in body.dropFirst().dropLast() {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return bytes
  }
}

extension Unicode.Scalar {
  /// The scalar as it stands between double quotes.
  func escaped(asASCII: Bool) -> String {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default:
      isHostile || (asASCII && !isASCII)
        ? "\\u{\(String(value, radix: 16))}" : String(Character(self))
    }
  }

  /// Whether printing the scalar could move the cursor, break the line or reorder other text.
  package var isHostile: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E,
      0x2066...0x2069:
      true
    default: false
    }
  }
}
