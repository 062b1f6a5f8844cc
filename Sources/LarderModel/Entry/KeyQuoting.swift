import Foundation

extension EntryKey {
  /// Returns the content of a JSON string, or nil if the text is not one.
  package static func unquoted(_ text: Substring) -> String? {
    guard case .text(let content) = try? JSONParser.parse(text.utf8, readsTypes: false) else {
      return nil
    }
    return content
  }

  /// Returns a message if the text of a key most likely contains a mistake, and nil otherwise.
  package static func fault(inTyped text: String) -> String? {
    guard text.utf8.first == UInt8(ascii: "\""), unquoted(Substring(text)) == nil else {
      return nil
    }
    return Messages.unclosedKey
  }

  package static func hex(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (place, byte) in bytes.enumerated() {
        text[2 * place] = digit(byte >> 4)
        text[2 * place + 1] = digit(byte & 0xF)
      }
      return bytes.count * 2
    }
  }

  private static func digit(_ four: UInt8) -> UInt8 {
    four < 10 ? UInt8(ascii: "0") + four : UInt8(ascii: "a") + four - 10
  }

  /// Returns the bytes of `x'0aff'`, also with the dashes of a UUID, or nil if the text does not have that form.
  static func quotedHex(_ text: Substring, mark: Character) -> [UInt8]? {
    guard text.first == mark, text.utf8.count >= 3, text.utf8.count % 2 == 1 else { return nil }
    let body = text.utf8.dropFirst()
    guard body.first == UInt8(ascii: "'"), body.last == UInt8(ascii: "'") else { return nil }
    if mark == "x", let uuid = UUID(uuidString: String(text.dropFirst(2).dropLast())) {
      return uuid.bytes
    }
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
  /// The scalar as ASCII text, unique to each scalar.
  var inASCII: String {
    isASCII && self != "\\" ? String(Character(self)) : "\\u{\(String(value, radix: 16))}"
  }

  /// Whether printing the scalar could move the cursor, break the line or reorder other text, or
  /// would show nothing, so that two texts would look the same.
  package var isHostile: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E,
      0x2066...0x2069, 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF, 0xFFF9...0xFFFB:
      true
    default: false
    }
  }
}
