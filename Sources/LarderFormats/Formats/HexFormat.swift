package import LarderModel

extension ValueFormat {
  /// A hex dump with a text column: sixteen bytes per line, or as many as fit.
  package static let hex = ValueFormat(
    name: "hex", shows: "text and bytes",
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
    },
    rows: { value, width in
      var content = ValueContent(.bytes(HexRows(bytes(of: value), width: width)))
      if case .data = value, let note = ValueNote.text(of: value) {
        content.head = [ValueLine([.init(note, .note)])]
      }
      return content
    },
    compared: { .bytes(bytes(of: $0)) })

  /// Returns the bytes of a string or data value.
  package static func bytes(of value: StoredValue) -> [UInt8] {
    switch value {
    case .data(let bytes), .malformedText(let bytes): bytes
    case .text(let text), .url(let text), .number(let text): Array(text.utf8)
    default: []
    }
  }

  /// Returns the lines of a hex dump, whose bytes may be the prefix of a longer value.
  package static func dump(
    _ bytes: some Collection<UInt8>, limit: Int, perLine: Int = 16, whole: Int? = nil
  ) -> [ValueLine] {
    let whole = whole ?? bytes.count
    let bytes = Array(bytes.prefix(limit * perLine))
    var lines = stride(from: 0, to: bytes.count, by: perLine).map { start in
      hexLine(bytes[start..<min(start + perLine, bytes.count)], at: start, perLine: perLine)
    }
    if whole > bytes.count {
      lines.append(.cut(whole - bytes.count, of: whole, unit: "bytes"))
    }
    return lines
  }

  /// Returns the number of bytes per line that fit beside the offset, in hex and as text.
  package static func bytesPerLine(_ width: Int) -> Int {
    [16, 8, 4, 2].first { width >= 12 + $0 * 4 } ?? 1
  }

  /// Returns a row of a hex dump: the offset, the hex digits and the text.
  package static func hexLine(
    _ bytes: ArraySlice<UInt8>, at offset: Int, perLine: Int,
    marks: [Int: ValueLine.Mark] = [:]
  ) -> ValueLine {
    var line = ValueLine([.init(padded(String(offset, radix: 16), to: 8) + "  ", .name)])
    for (column, byte) in bytes.enumerated() {
      let gap = column == 7 && perLine > 8 ? "  " : " "
      line.append(padded(String(byte, radix: 16), to: 2), .data, mark: marks[offset + column])
      line.append(gap, .data)
    }
    let missing = perLine - bytes.count
    line.append(
      String(repeating: " ", count: missing * 3 + (bytes.count < 8 && perLine > 8 ? 1 : 0)) + " ",
      .data)
    for (column, byte) in bytes.enumerated() {
      let character = byte >= 0x20 && byte < 0x7F ? Character(Unicode.Scalar(byte)) : "·"
      line.append(String(character), .text, mark: marks[offset + column])
    }
    return line
  }

  private static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
