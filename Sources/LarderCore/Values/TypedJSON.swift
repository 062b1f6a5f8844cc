import Foundation

/// The objects that stand for types that JSON does not have.
enum TypedJSON {
  /// The value that an object with one member stands for, or nil where it is a plain object.
  static func value(of fields: [StoredValue.Field]) -> StoredValue? {
    guard fields.count == 1, let field = fields.first else { return nil }
    switch (field.name, field.value) {
    case ("base64", .text(let text)): return Base64.decode(text).map(StoredValue.data)
    case ("text", .data(let bytes)): return .malformedText(bytes)
    case ("date", .text(let text)): return Timestamp.date(from: text).map(StoredValue.date)
    case ("url", .text(let text)): return .url(text)
    case ("uuid", .text(let text)): return UUID(uuidString: text).map(StoredValue.uuid)
    case ("real", .text(let text)):
      guard let number = Double(text), !number.isFinite else { return nil }
      return .real(number)
    case ("dictionary", .dictionary): return field.value
    default: return nil
    }
  }

  /// Whether a plain object of these members would be read as something else.
  static func isSpecial(_ fields: [StoredValue.Field]) -> Bool {
    value(of: fields) != nil
  }
}

/// Bytes as text in the alphabet of RFC 4648.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  package static func decode(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map(Array.init)
  }
}
