/// Puts the bytes of UTF-8 together to characters, whatever the pieces are that they come in.
///
/// ncurses' own reading of characters forgets the beginning of one whose rest has not come yet, and
/// takes a hundred bytes for the rest of one that is not UTF-8.
struct InputDecoder {
  /// The bytes of a character whose rest is still to come.
  private var pending: [UInt8] = []

  /// Takes the next byte.
  ///
  /// - Returns: The characters that are whole now; U+FFFD stands for bytes that are not UTF-8.
  mutating func take(_ byte: UInt8) -> [Unicode.Scalar] {
    guard let first = pending.first else {
      switch byte {
      case 0..<0x80: return [Unicode.Scalar(byte)]
      case 0xC2...0xF4: pending = [byte]
      default: return ["\u{FFFD}"]
      }
      return []
    }
    guard Self.continuations(after: pending).contains(byte) else {
      pending = []
      return ["\u{FFFD}"] + take(byte)
    }
    pending.append(byte)
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard pending.count == length else { return [] }
    defer { pending = [] }
    return Array(String(decoding: pending, as: UTF8.self).unicodeScalars)
  }

  /// Gives up a character whose rest does not come, as something else has.
  ///
  /// - Returns: U+FFFD, where there was one.
  mutating func end() -> [Unicode.Scalar] {
    defer { pending = [] }
    return pending.isEmpty ? [] : ["\u{FFFD}"]
  }

  /// The bytes that may follow others in UTF-8 (The Unicode Standard, table 3-7).
  private static func continuations(after bytes: [UInt8]) -> ClosedRange<UInt8> {
    guard bytes.count == 1 else { return 0x80...0xBF }
    switch bytes[0] {
    case 0xE0: return 0xA0...0xBF
    case 0xED: return 0x80...0x9F
    case 0xF0: return 0x90...0xBF
    case 0xF4: return 0x80...0x8F
    default: return 0x80...0xBF
    }
  }
}
