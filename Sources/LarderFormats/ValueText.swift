package import LarderModel
import Foundation

/// Converts values to editable text and back.
package enum ValueText {
  /// The reason why a text is not a valid value, as a clause that can follow the text.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// Returns the value as editable text.
  ///
  /// Text is verbatim even if it is stored as bytes, other bytes are hex digits, and structures are
  /// indented JSON.
  package static func text(of value: StoredValue) -> String {
    switch value {
    case .data(let bytes): bytes.plainText ?? spacedHex(bytes)
    case .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .text(let text), .url(let text), .number(let text): text
    case .malformedText(let bytes): spacedHex(bytes)
    case .date(let date): Timestamp.text(of: date)
    case .uuid(let uuid): uuid.uuidString
    case .array, .dictionary, .record: JSONText.encode(value, isIndented: true)
    }
  }

  /// Whether the text of a value is its bytes as hex digits.
  package static func isHex(_ value: StoredValue) -> Bool {
    switch value {
    case .data(let bytes): bytes.plainText == nil
    case .malformedText: true
    default: false
    }
  }

  /// Parses text as a value of a type.
  ///
  /// - Parameters:
  ///   - text: The text that the user entered.
  ///   - type: The required type.
  ///   - original: The value before the edit, which supplies the columns of a record.
  ///   - isHex: Whether bytes, or text that is not UTF-8, are entered as hex digits; nil to use the
  ///     form
  ///     of the original, or hex digits for data without an original.
  ///   - optionalFields: The columns that a record may have in addition to those of the original.
  ///   - keepsDigits: Whether to store a number as its digits if it is a valid JSON number; implied
  ///     if
  ///     the original is stored as digits.
  /// - Returns: The value.
  /// - Throws: ``Failure`` if the text is not valid for the type.
  package static func value(
    of text: String, type: StoredType, original: StoredValue? = nil, isHex: Bool? = nil,
    optionalFields: [String] = [], keepsDigits: Bool = false
  ) throws(Failure) -> StoredValue {
    let isHex = isHex ?? original.map(Self.isHex) ?? (type == .data)
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if type.isNumber, keepsDigits || original?.hasOwnDigits == true,
      let exact = exact(trimmed, type, over: original)
    {
      return exact
    }
    switch type {
    case .null:
      guard trimmed.isEmpty || trimmed == "null" else {
        throw Failure.nullText
      }
      return .null
    case .bool:
      switch trimmed.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: throw Failure.notBool
      }
    case .integer: return .integer(try integer(trimmed))
    case .real:
      guard let number = Double(trimmed) else { throw Failure.notNumber }
      guard holds(number, trimmed) else { throw Failure.realRange }
      try checkWhole(trimmed, number)
      return .real(number)
    case .text:
      return isHex ? .init(textBytes: try bytes(trimmed)) : .text(text)
    case .data: return .data(isHex ? try bytes(trimmed) : Array(text.utf8))
    case .date:
      guard let date = Timestamp.date(from: trimmed) else { throw Failure.notDate }
      return .date(date)
    case .url: return .url(trimmed)
    case .uuid:
      guard let uuid = UUID(uuidString: trimmed) else { throw Failure.notUUID }
      return .uuid(uuid)
    case .array, .dictionary, .record:
      return try structure(text, type: type, original: original, optionalFields)
    }
  }

  /// Returns the most likely type of a new value's text.
  package static func guessType(of text: String) -> StoredType {
    if Int64(text) != nil { return .integer }
    if text == "true" || text == "false" { return .bool }
    if let number = Double(text), holds(number, text) { return .real }
    return .text
  }

  /// Whether a number is accurate, rather than an infinity or a zero due to overflow or underflow.
  private static func holds(_ number: Double, _ text: String) -> Bool {
    if number.isInfinite { return !text.contains(where: \.isNumber) }
    guard number == 0 else { return true }
    let digits = text.lowercased().split(whereSeparator: { "ep".contains($0) }).first ?? ""
    return digits.allSatisfy { !$0.isHexDigit || $0 == "0" }
  }

  /// Throws if a whole number cannot be represented exactly as a real.
  private static func checkWhole(_ text: String, _ number: Double) throws(Failure) {
    let isSigned = text.hasPrefix("-") || text.hasPrefix("+")
    let digits = text.dropFirst(isSigned ? 1 : 0)
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return }
    let nearest = String(format: "%.0f", abs(number))
    guard nearest == digits.drop(while: { $0 == "0" }) || number == 0 else {
      throw Failure.inexactReal(text, nearest: (text.first == "-" ? "-" : "") + nearest)
    }
  }

  /// Whether text that is invalid for a type is clearly of another type, such as 3.70 for an
  /// integer.
  package static func looksLikeAnotherType(_ text: String, than type: StoredType) -> Bool {
    let guess = guessType(of: text.trimmingCharacters(in: .whitespacesAndNewlines))
    return guess != .text && guess != type
  }

  /// Returns a number with the digits as typed, if they are valid in JSON.
  ///
  /// JSON has a single number type, so the digits may have a decimal point or not if the original
  /// has the requested type.
  private static func exact(
    _ text: String, _ type: StoredType, over original: StoredValue?
  ) -> StoredValue? {
    guard let value = try? JSONParser.parse(text.utf8), value.type.isNumber,
      value.type == type || original?.type == type
    else { return nil }
    return value
  }

  private static func integer(_ text: String) throws(Failure) -> Int64 {
    if let number = Int64(text) { return number }
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw Failure.notInteger
    }
    throw Failure.integerRange
  }

  /// Parses hex digits as bytes.
  package static func bytes(_ text: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text where !character.isWhitespace {
      guard let digit = character.hexDigitValue else {
        throw Failure.notHexadecimal(character)
      }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    guard high == nil else { throw Failure.halfByte }
    return bytes
  }

  /// Whether a text looks like hex digits for bytes rather than a number.
  package static func looksLikeHex(_ text: String) -> Bool {
    guard text.utf8.count >= 4, text.contains(where: { !$0.isNumber }),
      let bytes = try? bytes(text)
    else { return false }
    return bytes.count > 1
  }

  /// Returns bytes as hex digits, sixteen bytes per line.
  package static func spacedHex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    text.reserveCapacity(bytes.count * 3)
    for (index, byte) in bytes.enumerated() {
      if index > 0 { text += index % 16 == 0 ? "\n" : " " }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  private static func structure(
    _ text: String, type: StoredType, original: StoredValue?, _ optionalFields: [String]
  ) throws(Failure) -> StoredValue {
    let value: StoredValue
    do {
      value = try JSONParser.parse(text.utf8, isTopPlain: type != .array)
    } catch {
      throw Failure(error.description)
    }
    switch (type, value) {
    case (.array, .array): return value
    case (.dictionary, .dictionary): return value
    case (.record, .dictionary(let fields)):
      guard case .record(let columns) = original else { return .record(fields) }
      return .record(try RecordText.merge(fields, into: columns, optionalFields))
    case (.array, _): throw Failure.notArray
    default: throw Failure.notObject
    }
  }
}

extension StoredType {
  /// Whether values of the type are numbers.
  fileprivate var isNumber: Bool { self == .integer || self == .real }
}

extension StoredValue {
  /// Whether the value is a number that is stored as its digits.
  fileprivate var hasOwnDigits: Bool {
    if case .number = self { true } else { false }
  }
}

/// The columns of a row, edited as a JSON object.
enum RecordText {
  /// Merges edited fields into the columns of a row.
  ///
  /// Columns that are not named keep their values, and optional ones are omitted. A whole number
  /// for a column that held a real becomes a real if it is exact, as JSON does not distinguish
  /// them.
  static func merge(
    _ fields: [StoredValue.Field], into columns: [StoredValue.Field],
    _ optional: [String]
  ) throws(ValueText.Failure) -> [StoredValue.Field] {
    var merged = columns
    for field in fields {
      guard let column = merged.firstIndex(where: { $0.name.hasBytes(of: field.name) }) else {
        if optional.contains(where: { $0.hasBytes(of: field.name) }) {
          merged.append(field)
          continue
        }
        throw .noColumn(field.name, among: columns.map(\.name) + optional)
      }
      if case .integer(let number) = field.value, case .real(let old) = merged[column].value,
        let real = Double(exactly: number)
      {
        // Equal values are left alone, which preserves the sign of a zero.
        if old != real { merged[column].value = .real(real) }
        continue
      }
      if case .number(let digits) = field.value, field.value.type == .real,
        let real = Double(digits), real.isFinite
      {
        // The columns of a row store the number rather than its digits.
        if merged[column].value != .real(real) { merged[column].value = .real(real) }
        continue
      }
      if case .text(let text) = field.value, case .data = merged[column].value {
        // Text entered in a column of bytes remains bytes.
        merged[column].value = .data(Array(text.utf8))
        continue
      }
      merged[column].value = field.value
    }
    return merged
  }
}
