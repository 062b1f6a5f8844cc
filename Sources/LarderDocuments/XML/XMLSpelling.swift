/// Finds XML text that larder would spell differently.
enum XMLSpelling {
  /// Returns the text pieces in a part of a file that a writer would spell differently.
  ///
  /// - Parameters:
  ///   - range: The range of an element.
  ///   - bytes: The whole text.
  ///   - usual: Returns the writer's spelling of a text in an element, or nil if it cannot write
  ///     it.
  /// - Returns: The pieces, each with its index; nil if there are none.
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
      // Whitespace between elements is not part of their values.
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
