package import LarderModel

extension ValueFormat {
  /// The columns of a row or the members of a collection, one per line.
  package static let record = ValueFormat(
    name: "record", shows: "rows, and values with members",
    suits: { value in
      switch value {
      case .record: 5
      case .dictionary: 3
      case .array: 2
      default: 0
      }
    },
    lines: { value, limit, _ in
      switch value {
      case .record(let fields), .dictionary(let fields):
        fieldLines(fields.map { ($0.name, $0.value) }, limit: limit)
      case .array(let values):
        fieldLines(values.enumerated().map { (String($0.offset), $0.element) }, limit: limit)
      default: []
      }
    },
    compared: { value in
      switch value {
      case .record(let fields), .dictionary(let fields): .fields(fields)
      case .array(let values):
        .fields(values.enumerated().map { .init(String($0.offset), $0.element) })
      default: .fields([])
      }
    })

  /// The maximum number of bytes of a column on its line.
  private static let maximumLine = 2_048

  private static func fieldLines(
    _ fields: [(name: String, value: StoredValue)], limit: Int
  ) -> [ValueLine] {
    var lines = fields.prefix(limit).enumerated().map { index, field in
      var line = line(of: field.name, field.value)
      line.field = index
      return line
    }
    if fields.count > limit {
      lines.append(.cut(fields.count - limit, of: fields.count, unit: "fields"))
    }
    return lines
  }

  /// Returns a column or member on one line, with its value truncated if it is long.
  package static func line(of name: String, _ value: StoredValue) -> ValueLine {
    var line = ValueLine([.init(name, .name), .init("  "), summary(of: value)])
    if let note = ValueNote.text(of: value) { line.parts.append(.init("  " + note, .note)) }
    return line
  }

  /// Returns a value on one line, truncated with an ellipsis.
  package static func summary(of value: StoredValue) -> ValueLine.Part {
    switch value {
    case .null: .init("null", .null)
    case .text(let text), .url(let text): .init(head(of: text.utf8), .text)
    case .malformedText(let bytes): .init(head(of: bytes), .text)
    case .data(let bytes):
      .init(DecodedValue.bytes(bytes.count) + "  " + head(ofData: bytes), .data)
    case .array(let values): .init(head(of: JSONText.encode(.array(values)).utf8), .plain)
    case .dictionary, .record: .init(head(of: JSONText.encode(value).utf8), .plain)
    default: .init(ValueText.text(of: value), value.type.role)
    }
  }

  /// Returns the start of the data, as text if it is text and as hex digits otherwise.
  private static func head(ofData bytes: [UInt8]) -> String {
    let isText =
      bytes.count > maximumLine ? bytes.looksLikeText : bytes.plainText != nil
    if isText { return head(of: bytes) }
    return EntryKey.hex(Array(bytes.prefix(32))) + (bytes.count > 32 ? "…" : "")
  }

  private static func head(of bytes: some Collection<UInt8>) -> String {
    let head = String(lossy: bytes.textPrefix(maximumLine))
    return bytes.count > maximumLine ? head + "… (\(DecodedValue.bytes(bytes.count)))" : head
  }
}
