package import LarderModel
import LarderDocuments
import Foundation

/// Encodes values as XML property lists.
///
/// Foundation's encoder is not used because it omits arrays in a statically linked program (Swift
/// 6.3).
package enum PropertyListText {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  /// Returns the XML of a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: A property list of version 1.0 whose dictionaries are sorted by key.
  /// - Throws: `ValueText.Failure` if part of the value cannot be expressed in a property list.
  package static func encode(_ value: StoredValue) throws(ValueText.Failure) -> String {
    var text = head
    try write(value, indent: "", to: &text)
    return text + "</plist>\n"
  }

  private static func write(
    _ value: StoredValue, indent: String, to text: inout String
  ) throws(ValueText.Failure) {
    switch value {
    case .null: throw .notPropertyList(.noNull)
    case .bool(let flag): text += indent + (flag ? "<true/>\n" : "<false/>\n")
    case .integer(let number): text += element("integer", "\(number)", indent)
    case .real(let number): text += element("real", real(number), indent)
    case .number(let digits):
      if let number = UInt64(digits) { return text += element("integer", "\(number)", indent) }
      guard value.type == .real, let number = Double(digits) else {
        throw .notPropertyList(.hugeInteger)
      }
      text += element("real", real(number), indent)
    case .text(let string), .url(let string):
      text += element("string", try escaped(string, .propertyList), indent)
    case .malformedText(let bytes), .data(let bytes):
      text += element("data", Data(bytes).base64EncodedString(), indent)
    case .date(let date): text += element("date", try moment(date), indent)
    case .uuid(let uuid): text += element("string", uuid.uuidString, indent)
    case .array(let values):
      guard !values.isEmpty else { return text += indent + "<array/>\n" }
      text += indent + "<array>\n"
      for value in values { try write(value, indent: indent + "\t", to: &text) }
      text += indent + "</array>\n"
    case .dictionary(let fields), .record(let fields):
      // Null columns are omitted, and the last of several members with the same name wins.
      let byName = Dictionary(
        fields.lazy.filter { $0.value != .null }.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
      let members = byName.values.sorted { $0.name < $1.name }
      guard !members.isEmpty else { return text += indent + "<dict/>\n" }
      text += indent + "<dict>\n"
      for member in members {
        text += element("key", try escaped(member.name, .key), indent + "\t")
        try write(member.value, indent: indent + "\t", to: &text)
      }
      text += indent + "</dict>\n"
    }
  }

  private static func element(_ name: String, _ content: String, _ indent: String) -> String {
    "\(indent)<\(name)>\(content)</\(name)>\n"
  }

  /// Returns a number in a form that Foundation reads back exactly.
  private static func real(_ number: Double) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
    return number.description
  }

  /// Returns a date with a precision of seconds, as in XML property lists.
  private static func moment(_ date: Date) throws(ValueText.Failure) -> String {
    let text = date.formatted(.iso8601)
    guard text.count == 20, text.hasSuffix("Z") else {
      throw .notPropertyList(.inexactDate)
    }
    return text
  }

  private static func escaped(
    _ text: String, _ use: XMLText.Use
  ) throws(ValueText.Failure) -> String {
    do {
      return try XMLText.escaped(text, use)
    } catch {
      throw .notPropertyList(error)
    }
  }
}
