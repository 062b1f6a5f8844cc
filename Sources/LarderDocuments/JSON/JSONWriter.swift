import LarderModel

/// Writes new values in the style of the file.
struct JSONWriter {
  /// The layout.
  var style: JSONStyle
  /// Whether `NaN` and infinities may be written because the file already contains some.
  var allowsNonFinite: Bool
  /// The output so far.
  private(set) var bytes: [UInt8] = []

  /// Creates a writer with empty output.
  init(style: JSONStyle, allowsNonFinite: Bool) {
    self.style = style
    self.allowsNonFinite = allowsNonFinite
  }

  /// Writes the name of a member and the colon after it.
  mutating func write(name: String) {
    quote(name)
    bytes += style.colon
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - indent: The indentation of the line on which the value starts.
  /// - Throws: ``DocumentError`` if JSON cannot represent the value.
  mutating func write(
    _ value: StoredValue, indent: ArraySlice<UInt8>
  ) throws(DocumentError) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .real(let number): try write(number)
    case .number(let digits): try write(digits: digits)
    case .text(let text): quote(text)
    case .malformedText(let text): try write(malformed: text)
    case .array(let values):
      try write(list: values, "[", "]", indent: indent) {
        value, indent, writer throws(DocumentError) in
        try writer.write(value, indent: indent)
      }
    case .dictionary(let fields):
      try write(list: fields, "{", "}", indent: indent) {
        field, indent, writer throws(DocumentError) in
        writer.write(name: field.name)
        try writer.write(field.value, indent: indent)
      }
    case .data, .date, .url, .uuid, .record:
      throw DocumentError.notJSON(value.type)
    }
  }

  private mutating func write<Element>(
    list: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar, indent: ArraySlice<UInt8>,
    _ write: (Element, ArraySlice<UInt8>, inout JSONWriter) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    bytes.append(UInt8(ascii: open))
    let inner = indent + style.unit
    for (place, element) in list.enumerated() {
      if style.isMultiline {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += style.newline + inner
      } else if place > 0 {
        bytes += style.comma
      }
      try write(element, inner, &self)
    }
    if style.isMultiline, !list.isEmpty { bytes += style.newline + indent }
    bytes.append(UInt8(ascii: close))
  }

  private mutating func write(_ number: Double) throws(DocumentError) {
    if number.isFinite {
      bytes += number.description.utf8
      return
    }
    guard allowsNonFinite else {
      throw DocumentError.nonFinite(number)
    }
    bytes += (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity").utf8
  }

  private mutating func write(digits: String) throws(DocumentError) {
    var scanner = JSONScanner(Array(digits.utf8), isLenient: false)
    guard (try? scanner.number()) != nil, scanner.next == nil else {
      throw DocumentError.notANumber(digits)
    }
    bytes += digits.utf8
  }

  /// Writes a string that contains unpaired surrogates, as JSON escapes.
  private mutating func write(malformed text: [UInt8]) throws(DocumentError) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "\""))
    var rest = text[...]
    while let first = rest.first {
      let code = rest.prefix(3).map(UInt32.init)
      if first == 0xED, code.count == 3, 0xA0...0xBF ~= code[1], 0x80...0xBF ~= code[2] {
        let unit = 0xD000 | (code[1] & 0x3F) << 6 | (code[2] & 0x3F)
        bytes += "\\u\(String(unit, radix: 16))".utf8
        rest = rest.dropFirst(3)
      } else {
        escape(first)
        rest = rest.dropFirst()
      }
    }
    bytes.append(UInt8(ascii: "\""))
    var scanner = JSONScanner(Array(bytes[start...]), isLenient: true)
    // Other invalid bytes would make the whole file invalid UTF-8.
    let written = bytes[start...]
    guard String(validating: written, as: UTF8.self) != nil,
      let read = try? scanner.text(), read == text
    else { throw DocumentError.notUTF8JSON }
  }

  /// Writes a string in quotes, with only the necessary escapes.
  mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 { escape(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes += "\\\"".utf8
    case UInt8(ascii: "\\"): bytes += "\\\\".utf8
    case 0x08: bytes += "\\b".utf8
    case 0x09: bytes += "\\t".utf8
    case 0x0A: bytes += "\\n".utf8
    case 0x0C: bytes += "\\f".utf8
    case 0x0D: bytes += "\\r".utf8
    case 0..<0x20: bytes += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
    default: bytes.append(byte)
    }
  }
}
