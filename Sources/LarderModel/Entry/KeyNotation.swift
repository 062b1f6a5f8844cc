/// The notation of a store's keys.
public enum KeyStyle: Sendable, Hashable {
  /// All keys are text, even if they consist of digits, as in a folder or a property list.
  case text
  /// Keys have several types, and text that looks like another type is quoted.
  case typed
}

extension EntryKey {
  /// Returns the key as one line of text, which `init(notation:style:)` parses back to the same
  /// key.
  ///
  /// Text is written as is. It is quoted as in JSON if it contains control or direction characters,
  /// is empty, begins with a dash or a quote, or is ambiguous: `42` is a number and `"42"` the
  /// text, in stores that have both. Bytes are `x'0aff'`, malformed text is `t'ff41'`, null is
  /// `null`, and a key of several parts is `(eu,42)`.
  public func notation(_ style: KeyStyle) -> String {
    notation(style, isPart: false)
  }

  /// Parses a key from its notation; every string is a valid key.
  public init(notation: String, style: KeyStyle) {
    self = Self.parse(Substring(notation), style)
  }

  /// An ASCII string that is unique to the key, even among strings that Swift considers equal.
  package var cacheKey: String {
    notation(.typed).unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar.inASCII
    }
  }

  /// Returns the notation of a key, or of a part of one.
  package func notation(_ style: KeyStyle, isPart: Bool) -> String {
    switch self {
    case .null: "null"
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .bytes(let bytes): "x'\(Self.hex(bytes))'"
    case .malformedText(let bytes): "t'\(Self.hex(bytes))'"
    case .composite(let parts):
      "(" + parts.map { $0.notation(.typed, isPart: true) }.joined(separator: ",") + ")"
    case .text(let text):
      Self.needsQuotes(text, style, isPart: isPart) ? JSONText.quote(text) : text
    }
  }

  private static func needsQuotes(_ text: String, _ style: KeyStyle, isPart: Bool) -> Bool {
    // A key that begins with a dash would be taken for a command-line option.
    if text.isEmpty || text.utf8.first == UInt8(ascii: "-") { return true }
    // Text that begins with a quote would be parsed as quoted text.
    if text.utf8.first == UInt8(ascii: "\"") { return true }
    if !isPart, text.utf8.withContiguousStorageIfAvailable(isPlain) == true { return false }
    for scalar in text.unicodeScalars where scalar.isHostile { return true }
    if isPart && text.utf8.contains(where: { ",()\"".utf8.contains($0) }) { return true }
    if case .text(let read) = parse(Substring(text), style) {
      return !read.hasBytes(of: text)
    }
    return true
  }

  /// The maximum number of keys inside each other; text with more is text, not a key of parts.
  private static let maximumNesting = 64

  private static func parse(
    _ text: Substring, _ style: KeyStyle, level: Int = 0
  ) -> EntryKey {
    if text.utf8.first == UInt8(ascii: "\""), let content = unquoted(text) {
      return .text(content)
    }
    if let bytes = quotedHex(text, mark: "x") { return .bytes(bytes) }
    if let bytes = quotedHex(text, mark: "t") { return .malformedText(bytes) }
    guard style == .typed else { return .text(String(text)) }
    if text == "null" { return .null }
    if let number = Int64(text), String(number) == text { return .integer(number) }
    if let number = Double(text), number.description == text { return .real(number) }
    if level < maximumNesting, text.utf8.first == UInt8(ascii: "("),
      let parts = parts(of: text, level: level + 1)
    {
      return .composite(parts)
    }
    return .text(String(text))
  }

  /// Returns the parts of a composite key, or nil if the text is not one.
  private static func parts(of text: Substring, level: Int) -> [EntryKey]? {
    guard text.utf8.count >= 2, text.utf8.last == UInt8(ascii: ")") else { return nil }
    let inside = text.utf8.dropFirst().dropLast()
    if inside.isEmpty { return [] }
    var parts: [EntryKey] = []
    var start = inside.startIndex
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    var index = inside.startIndex
    while index < inside.endIndex {
      let byte = inside[index]
      if isQuoted {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: ",") where depth == 0:
          parts.append(parse(text[start..<index], .typed, level: level))
          start = inside.index(after: index)
        default: break
        }
        if depth < 0 { return nil }
      }
      index = inside.index(after: index)
    }
    guard depth == 0, !isQuoted else { return nil }
    parts.append(parse(text[start..<index], .typed, level: level))
    return parts
  }
}
