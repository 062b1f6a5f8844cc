import LarderModel

/// The prolog of an XML text, before its first element.
package enum XMLProlog {
  /// Returns a cursor at the start of a file.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Returns: A cursor, positioned after any byte order mark.
  /// - Throws: ``DocumentError`` if the file is not in UTF-8.
  package static func cursor(_ bytes: [UInt8]) throws(DocumentError) -> XMLCursor {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0x3C, 0x00]) || bytes.starts(with: [0x00, 0x3C])
    {
      throw DocumentError.utf16
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    try checkEncoding(of: bytes, from: start)
    if !bytes.isUTF8 { throw DocumentError.invalidXML }
    return XMLCursor(bytes, at: start)
  }

  /// Throws if the declared encoding is not UTF-8, in which case non-ASCII bytes would be misread.
  private static func checkEncoding(of bytes: [UInt8], from start: Int) throws(DocumentError) {
    guard bytes[start...].starts(with: "<?xml".utf8) else { return }
    var tokenizer = XMLTokenizer(bytes, at: start)
    guard let declaration = try tokenizer.next() else { return }
    var tag = XMLTag(bytes, at: declaration.content.lowerBound + 3)
    while tag.place < declaration.content.upperBound, let attribute = try? tag.attribute() {
      guard bytes.matches(attribute.name, "encoding") else { continue }
      let name = String(decoding: bytes[attribute.value], as: UTF8.self).lowercased()
      guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
        throw DocumentError.foreignXML
      }
    }
  }

  /// Checks that only comments follow the root element.
  package static func checkEnd(_ cursor: XMLCursor) throws(DocumentError) {
    var cursor = cursor
    if let tag = try cursor.tag() {
      throw cursor.failure(.trailingText, at: tag.range.lowerBound)
    }
  }
}

extension [UInt8] {
  /// Whether the bytes are valid UTF-8.
  fileprivate var isUTF8: Bool {
    // Validating in blocks avoids a copy of the whole; blocks end at scalar boundaries.
    var rest = self[...]
    while !rest.isEmpty {
      let block = rest.textPrefix(1 << 16)
      guard String(validating: block, as: UTF8.self) != nil else { return false }
      rest = rest[block.endIndex...]
    }
    return true
  }
}
