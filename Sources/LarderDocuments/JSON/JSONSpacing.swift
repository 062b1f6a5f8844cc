import LarderModel

/// Normalization of the whitespace between JSON tokens, for searching.
package enum JSONSpacing {
  /// The two common spellings of an object or an array.
  package struct Forms {
    /// Without whitespace: `{"a":1,"b":2}`.
    package fileprivate(set) var compact: [UInt8] = []
    /// With a space after each colon and comma: `{"a": 1, "b": 2}`.
    package fileprivate(set) var spaced: [UInt8] = []
  }

  /// Returns the normalized forms of a text.
  ///
  /// - Parameter text: The bytes of the text.
  /// - Returns: The forms, which differ from the text only in whitespace; nil if the text is not a
  ///   JSON object or array according to RFC 8259.
  package static func forms(of text: UnsafeRawBufferPointer) -> Forms? {
    guard let first = text.first(where: { !isSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    let bytes = Array(text)
    var scanner = JSONScanner(bytes, isLenient: false)
    guard (try? scanner.skipValue()) != nil, (try? scanner.skipSpace()) != nil,
      scanner.next == nil
    else { return nil }
    var forms = Forms()
    forms.compact.reserveCapacity(bytes.count)
    forms.spaced.reserveCapacity(bytes.count + bytes.count / 8)
    var isText = false
    var isEscaped = false
    for byte in bytes {
      if !isText, isSpace(byte) { continue }
      forms.compact.append(byte)
      forms.spaced.append(byte)
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",") {
        forms.spaced.append(UInt8(ascii: " "))
      }
    }
    return forms
  }

  /// Whether a search for a text can fail because of whitespace between tokens.
  ///
  /// - Parameter text: The text to search for.
  /// - Returns: Whether it contains JSON punctuation and is not just a key such as `user:42`; false
  ///   for punctuation alone, which occurs in every document, so that each would have to be parsed.
  package static func matters(to text: String) -> Bool {
    guard !longestPiece(of: text).isEmpty else { return false }
    return text.utf8.contains { "{}[],".utf8.contains($0) }
      || text.utf8.contains(UInt8(ascii: "\"")) && text.utf8.contains(UInt8(ascii: ":"))
  }

  /// Returns the longest piece of a text that whitespace between tokens cannot split.
  package static func longestPiece(of text: String) -> Substring {
    text.split { "{}[]:, \t\r\n".contains($0) }.max { $0.utf8.count < $1.utf8.count } ?? ""
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
