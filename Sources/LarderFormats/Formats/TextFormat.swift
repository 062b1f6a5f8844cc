import LarderModel

extension ValueFormat {
  /// Plain text: strings verbatim, scalars as written, and bytes if they are text.
  package static let text = ValueFormat(
    name: "text", shows: "text, bytes and single values",
    suits: { value in
      switch value {
      case .record, .array, .dictionary: 0
      case .data(let bytes): bytes.looksLikeText ? 2 : 1
      case .malformedText: 2
      default: 3
      }
    },
    lines: { value, limit, _ in
      switch value {
      case .text(let text), .url(let text): textLines(text.utf8, limit: limit)
      case .malformedText(let bytes): textLines(bytes, limit: limit)
      case .data(let bytes): textLines(bytes, limit: limit)
      case .null: [ValueLine([.init("null", .null)])]
      default: [ValueLine([.init(ValueText.text(of: value), value.type.role)])]
      }
    },
    rows: { value, width in
      let note = ValueNote.text(of: value)
      switch value {
      case .text, .url, .malformedText, .data:
        return ValueContent(.text(TextRows(bytes(of: value), width: width, note: note)))
      default:
        var line = ValueLine([
          value == .null
            ? .init("null", .null) : .init(ValueText.text(of: value), value.type.role)
        ])
        if let note { line.parts.append(.init("  " + note, .note)) }
        return ValueContent(.lines(RowBreaker(width: width).rows(of: line)))
      }
    },
    compared: { value in
      switch value {
      case .text, .url, .malformedText, .data: .text(bytes(of: value))
      default: .scalar(value)
      }
    })

  /// Splits text into lines, decoding only the visible part.
  private static func textLines(_ bytes: some Collection<UInt8>, limit: Int) -> [ValueLine] {
    let whole = bytes.count
    let shown = bytes.textPrefix(maximumText)
    var lines: [ValueLine] = []
    var used = 0
    for line in shown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard lines.count < limit else { break }
      lines.append(ValueLine([.init(String(lossy: line), .text)]))
      used += line.count + 1
    }
    // The last line has no trailing line feed.
    let left = whole - min(used, shown.count)
    if left > 0 { lines.append(.cut(left, of: whole, unit: "bytes")) }
    return lines
  }
}

extension String {
  /// Decodes UTF-8, writing invalid bytes as `\xff`, and drops a final carriage return unless
  /// `keepsReturn` is true.
  package init(lossy bytes: some Collection<UInt8>, keepsReturn: Bool = false) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self = ""
      var decoder = UTF8()
      var start = bytes.startIndex
      while start < bytes.endIndex {
        var rest = bytes[start...].makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&rest) {
          unicodeScalars.append(scalar)
          start = bytes.index(start, offsetBy: UTF8.width(scalar))
        } else {
          let digits = String(bytes[start], radix: 16)
          self += "\\x" + (digits.count == 1 ? "0" : "") + digits
          start = bytes.index(after: start)
        }
        decoder = UTF8()
      }
    }
    if !keepsReturn, hasSuffix("\r") { removeLast() }
  }
}

extension [UInt8] {
  /// The bytes as UTF-8 text, or nil if they are invalid or contain control characters other than
  /// tabs and line breaks.
  package var plainText: String? {
    var last: UInt8 = 0
    for byte in self {
      switch byte {
      case 0x09, 0x0A, 0x0D: break
      case ..<0x20, 0x7F: return nil
      // The C1 control characters, U+0080 to U+009F.
      case 0x80..<0xA0 where last == 0xC2: return nil
      default: break
      }
      last = byte
    }
    return String(validating: self, as: UTF8.self)
  }

  /// Whether the first bytes are UTF-8 without unusual control characters.
  package var looksLikeText: Bool {
    let head = prefix(4096)
    guard
      !head.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x1B })
    else { return false }
    // A scalar may be cut off at the end of the sample.
    for cut in 0...Swift.min(3, head.count) where count > head.count || cut == 0 {
      if String(validating: head.dropLast(cut), as: UTF8.self) != nil { return true }
    }
    return false
  }
}
