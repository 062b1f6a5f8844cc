import Foundation
package import LarderModel

/// A preview of a value on one line of a list: its kind and the start of its text.
package struct ValuePreview: Sendable, Equatable {
  /// The value's format where it is more specific than the type, and the type otherwise.
  package var kind: String
  /// The start of the value, without line breaks.
  package var text: String

  /// The maximum number of characters of a preview.
  package static let maximumLength = 200

  /// Creates a preview, reading only as much of the value as a line needs.
  package init(_ value: StoredValue) {
    kind = Self.kind(of: value)
    if kind == ValueFormat.image.name, case .data(let bytes) = value,
      let facts = ImageFacts(of: bytes)?.lines.first
    {
      text = facts
    } else {
      let shown = ValueFormat.named(kind)?.preview(value) ?? value
      text = Self.text(of: shown, isOpaque: kind == Self.bytes || Codec(rawValue: kind) != nil)
    }
  }

  private static let bytes = "bytes"

  private static func kind(of value: StoredValue) -> String {
    switch value {
    case .text, .data:
      // Many plain words are valid base64 too.
      let formats = ValueFormat.all.filter { $0.name != ValueFormat.base64.name }
      guard let format = ValueFormat.suitable(for: value, among: formats).first else {
        return value.type == .text ? StoredType.text.rawValue : bytes
      }
      return format.name == ValueFormat.hex.name ? bytes : format.name
    case .malformedText: return bytes
    default: return kind(of: value.type)
    }
  }

  /// Returns a short name for a type.
  package static func kind(of type: StoredType) -> String {
    switch type {
    case .data: bytes
    case .integer: "int"
    case .dictionary: "dict"
    default: type.rawValue
    }
  }

  /// Returns the start of a value for a column of its own.
  package static func line(of value: StoredValue) -> String { text(of: value, isOpaque: false) }

  private static func text(of value: StoredValue, isOpaque: Bool) -> String {
    switch value {
    case .null: return "null"
    case .data(let bytes) where isOpaque || bytes.plainText == nil, .malformedText(let bytes):
      if !isOpaque, case .data = value, let uuid = UUID(versionedBytes: bytes) {
        return uuid.uuidString
      }
      // The hex text has line breaks after every sixteen bytes.
      return onOneLine(ValueText.spacedHex(Array(bytes.prefix(32))))
    case .record(let fields):
      var line = ""
      // A table can have thousands of columns, so only the first are included.
      for field in fields where line.count <= maximumLength {
        line +=
          (line.isEmpty ? "" : " · ") + field.name + " " + text(of: field.value, isOpaque: false)
      }
      return onOneLine(line)
    case .array, .dictionary: return onOneLine(JSONText.encode(value, isIndented: false))
    default: return onOneLine(ValueText.text(of: value))
    }
  }

  /// Returns the start of a text, with each run of white space replaced by one space.
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
