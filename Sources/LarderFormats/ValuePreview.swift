package import LarderModel

/// A value on one line of a list: what it is in a word, and its beginning.
package struct ValuePreview: Sendable, Equatable {
  /// What the value is: the format that it is in where that says more than its type.
  package var kind: String
  /// The beginning of the value, in which no line ends.
  package var text: String

  /// The maximum number of letters of a preview.
  package static let maximumLength = 200

  /// Looks at a value, as far as a line needs.
  package init(_ value: StoredValue) {
    kind = Self.kind(of: value)
    if kind == ValueFormat.image.name, case .data(let bytes) = value,
      let facts = ImageFacts(of: bytes)?.lines.first
    {
      text = facts
    } else {
      text = Self.text(of: value, isOpaque: kind == Self.bytes || kind == "gzip" || kind == "zlib")
    }
  }

  private static let bytes = "bytes"

  private static func kind(of value: StoredValue) -> String {
    switch value {
    case .text, .data:
      // Base64 is what many words look like, too.
      let formats = ValueFormat.all.filter { $0.name != ValueFormat.base64.name }
      guard let format = ValueFormat.suitable(for: value, among: formats).first else {
        return value.type == .text ? StoredType.text.rawValue : bytes
      }
      return format.name == ValueFormat.hex.name ? bytes : format.name
    case .malformedText: return bytes
    default: return kind(of: value.type)
    }
  }

  /// What values of a type are, in few letters.
  package static func kind(of type: StoredType) -> String {
    switch type {
    case .data: bytes
    case .integer: "int"
    case .dictionary: "dict"
    default: type.rawValue
    }
  }

  /// The beginning of a value, as it stands in a column of its own.
  package static func line(of value: StoredValue) -> String { text(of: value, isOpaque: false) }

  private static func text(of value: StoredValue, isOpaque: Bool) -> String {
    switch value {
    case .null: return "null"
    case .data(let bytes) where isOpaque || bytes.plainText == nil, .malformedText(let bytes):
      // Long ones have a line for each sixteen bytes.
      return onOneLine(ValueText.spacedHex(Array(bytes.prefix(32))))
    case .record(let fields):
      var line = ""
      // A table may have thousands of columns, of which a line shows the first.
      for field in fields where line.count <= maximumLength {
        line +=
          (line.isEmpty ? "" : " · ") + field.name + " " + text(of: field.value, isOpaque: false)
      }
      return onOneLine(line)
    case .array, .dictionary: return onOneLine(JSONText.encode(value, isIndented: false))
    default: return onOneLine(ValueText.text(of: value))
    }
  }

  /// The beginning of a text, with one space for each run of spaces and ends of lines.
  private static func onOneLine(_ text: String) -> String {
    var line = ""
    var isSpace = false
    var count = 0
    for character in text {
      guard count < maximumLength else { return line + "…" }
      if character.isWhitespace {
        isSpace = count > 0
        continue
      }
      if isSpace { line.append(" ") }
      isSpace = false
      line.append(character)
      count += 1
    }
    return line
  }
}
