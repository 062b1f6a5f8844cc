/// Functions for percent-encoding: `%` and two hexadecimal digits replace a byte.
package enum PercentCoding {
  /// Returns the escape of a byte, in uppercase.
  package static func escape(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns a string with all bytes escaped except ASCII letters, digits and those in `plain`.
  package static func escaped(_ bytes: some Sequence<UInt8>, besides plain: String) -> String {
    var text = ""
    for byte in bytes {
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: plain.utf8.contains(byte)
        }
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += escape(byte)
      }
    }
    return text
  }

  /// Returns the decoded bytes; nil if a `%` is not followed by two digits.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8(truncatingIfNeeded: $0) }
  }
}
