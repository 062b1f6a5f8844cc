import Foundation

/// Values as XML property lists.
package enum PropertyListText {
  /// The XML of a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: A property list of version 1.0.
  /// - Throws: `ValueText.Failure` where property lists have no form for a part of the value.
  package static func encode(_ value: StoredValue) throws(ValueText.Failure) -> String {
    let object = try object(of: value)
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: object, format: .xml, options: 0)
      return String(decoding: data, as: UTF8.self)
    } catch {
      throw ValueText.Failure("the value cannot be written as a property list")
    }
  }

  private static func object(of value: StoredValue) throws(ValueText.Failure) -> Any {
    switch value {
    case .null:
      throw ValueText.Failure("property lists have no null; --as json shows the value")
    case .bool(let flag): return flag
    case .integer(let number): return number
    case .real(let number): return number
    case .number(let digits):
      if let number = UInt64(digits) { return number }
      guard value.type == .real, let number = Double(digits) else {
        throw ValueText.Failure(
          "property lists have no whole number like \(digits); --as json shows it")
      }
      return number
    case .text(let text), .url(let text):
      guard
        !text.unicodeScalars.contains(where: {
          $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0)
        })
      else {
        throw ValueText.Failure(
          "XML cannot hold the control characters of this text; --as json shows them")
      }
      return text
    case .malformedText(let bytes), .data(let bytes): return Data(bytes)
    case .date(let date): return date
    case .uuid(let uuid): return uuid.uuidString
    case .array(let values):
      var list: [Any] = []
      for value in values { list.append(try object(of: value)) }
      return list
    case .dictionary(let fields), .record(let fields):
      var members: [String: Any] = [:]
      // A row's column without a value is a member that is not there.
      for field in fields where field.value != .null {
        members[field.name] = try object(of: field.value)
      }
      return members
    }
  }
}
