/// An incremental UTF-8 decoder for input that arrives in arbitrary pieces.
///
/// ncurses itself drops the start of a character that arrives in two pieces, and treats a hundred
/// bytes as the rest of an invalid one.
struct InputDecoder {
  /// The bytes of an incomplete character.
  private var pending: [UInt8] = []

  /// Decodes the next byte.
  ///
  /// - Returns: The characters that are complete now; invalid bytes become U+FFFD.
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

  /// Discards an incomplete character because something else follows.
  ///
  /// - Returns: U+FFFD if there was one.
  mutating func end() -> [Unicode.Scalar] {
    defer { pending = [] }
    return pending.isEmpty ? [] : ["\u{FFFD}"]
  }

  /// Returns the valid next bytes of a sequence (The Unicode Standard, table 3-7).
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
