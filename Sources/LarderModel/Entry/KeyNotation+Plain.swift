extension EntryKey {
  /// Appends the notation of the key to a buffer, as is efficient for lists with millions of keys.
  package func appendNotation(_ style: KeyStyle, to buffer: inout ByteBuffer) {
    switch self {
    case .text(var text):
      let isDone: Bool? = text.utf8.withContiguousStorageIfAvailable { utf8 in
        guard Self.isPlain(utf8) else { return false }
        buffer.append(UnsafeRawBufferPointer(utf8))
        return true
      }
      if isDone == true { return }
      text = notation(style)
      buffer.append(text)
    case .integer(let number): buffer.append(digitsOf: number)
    default: buffer.append(notation(style))
    }
  }

  /// Whether text is certain to be its own notation in every style.
  ///
  /// This holds for printable text that begins with a letter, a digit, an underscore or a slash, and
  /// is neither a number nor begins as a marker or keyword of the notation.
  static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    isPlain(UnsafeRawBufferPointer(utf8))
  }

  /// Whether the bytes of a text are certain to be its notation, as above.
  package static func isPlain(_ utf8: UnsafeRawBufferPointer) -> Bool {
    guard let first = utf8.first else { return false }
    switch first {
    // No longer text is null, nan or inf.
    case UInt8(ascii: "n"), UInt8(ascii: "i"): guard utf8.count > 4 else { return false }
    // A quote makes it t'…' or x'…'.
    case UInt8(ascii: "t"), UInt8(ascii: "x"):
      guard utf8.count > 1, utf8[1] != UInt8(ascii: "'") else { return false }
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard utf8.contains(where: { !isPartOfNumber($0) }) else { return false }
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "/"), 0x80...:
      break
    default: return false
    }
    // Eight bytes are tested at a time: a byte below 0x20 borrows, and one above 0x7E carries into
    // its top bit.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones &* 0x80
    var place = 0
    while place + 8 <= utf8.count {
      let word = utf8.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let odd = word | (word &- ones &* 0x20) | (word &+ ones)
      guard odd & tops == 0 else { return isPlainSlowly(utf8, from: place) }
      // The last eight bytes may overlap with the previous ones.
      if place + 8 == utf8.count { return true }
      place = min(place + 8, utf8.count - 8)
    }
    return isPlainSlowly(utf8, from: place)
  }

  /// Whether a byte occurs in the notation of a number that begins with a digit.
  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether text is certain to be its own notation as a part of a key.
  package static func isPlainPart(_ utf8: UnsafeRawBufferPointer) -> Bool {
    isPlain(utf8) && !utf8.contains { $0 == 0x22 || $0 == 0x28 || $0 == 0x29 || $0 == 0x2C }
  }

  private static func isPlainSlowly(_ utf8: UnsafeRawBufferPointer, from start: Int) -> Bool {
    for place in start..<utf8.count {
      let byte = utf8[place]
      if byte >= 0x80 {
        return ByteBuffer.isPrintable(UnsafeRawBufferPointer(rebasing: utf8[place...]))
      }
      if byte < 0x20 || byte == 0x7F { return false }
    }
    return true
  }
}
