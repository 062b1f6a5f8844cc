import LarderModel
import Foundation

/// The scalar values of a property list in XML.
enum XMLPropertyListScalar {
  /// Parses the text of an element; returns nil if it is not valid for the kind.
  static func value(_ text: [UInt8], _ kind: XMLPropertyListReader.Kind) -> StoredValue? {
    switch kind {
    case .string: StoredValue(textBytes: text)
    case .yes: text.isEmpty ? .bool(true) : nil
    case .no: text.isEmpty ? .bool(false) : nil
    case .integer: integer(String(decoding: text.trimmed, as: UTF8.self))
    case .real: real(String(decoding: text.trimmed, as: UTF8.self))
    case .date: date(String(decoding: text.trimmed, as: UTF8.self))
    case .data: data(text)
    case .dict, .array: nil
    }
  }

  private static func integer(_ text: String) -> StoredValue? {
    if let value = number(text) { return value.type == .integer ? value : nil }
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "+" || $0 == "-" }
    guard text.utf8.count - digits.utf8.count <= 1 else { return nil }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard
      let magnitude = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    else { return nil }
    return StoredValue(digits: (isNegative && magnitude > 0 ? "-" : "") + String(magnitude))
  }

  /// Parses a number in JSON's grammar.
  private static func number(_ text: String) -> StoredValue? {
    guard let first = text.utf8.first, first != UInt8(ascii: "\"") else { return nil }
    guard let value = try? JSONParser.parse(text.utf8) else { return nil }
    switch value {
    case .integer, .real, .number: return value
    default: return nil
    }
  }

  private static func real(_ text: String) -> StoredValue? {
    switch number(text) {
    case .real(let number): return .real(number)
    case .number(let digits) where StoredValue.number(digits).type == .real: return .number(digits)
    default: break
    }
    switch text.lowercased() {
    case "nan", "+nan", "-nan": return .real(.nan)
    case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
    case "-inf", "-infinity": return .real(-.infinity)
    default:
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
      return Double(text).map(StoredValue.real)
    }
  }

  /// Parses a date, which always has the shape `2026-01-31T12:30:00Z`.
  private static func date(_ text: String) -> StoredValue? {
    guard text.utf8.count == 20,
      zip(text.utf8, "0000-00-00T00:00:00Z".utf8).allSatisfy({ byte, shape in
        shape == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == shape
      })
    else { return nil }
    return Timestamp.date(from: text).map(StoredValue.date)
  }

  private static func data(_ text: [UInt8]) -> StoredValue? {
    let digits = text.filter { !$0.isXMLSpace }
    return Data(base64Encoded: Data(digits)).map { .data(Array($0)) }
  }

  /// Returns the element for a scalar, without line breaks in data; nil for a container.
  ///
  /// - Throws: ``DocumentError`` if XML property lists cannot represent the value.
  static func element(of value: StoredValue) throws(DocumentError) -> (name: String, text: String)?
  {
    switch value {
    case .null: throw DocumentError.noNull
    case .bool(let flag): return (flag ? "true" : "false", "")
    case .integer(let number): return ("integer", String(number))
    case .real(let number): return ("real", number.description)
    case .number(let digits): return (try PropertyListNumber.kind(of: digits), digits)
    case .text(let text), .url(let text):
      return ("string", try XMLText.escaped(text, .propertyList))
    case .uuid(let uuid): return ("string", uuid.uuidString)
    case .malformedText: throw DocumentError.notUTF8XML
    case .data(let bytes): return ("data", Base64.encode(bytes))
    case .date(let date):
      let text = Timestamp.text(of: date)
      guard self.date(text) != nil else {
        throw DocumentError.inexactDate
      }
      return ("date", text)
    case .array, .dictionary, .record: return nil
    }
  }

  /// Returns the text of an element as a new element with the same value would have it.
  ///
  /// Ignores whitespace around numbers and inside data, where programs differ.
  ///
  /// - Parameters:
  ///   - text: The text with references resolved.
  ///   - kind: The kind of the element.
  /// - Returns: The text with references, or nil if there is none.
  static func usual(_ text: String, _ kind: XMLPropertyListReader.Kind?) -> String? {
    guard let kind, kind == .integer || kind == .real else {
      return try? XMLText.escaped(text, .propertyList)
    }
    let bytes = Array(text.utf8)
    guard let value = value(bytes, kind), let usual = try? element(of: value) else { return nil }
    let isUsual = bytes.trimmed.elementsEqual(usual.text.utf8)
    return isUsual ? text : usual.text
  }
}

/// Numbers that are stored as their digits.
enum PropertyListNumber {
  /// Returns the element name for a number: `integer` or `real`.
  ///
  /// - Throws: ``DocumentError`` if it is an integer of more than 64 bits.
  static func kind(of digits: String) throws(DocumentError) -> String {
    if StoredValue.number(digits).type == .real { return "real" }
    guard Int64(digits) != nil || UInt64(digits) != nil else {
      throw DocumentError.hugeInteger
    }
    return "integer"
  }
}

extension [UInt8] {
  /// The bytes without whitespace at either end.
  fileprivate var trimmed: SubSequence {
    let start = firstIndex { !$0.isXMLSpace } ?? endIndex
    let end = lastIndex { !$0.isXMLSpace }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
