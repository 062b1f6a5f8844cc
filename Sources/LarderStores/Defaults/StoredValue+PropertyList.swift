import Foundation
import LarderModel

extension StoredValue {
  /// The value that an object of Foundation's property lists is; nil where it is none.
  init?(propertyList object: Any) {
    switch object {
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .integer(Int64(value))
    case let value as UInt: self = StoredValue(digits: String(value))
    case let value as Double: self = .real(value)
    case let value as Float: self = .real(Double(value))
    case let value as String: self = .text(value)
    case let value as Data: self = .data([UInt8](value))
    case let value as Date: self = .date(value)
    case let values as [Any]:
      let elements = values.compactMap { StoredValue(propertyList: $0) }
      guard elements.count == values.count else { return nil }
      self = .array(elements)
    case let values as [String: Any]:
      let fields = values.compactMap { name, value in
        StoredValue(propertyList: value).map { Field(name, $0) }
      }
      guard fields.count == values.count else { return nil }
      self = .dictionary(fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    default: return nil
    }
  }

  /// The object of Foundation's property lists that this value is; nil where they have none.
  var propertyList: Any? {
    switch self {
    case .bool(let value): return value
    case .integer(let number): return Int(number)
    case .real(let number): return number
    case .number(let digits): return UInt(digits) ?? Double(digits)
    case .text(let text): return text
    case .data(let bytes): return Data(bytes)
    case .date(let date): return date
    case .array(let values):
      let objects = values.compactMap(\.propertyList)
      return objects.count == values.count ? objects : nil
    case .dictionary(let fields):
      var objects: [String: Any] = [:]
      for field in fields {
        guard let object = field.value.propertyList else { return nil }
        objects[field.name] = object
      }
      return objects
    case .null, .malformedText, .url, .uuid, .record: return nil
    }
  }
}
