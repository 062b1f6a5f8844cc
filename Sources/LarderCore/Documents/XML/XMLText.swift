/// The characters that pieces of XML stand for, and the other way round.
package enum XMLText {
  /// Appends the characters that a text or the value of an attribute stands for.
  ///
  /// The five names of XML and numbers are resolved, any other name is refused. An end of line is
  /// one line feed, however it is written.
  ///
  /// - Parameters:
  ///   - range: The place of the characters.
  ///   - bytes: The whole text.
  ///   - content: What to append UTF-8 to.
  /// - Throws: What is not XML about the characters, and where.
  package static func append(
    _ range: Range<Int>, of bytes: [UInt8], to content: inout [UInt8]
  ) throws(DocumentError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "&"):
        guard
          let end = bytes[place..<range.upperBound].prefix(12).firstIndex(of: UInt8(ascii: ";")),
          let scalar = scalar(of: bytes[place..<end])
        else { throw .xml("a reference is none of XML's", in: bytes, at: place - 1) }
        content.append(contentsOf: UTF8.encode(scalar) ?? .init())
        place = end + 1
      case UInt8(ascii: "\r"):
        content.append(UInt8(ascii: "\n"))
        if place < range.upperBound, bytes[place] == UInt8(ascii: "\n") { place += 1 }
      default: content.append(byte)
      }
    }
  }

  /// Appends the characters of a CDATA section, which stand for themselves.
  package static func appendSection(
    _ range: Range<Int>, of bytes: [UInt8], to content: inout [UInt8]
  ) {
    var wasReturn = false
    for byte in bytes[range] {
      if byte == UInt8(ascii: "\n"), wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = byte == UInt8(ascii: "\r")
      content.append(wasReturn ? UInt8(ascii: "\n") : byte)
    }
  }

  private static func scalar(of reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: reference, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.hasPrefix("#x"): return number(text.dropFirst(2), radix: 16)
    case let text where text.hasPrefix("#"): return number(text.dropFirst(), radix: 10)
    default: return nil
    }
  }

  private static func number(_ digits: Substring, radix: Int) -> Unicode.Scalar? {
    // `UInt32` would accept a sign.
    guard digits.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init)
  }
}
