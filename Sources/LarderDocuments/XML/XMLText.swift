import LarderModel

/// Conversion between characters and their XML representation.
package enum XMLText {
  /// Resolves text or an attribute value and appends the result as UTF-8.
  ///
  /// Accepts XML's five named references and numeric references; any other name is an error. Two
  /// numeric references that form a surrogate pair, as Java writes them, become one character; an
  /// unpaired surrogate becomes the three bytes that UTF-8 would use for its code point. Line ends
  /// are normalized to line feeds.
  ///
  /// - Parameters:
  ///   - range: The range of the characters.
  ///   - bytes: The whole text.
  ///   - content: The buffer to append to.
  /// - Throws: ``DocumentError`` with the position of an invalid reference.
  package static func append(
    _ range: Range<Int>, of bytes: [UInt8], to content: inout [UInt8]
  ) throws(DocumentError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "&"):
        guard let (high, end) = reference(at: place, before: range.upperBound, in: bytes) else {
          throw .xml(.unknownReference, in: bytes, at: place - 1)
        }
        place = end
        var code = high
        if 0xD800..<0xDC00 ~= high, place < range.upperBound, bytes[place] == UInt8(ascii: "&"),
          let (low, end) = reference(at: place + 1, before: range.upperBound, in: bytes),
          0xDC00..<0xE000 ~= low
        {
          code = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
          place = end
        }
        if let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar) {
          content.append(contentsOf: encoded)
        } else {
          content += [
            0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F),
          ]
        }
      case UInt8(ascii: "\r"):
        content.append(UInt8(ascii: "\n"))
        if place < range.upperBound, bytes[place] == UInt8(ascii: "\n") { place += 1 }
      default: content.append(byte)
      }
    }
  }

  /// Appends the characters of a CDATA section, in which references are not resolved.
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

  /// Returns the code point of the reference after a `&`, which may be a surrogate, and the end of
  /// the reference; nil if it is not valid in XML.
  private static func reference(
    at place: Int, before limit: Int, in bytes: [UInt8]
  ) -> (code: UInt32, end: Int)? {
    guard let end = bytes[place..<limit].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      return nil
    }
    let code: UInt32? =
      switch String(decoding: bytes[place..<end], as: UTF8.self) {
      case "amp": 0x26
      case "lt": 0x3C
      case "gt": 0x3E
      case "quot": 0x22
      case "apos": 0x27
      case let text where text.hasPrefix("#x"): number(text.dropFirst(2), radix: 16)
      case let text where text.hasPrefix("#"): number(text.dropFirst(), radix: 10)
      default: nil
      }
    return code.map { ($0, end + 1) }
  }

  private static func number(_ digits: Substring, radix: Int) -> UInt32? {
    // `UInt32` would accept a sign.
    guard digits.first?.isHexDigit == true, let code = UInt32(digits, radix: radix) else {
      return nil
    }
    return code <= 0x10FFFF ? code : nil
  }

  // MARK: Writing

  /// The context in which text is written.
  package enum Use {
    /// The text of a property list element, or a key.
    case propertyList, key
    /// Text in preferences, where Android writes tabs and line feeds as references; a name in
    /// double quotes; or a name in either kind of quotes.
    case preference, preferenceName, quotedName
  }

  /// Returns text with the necessary references.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - use: The context in which it is written.
  /// - Returns: The text, with references for markup characters and for characters that a reader
  ///   would normalize.
  /// - Throws: ``DocumentError`` if XML 1.0 cannot represent a character: readers would reject the
  ///   file.
  package static func escaped(_ text: String, _ use: Use) throws(DocumentError) -> String {
    let isList = use == .propertyList || use == .key
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where !isList: result += "&quot;"
      case "'" where use == .quotedName: result += "&#39;"
      case "\t" where !isList, "\n" where !isList, "\r":
        result += "&#\(scalar.value);"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
        let isName = use != .propertyList && use != .preference
        throw DocumentError.noXML(name, isName: isName, hasData: use == .propertyList)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Decodes a name.
  ///
  /// - Throws: ``DocumentError`` if it is not valid UTF-8, since a key with an unpaired surrogate
  ///   would be written as a different one.
  static func name(
    _ text: [UInt8], in bytes: [UInt8], at place: Int
  ) throws(DocumentError) -> String {
    guard let name = String(validating: text, as: UTF8.self) else {
      throw .xml(.surrogateInName, in: bytes, at: place)
    }
    return name
  }
}
