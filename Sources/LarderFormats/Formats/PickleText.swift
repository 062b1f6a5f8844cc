import LarderModel

/// The spellings of strings in pickles of protocol 0.
enum PickleText {
  /// Returns a string that Python 2 wrote as a literal in quotes.
  static func unquoted(_ bytes: ArraySlice<UInt8>) -> StoredValue {
    var rest = bytes
    if rest.count > 1, let first = rest.first, "'\"".utf8.contains(first), rest.last == first {
      rest = rest.dropFirst().dropLast()
    }
    var string: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        string.append(byte)
        continue
      }
      switch Unicode.Scalar(letter) {
      case "n": string.append(0x0A)
      case "r": string.append(0x0D)
      case "t": string.append(0x09)
      case "\\", "'", "\"": string.append(letter)
      case "x" where hex(rest.prefix(2)) != nil:
        string.append(UInt8(truncatingIfNeeded: hex(rest.prefix(2)) ?? 0))
        rest = rest.dropFirst(2)
      default: string += [byte, letter]
      }
    }
    return StoredValue(stringBytes: string)
  }

  /// Returns text in Latin-1 that has `\u` and `\U` for other characters.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes
    var units: [UInt16] = []
    while let byte = rest.popFirst() {
      let digits = byte == UInt8(ascii: "\\") ? rest.first.flatMap { escapes[$0] } ?? 0 : 0
      guard digits > 0, let number = hex(rest.dropFirst().prefix(digits)) else {
        units.append(UInt16(byte))
        continue
      }
      rest = rest.dropFirst(1 + digits)
      // Characters beyond the first plane may be two surrogates.
      if let unit = UInt16(exactly: number) {
        units.append(unit)
      } else {
        units += Character(Unicode.Scalar(number) ?? "\u{FFFD}").utf16
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The number of hex digits after the letter of an escape.
  private static let escapes: [UInt8: Int] = [UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]

  private static func hex(_ digits: ArraySlice<UInt8>) -> UInt32? {
    UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
