/// How the text of XML is spelled, as far as that is not how larder would write it.
enum XMLSpelling {
  /// The pieces of text in a part of a file that a writer would spell otherwise.
  ///
  /// - Parameters:
  ///   - range: The place of an element.
  ///   - bytes: The whole text.
  ///   - usual: How the writer spells a text in an element of a name; nil where it has no form for it.
  /// - Returns: The pieces, each with its number; nil where there are none.
  static func unusual(
    _ range: Range<Int>, of bytes: [UInt8], usual: (String, XMLToken?) -> String?
  ) -> [UInt8]? {
    var tokenizer = XMLTokenizer(bytes, at: range.lowerBound)
    var spelling: [UInt8] = []
    var count = 0
    var element: XMLToken?
    while let token = try? tokenizer.next(), token.range.lowerBound < range.upperBound {
      if token.kind == .open { element = token }
      guard token.kind == .text || token.kind == .section else { continue }
      let piece = bytes[token.range]
      // What stands between elements is no part of their values.
      if token.kind == .text, piece.allSatisfy(\.isXMLSpace) { continue }
      var text: [UInt8] = []
      let isUsual =
        token.kind == .text && (try? XMLText.append(token.content, of: bytes, to: &text)) != nil
        && usual(String(decoding: text, as: UTF8.self), element)?.utf8.elementsEqual(piece) == true
      if !isUsual { spelling += "\(count):".utf8 + piece }
      count += 1
    }
    return spelling.isEmpty ? nil : spelling
  }
}
