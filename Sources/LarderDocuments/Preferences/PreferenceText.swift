import LarderModel
import Foundation

/// Serialization of preference elements as Android writes them.
enum PreferenceText {
  /// Returns the element for a value.
  ///
  /// - Parameters:
  ///   - value: The value, which fits the type.
  ///   - type: The type.
  ///   - name: The name; nil inside a set.
  ///   - layout: The indentation of the element.
  /// - Returns: XML from the opening tag to the closing tag.
  /// - Throws: ``DocumentError`` if the type cannot hold the value.
  static func element(
    _ value: StoredValue, _ type: PreferenceType, name: String?, _ layout: XMLLayout
  ) throws(DocumentError) -> String {
    var tag = "<\(type.rawValue)"
    if let name { tag += " name=\"\(try XMLText.escaped(name, .preferenceName))\"" }
    switch (type, value) {
    case (.null, _): return tag + " />"
    case (.string, .text(let text)), (.string, .url(let text)):
      return tag + ">\(try XMLText.escaped(text, .preference))</string>"
    case (.string, .uuid(let uuid)): return tag + ">\(uuid.uuidString)</string>"
    case (.set, .array(let values)):
      guard !values.isEmpty else { return tag + " />" }
      try checkSet(values)
      var text = tag + ">"
      let line = String(decoding: layout.inner.line, as: UTF8.self)
      for value in values {
        guard let type = PreferenceType(for: value), type == .string || type == .null else {
          throw DocumentError.notStrings
        }
        text += line + (try element(value, type, name: nil, layout.inner))
      }
      return text + String(decoding: layout.line, as: UTF8.self) + "</set>"
    default:
      return tag + " value=\"\(try PreferenceNumber.text(of: value, type))\" />"
    }
  }

  /// Throws if a set contains duplicates, which Android would drop.
  static func checkSet(_ values: [StoredValue]) throws(DocumentError) {
    var known: Set<StoredValue> = []
    for value in values where !known.insert(asString(value)).inserted {
      throw DocumentError.repeatedString
    }
  }

  /// Returns the text that an element of a set is written as.
  private static func asString(_ value: StoredValue) -> StoredValue {
    switch value {
    case .url(let text): .text(text)
    case .uuid(let uuid): .text(uuid.uuidString)
    default: value
    }
  }
}
