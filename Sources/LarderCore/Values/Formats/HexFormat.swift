extension ValueFormat {
  /// Bytes in hexadecimal digits, sixteen a line or as many as fit, with the text that they are
  /// beside them.
  static let hex = ValueFormat(
    name: "hex",
    suits: { value in
      switch value {
      case .data(let bytes): bytes.looksLikeText ? 1 : 3
      case .malformedText: 3
      case .text: 1
      default: 0
      }
    },
    lines: { value, limit, width in
      let perLine = bytesPerLine(width)
      return switch value {
      case .data(let bytes), .malformedText(let bytes):
        dump(bytes, limit: limit, perLine: perLine)
      case .text(let text):
        dump(
          text.utf8.prefix(limit * perLine), limit: limit, perLine: perLine,
          whole: text.utf8.count)
      default: []
      }
    })

  /// The lines of a hexadecimal dump of bytes, which may be the first of many.
  package static func dump(
    _ bytes: some Collection<UInt8>, limit: Int, perLine: Int = 16, whole: Int? = nil
  ) -> [ValueLine] {
    let whole = whole ?? bytes.count
    let bytes = Array(bytes.prefix(limit * perLine))
    var lines = stride(from: 0, to: bytes.count, by: perLine).map { start in
      line(bytes[start..<min(start + perLine, bytes.count)], at: start, perLine: perLine)
    }
    if whole > bytes.count {
      lines.append(.cut(whole - bytes.count, of: whole, unit: "bytes"))
    }
    return lines
  }

  /// How many bytes fit on a line, with offset, digits and text.
  private static func bytesPerLine(_ width: Int) -> Int {
    [16, 8].first { width >= 12 + $0 * 4 } ?? 4
  }

  private static func line(
    _ bytes: ArraySlice<UInt8>, at offset: Int, perLine: Int
  ) -> ValueLine {
    var digits = ""
    var text = ""
    for (column, byte) in bytes.enumerated() {
      digits += padded(String(byte, radix: 16), to: 2) + (column == 7 && perLine > 8 ? "  " : " ")
      text.append(
        byte >= 0x20 && byte < 0x7F ? Character(Unicode.Scalar(byte)) : "·")
    }
    let missing = perLine - bytes.count
    digits += String(
      repeating: " ", count: missing * 3 + (bytes.count < 8 && perLine > 8 ? 1 : 0))
    return ValueLine([
      .init(padded(String(offset, radix: 16), to: 8) + "  ", .name), .init(digits + " ", .data),
      .init(text, .text),
    ])
  }

  private static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
