import LarderModel
import LarderFormats
import Foundation

/// A line of a compared value, with its displayed text and its full content.
///
/// Lines are equal if their full contents are, even if they are too long to be displayed.
struct ComparedLine: Sendable {
  /// The displayed text.
  let text: String
  /// The bytes of the line, or of the name if the line is a column.
  let bytes: ArraySlice<UInt8>
  /// The value on the line, if the bytes do not determine it.
  var value: StoredValue?

  /// Creates a line from bytes without the line feed, displaying at most `maximum` bytes.
  init(_ bytes: ArraySlice<UInt8>, showing maximum: Int) {
    self.bytes = bytes
    text = Self.cut(bytes, to: maximum)
  }

  /// Creates a line with the text of a value or a part of it.
  init(_ whole: String, _ value: StoredValue? = nil, showing maximum: Int) {
    bytes = Array(whole.utf8)[...]
    // Dates within the same displayed time, and different NaNs, have the same text.
    switch value {
    case .date, .real: self.value = value
    default: self.value = nil
    }
    text = bytes.count > maximum ? Self.cut(bytes, to: maximum) : whole
  }

  /// Creates a line for a column or member.
  init(_ field: StoredValue.Field) {
    bytes = Array(field.name.utf8)[...]
    value = field.value
    text = ValueFormat.line(of: field.name, field.value).text
  }

  private static func cut(_ bytes: ArraySlice<UInt8>, to maximum: Int) -> String {
    let head = String(lossy: bytes.textPrefix(maximum), keepsReturn: true)
    return bytes.count > maximum ? Messages.cutLine(head, bytes: bytes.count) : head
  }

  /// The displayed text without a carriage return at its end.
  var textWithoutReturn: String {
    text.unicodeScalars.last == "\r"
      ? String(String.UnicodeScalarView(text.unicodeScalars.dropLast())) : text
  }

  /// Returns the length in bytes of the common prefix with another line, based on their values if
  /// they have any.
  func commonBytes(with other: Self) -> Int {
    func contents(_ line: Self) -> ArraySlice<UInt8> {
      guard let value = line.value else { return line.bytes }
      switch value {
      case .text, .url, .data, .malformedText: return ValueFormat.bytes(of: value)[...]
      default: return Array(JSONText.encode(value).utf8)[...]
      }
    }
    return zip(contents(self), contents(other)).prefix { $0 == $1 }.count
  }
}

extension ComparedLine: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    guard left.bytes.count == right.bytes.count, left.value == right.value else { return false }
    return left.bytes.withUnsafeBytes { bytes in
      right.bytes.withUnsafeBytes { other in
        guard let start = bytes.baseAddress, let begin = other.baseAddress else { return true }
        return memcmp(start, begin, bytes.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(value)
  }
}
