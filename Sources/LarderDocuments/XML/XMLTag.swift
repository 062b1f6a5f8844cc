import LarderModel

/// Parses the name and the attributes of a tag.
struct XMLTag {
  private let bytes: [UInt8]
  /// The current offset.
  var place: Int

  /// Creates a parser at an offset inside a tag.
  init(_ bytes: [UInt8], at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// Returns the attributes of a tag.
  ///
  /// - Parameters:
  ///   - token: A tag that opens an element, as found by the tokenizer.
  ///   - bytes: The whole text.
  /// - Returns: The attributes in text order.
  static func attributes(of token: XMLToken, in bytes: [UInt8]) -> [XMLAttribute] {
    var tag = XMLTag(bytes, at: token.content.upperBound)
    var attributes: [XMLAttribute] = []
    // The tokenizer has already validated the tag.
    while let attribute = try? tag.attribute() { attributes.append(attribute) }
    return attributes
  }

  /// The byte at the current offset, or nil at the end.
  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Skips whitespace.
  mutating func skipSpace() {
    while let byte = next, byte.isXMLSpace { place += 1 }
  }

  /// Parses a name and returns its range.
  mutating func name() throws(DocumentError) -> Range<Int> {
    let start = place
    while let byte = next, Self.isInName(byte) { place += 1 }
    guard start < place, let first = bytes[start...].first, !Self.isOnlyLater(first) else {
      throw .xml(.tagNameExpected, in: bytes, at: start)
    }
    return start..<place
  }

  /// Parses the next attribute.
  ///
  /// - Returns: The attribute, or nil at the end of the tag.
  mutating func attribute() throws(DocumentError) -> XMLAttribute? {
    let end = place
    skipSpace()
    guard let byte = next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else { return nil }
    guard place > end else { throw .xml(.missingSpace, in: bytes, at: place) }
    let name = try name()
    skipSpace()
    guard next == UInt8(ascii: "=") else {
      throw .xml(.missingAttribute, in: bytes, at: place)
    }
    place += 1
    skipSpace()
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw .xml(.missingQuote, in: bytes, at: place)
    }
    let start = place + 1
    guard
      let length = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }),
      bytes[length] == quote
    else { throw .xml(.openAttribute, in: bytes, at: start) }
    place = length + 1
    return XMLAttribute(name: name, value: start..<length)
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    case UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  private static func isOnlyLater(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
}
