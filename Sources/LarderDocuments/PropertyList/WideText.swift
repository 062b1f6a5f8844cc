/// Decoding of UTF-16, in which some programs write property lists.
enum WideText {
  /// Converts the text of a file to UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file, or their start.
  ///   - isWhole: Whether `bytes` is the whole file; otherwise an incomplete character at the end
  ///     is ignored.
  /// - Returns: The text without a byte order mark; nil if the file does not start like UTF-16.
  /// - Throws: ``DocumentError`` if the text is truncated or contains an unpaired surrogate.
  static func decoded(_ bytes: [UInt8], isWhole: Bool = true) throws(DocumentError) -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let isLittle: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): isLittle = true
    case (0xFE, 0xFF): isLittle = false
    // Without a byte order mark, UTF-16 is only recognizable by an ASCII character at the start.
    case (1...0x7F, 0): isLittle = true
    case (0, 1...0x7F): isLittle = false
    default: return nil
    }
    if isWhole, bytes.count % 2 != 0 {
      throw DocumentError.truncatedUTF16
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var decoder = UTF16()
    var units = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).lazy.map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }.makeIterator()
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): text += UTF8.encode(scalar).map { Array($0) } ?? []
      case .emptyInput: return text
      case .error:
        guard isWhole else { return text }
        throw DocumentError.invalidUTF16
      }
    }
  }

  /// Blanks out the XML declaration, whose encoding no longer applies.
  static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
    guard text.starts(with: "<?xml".utf8),
      let end = text.range(of: ("?>" as StaticString).bytes, from: 0)
    else { return text }
    // Replacing by spaces preserves line numbers and offsets.
    var text = text
    for place in text.indices.prefix(end + 2) where text[place] != UInt8(ascii: "\n") {
      text[place] = UInt8(ascii: " ")
    }
    return text
  }
}
