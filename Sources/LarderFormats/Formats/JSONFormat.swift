package import LarderModel

extension ValueFormat {
  /// Indented JSON, for structures and for text that contains a JSON object or array.
  package static let json = ValueFormat(
    name: "json", shows: "values with members, and JSON of up to 16 MiB",
    looksInside: true,
    suits: { value in
      switch value {
      case .array, .dictionary: 4
      case .record: 2
      case .text(let text): looksLikeJSON(text.utf8) ? scoreOfJSON : 0
      case .data(let bytes): looksLikeJSON(bytes) ? scoreOfJSON : 0
      default: 0
      }
    },
    lines: { value, limit, _ in
      var lines: [ValueLine] = []
      write(parsed(value)) { line, _ in
        let isCut = lines.count >= limit
        lines.append(isCut ? ValueLine([.init(Messages.restNotShown, .note)]) : line)
        return !isCut
      }
      return lines
    },
    rows: { value, width in ValueContent(.tree(ValueTree(parsed(value), width: width))) },
    compared: { .structure(parsed($0)) })

  /// The suitability score for text that contains a structure.
  static let scoreOfJSON = 4

  /// Returns the structure itself, or the one that the text contains.
  private static func parsed(_ value: StoredValue) -> StoredValue {
    switch value {
    case .text(let text): (try? JSONParser.parse(text.utf8, readsTypes: false)) ?? value
    case .data(let bytes): (try? JSONParser.parse(bytes, readsTypes: false)) ?? value
    default: value
    }
  }

  /// The maximum size, in bytes, of text that is parsed as JSON synchronously.
  private static let maximumJSON = 1 << 20

  /// The maximum size, in bytes, of text that is parsed as JSON in the background.
  static let maximumStructure = 16 << 20

  /// Whether the bytes are a complete JSON object or array that is small enough to parse
  /// synchronously.
  private static func looksLikeJSON(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= maximumJSON, beginsStructure(bytes) else { return false }
    return (try? JSONParser.parse(bytes)) != nil
  }

  /// Whether the first character after white space opens a JSON object or array.
  static func beginsStructure(_ bytes: some Collection<UInt8>) -> Bool {
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let first = bytes.first { !space.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Returns the structure in text or bytes, or nil if there is none or the search was canceled.
  package static func structure(
    in value: StoredValue, isCancelled: @escaping () -> Bool = { false }
  ) -> StoredValue? {
    let bytes: [UInt8]
    switch value {
    case .text, .data: bytes = Self.bytes(of: value)
    default: return nil
    }
    guard bytes.count <= maximumStructure, beginsStructure(bytes), !isCancelled() else {
      return nil
    }
    return try? JSONParser.parse(bytes, readsTypes: false, isCancelled: isCancelled)
  }

  /// Returns the part of a value that was valid JSON before the change and is invalid now: the
  /// whole value or a column, or nil if there is none.
  package static func brokenJSON(in value: StoredValue, after old: StoredValue?) -> ValuePart? {
    switch value {
    case .record(let fields):
      return fields.first { brokenJSON(in: $0.value, after: old?.field($0.name)) != nil }
        .map { ValuePart(column: $0.name) }
    case .text, .data, .malformedText:
      let bytes = bytes(of: value)
      guard let old, bytes.count <= maximumStructure, structure(in: old) != nil,
        (try? JSONParser.parse(bytes, readsTypes: false)) == nil
      else { return nil }
      return ValuePart()
    default: return nil
    }
  }

  /// Writes a structure line by line, each with the value that fits entirely on it.
  ///
  /// - Parameters:
  ///   - value: The structure.
  ///   - take: Receives a line and returns whether to continue.
  package static func write(_ value: StoredValue, to take: (ValueLine, StoredValue?) -> Bool) {
    _ = write(value, name: nil, level: 0, isLast: true, to: take)
  }

  private static func write(
    _ value: StoredValue, name: String?, level: Int, isLast: Bool,
    to take: (ValueLine, StoredValue?) -> Bool
  ) -> Bool {
    var head = [ValueLine.Part(String(repeating: "  ", count: level))]
    if let name { head += [.init(JSONText.quote(name), .name), .init(": ")] }
    let comma = isLast ? "" : ","
    let members: [(name: String?, value: StoredValue)]
    let brackets: (open: String, close: String)
    switch value {
    case .array(let values):
      members = values.map { (nil, $0) }
      brackets = ("[", "]")
    case .dictionary(let fields), .record(let fields):
      members = fields.map { ($0.name, $0.value) }
      brackets = ("{", "}")
    default:
      return take(
        ValueLine(head + [.init(JSONText.encode(value), value.type.role), .init(comma)]), value)
    }
    guard !members.isEmpty else {
      return take(ValueLine(head + [.init(brackets.open + brackets.close + comma)]), value)
    }
    guard take(ValueLine(head + [.init(brackets.open)]), nil) else { return false }
    for (index, member) in members.enumerated() {
      guard
        write(
          member.value, name: member.name, level: level + 1, isLast: index == members.count - 1,
          to: take)
      else { return false }
    }
    return take(
      ValueLine([.init(String(repeating: "  ", count: level) + brackets.close + comma)]), nil)
  }
}
