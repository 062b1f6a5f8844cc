import Foundation

/// Objects that represent types which JSON does not have.
package enum TypedJSON {
  /// Converts objects that represent other types.
  ///
  /// - Parameters:
  ///   - value: The value, with the types of JSON.
  ///   - isPlain: Whether to leave the value itself, if it is an object, unconverted.
  /// - Returns: The value with all such objects in it converted.
  package static func typed(_ value: StoredValue, isPlain: Bool = false) -> StoredValue {
    switch value {
    case .array(let values): return .array(values.map { typed($0) })
    case .dictionary(let fields):
      if !isPlain, fields.count == 1, let field = fields.first, field.name == wrapper,
        case .dictionary = field.value
      {
        return typed(field.value, isPlain: true)
      }
      let members = fields.map { StoredValue.Field($0.name, typed($0.value)) }
      return (isPlain ? nil : self.value(of: members)) ?? .dictionary(members)
    default: return value
    }
  }

  /// The name of the member that marks its content as a plain object.
  private static let wrapper = "dictionary"

  /// Returns the value that an object represents, or nil if it is a plain object.
  private static func value(of fields: [StoredValue.Field]) -> StoredValue? {
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
    default: return nil
    }
  }

  /// A sample date for messages.
  package static let sampleDate = "2026-01-31T12:00:00Z"

  /// Returns a message if an object looks like another type but is invalid.
  package static func problem(of value: StoredValue) -> String? {
    guard case .dictionary(let fields) = value, fields.count == 1, let field = fields.first,
      case .text = field.value, self.value(of: fields) == nil
    else { return nil }
    return Messages.notTyped(field.name)
  }

  /// Whether a plain object with these members would be parsed as another type.
  static func isSpecial(_ fields: [StoredValue.Field]) -> Bool {
    if fields.count == 1, let field = fields.first, field.name == wrapper {
      // Any object in this member would be taken for the content of the wrapper.
      return JSONText.encode(field.value).hasPrefix("{")
    }
    return value(of: fields) != nil
  }
}

/// Encodes and decodes base64 in the standard alphabet of RFC 4648.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  package static func decode(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map(Array.init)
  }
}
