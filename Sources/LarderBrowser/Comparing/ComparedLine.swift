import LarderModel
import LarderFormats
import Foundation

/// A line of a value that is compared: what is shown of it, and all that it is.
///
/// Lines are the same where all of them is, also what is too long to be shown.
struct ComparedLine: Sendable {
  /// What is shown.
  let text: String
  /// The bytes of the line; of a column, those of its name.
  let bytes: ArraySlice<UInt8>
  /// The value on the line, where its bytes are not all of it.
  var value: StoredValue?

  /// A line of text, without its line feed, of which some bytes are shown.
  init(_ bytes: ArraySlice<UInt8>, showing maximum: Int) {
    self.bytes = bytes
    text = Self.cut(bytes, to: maximum)
  }

  /// A line that is text, for a value or a part of one.
  init(_ whole: String, _ value: StoredValue? = nil, showing maximum: Int) {
    bytes = Array(whole.utf8)[...]
    // The same text stands for dates that differ by less than it says, and for each NaN.
    switch value {
    case .date, .real: self.value = value
    default: self.value = nil
    }
    text = bytes.count > maximum ? Self.cut(bytes, to: maximum) : whole
  }

  /// A column or a member.
  init(_ field: StoredValue.Field) {
    bytes = Array(field.name.utf8)[...]
    value = field.value
    text = ValueFormat.line(of: field.name, field.value).text
  }

  private static func cut(_ bytes: ArraySlice<UInt8>, to maximum: Int) -> String {
    let head = String(lossy: bytes.textPrefix(maximum), keepsReturn: true)
    return bytes.count > maximum ? head + "… (\(bytes.count) bytes)" : head
  }

  /// The line as it is shown where the return at its end is no difference.
  var textWithoutReturn: String {
    text.unicodeScalars.last == "\r"
      ? String(String.UnicodeScalarView(text.unicodeScalars.dropLast())) : text
  }

  /// How many bytes this and another line begin alike with, in the value where they have one.
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
