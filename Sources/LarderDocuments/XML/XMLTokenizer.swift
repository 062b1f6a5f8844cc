import LarderModel

/// Splits an XML text into tokens on demand, without storing them.
///
/// Each byte belongs to exactly one token. The declarations of a DOCTYPE are skipped and never
/// expanded. ``XMLCursor`` checks that tags match.
package struct XMLTokenizer: Sendable {
  /// The whole text.
  package let bytes: [UInt8]
  /// The offset of the next token.
  package private(set) var place: Int

  /// Creates a tokenizer at an offset, which must be the start of a token.
  package init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = max(0, place)
  }

  /// Reads the next token.
  ///
  /// - Returns: The token, or nil at the end of the text.
  /// - Throws: ``DocumentError`` with the position of malformed XML.
  package mutating func next() throws(DocumentError) -> XMLToken? {
    guard place < bytes.count else { return nil }
    let token =
      if bytes[place] != UInt8(ascii: "<") {
        text()
      } else if starts(with: "<!--") {
        try piece(.comment, from: "<!--", to: "-->")
      } else if starts(with: "<![CDATA[") {
        try piece(.section, from: "<![CDATA[", to: "]]>")
      } else if starts(with: "<?") {
        try piece(.instruction, from: "<?", to: "?>")
      } else if starts(with: "<!DOCTYPE") {
        try doctype()
      } else if starts(with: "</") {
        try closingTag()
      } else {
        try tag()
      }
    place = token.range.upperBound
    return token
  }

  private func starts(with prefix: StaticString) -> Bool {
    bytes[place...].starts(with: prefix.bytes)
  }

  private func text() -> XMLToken {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return XMLToken(kind: .text, range: place..<end, content: place..<end)
  }

  private func piece(
    _ kind: XMLToken.Kind, from start: StaticString, to end: StaticString
  ) throws(DocumentError) -> XMLToken {
    let first = place + start.utf8CodeUnitCount
    guard let last = bytes.range(of: end.bytes, from: first) else {
      throw .xml(.openMarkup, in: bytes, at: place)
    }
    return XMLToken(
      kind: kind, range: place..<last + end.utf8CodeUnitCount, content: first..<last)
  }

  /// Reads a DOCTYPE, which may contain declarations in brackets and brackets in quoted text.
  private func doctype() throws(DocumentError) -> XMLToken {
    var depth = 0
    var quote: UInt8?
    for (index, byte) in zip(place..., bytes[place...]) {
      switch byte {
      case _ where quote != nil: if byte == quote { quote = nil }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"):
        depth -= 1
        guard depth <= 0 else { continue }
        return XMLToken(
          kind: .doctype, range: place..<index + 1,
          content: min(place + 9, index)..<index)
      default: break
      }
    }
    throw .xml(.openDoctype, in: bytes, at: place)
  }

  private func closingTag() throws(DocumentError) -> XMLToken {
    var tag = XMLTag(bytes, at: place + 2)
    let name = try tag.name()
    tag.skipSpace()
    guard tag.next == UInt8(ascii: ">") else {
      throw .xml(.malformedTag, in: bytes, at: tag.place)
    }
    return XMLToken(kind: .close, range: place..<tag.place + 1, content: name)
  }

  private func tag() throws(DocumentError) -> XMLToken {
    var tag = XMLTag(bytes, at: place + 1)
    let name = try tag.name()
    while try tag.attribute() != nil {}
    let isEmpty = tag.next == UInt8(ascii: "/")
    if isEmpty { tag.place += 1 }
    guard tag.next == UInt8(ascii: ">") else {
      throw .xml(.malformedTag, in: bytes, at: tag.place)
    }
    return XMLToken(
      kind: isEmpty ? .empty : .open, range: place..<tag.place + 1, content: name)
  }
}
