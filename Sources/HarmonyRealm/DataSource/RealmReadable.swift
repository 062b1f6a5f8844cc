public import Foundation
import Harmony

/// A type that can be created from the value of a Realm property.
public protocol RealmReadable {
  /// Creates a value; nil if the property has a value of another type.
  init?(realm value: RealmValue)
}

extension RealmObject {
  /// Returns the value of a property, converted to a type.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - type: The type.
  /// - Returns: The value.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` if there is no such property or its value
  ///   has another type, and ``RealmError`` if the value cannot be read.
  public func value<Value: RealmReadable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let field = fields.first { $0.name.utf8.elementsEqual(name.utf8) }
    if let problem = field?.problem { throw problem }
    guard let field else { throw CoreError.DataSerialization.noProperty("\(className).\(name)") }
    guard let value = Value(realm: field.value) else {
      throw CoreError.DataSerialization.wrongType("\(className).\(name)", not: Value.self)
    }
    return value
  }
}

extension Int: RealmReadable {
  /// Creates a number from an integer.
  public init?(realm value: RealmValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: RealmReadable {
  /// Creates a Boolean.
  public init?(realm value: RealmValue) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
}

extension Double: RealmReadable {
  /// Creates a number from a floating-point number of 32 or 64 bits.
  public init?(realm value: RealmValue) {
    switch value {
    case .double(let number): self = number
    case .float(let number): self = Double(number)
    default: return nil
    }
  }
}

extension Float: RealmReadable {
  /// Creates a number from a floating-point number of 32 bits.
  public init?(realm value: RealmValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
}

extension String: RealmReadable {
  /// Creates a string.
  public init?(realm value: RealmValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension Data: RealmReadable {
  /// Creates data from binary data.
  public init?(realm value: RealmValue) {
    guard case .binary(let bytes) = value else { return nil }
    self.init(bytes)
  }
}

extension Date: RealmReadable {
  /// Creates a date from a timestamp.
  public init?(realm value: RealmValue) {
    guard case .timestamp(let moment) = value else { return nil }
    self = moment.date
  }
}

extension UUID: RealmReadable {
  /// Creates a UUID.
  public init?(realm value: RealmValue) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
}

extension Optional: RealmReadable where Wrapped: RealmReadable {
  /// Creates a value, or nil from a missing one.
  public init?(realm value: RealmValue) {
    if value == .null {
      self = .none
    } else if let wrapped = Wrapped(realm: value) {
      self = wrapped
    } else {
      return nil
    }
  }
}

extension Array: RealmReadable where Element: RealmReadable {
  /// Creates an array from a list or a set.
  public init?(realm value: RealmValue) {
    switch value {
    case .list(let values), .set(let values):
      var elements: [Element] = []
      for value in values {
        guard let element = Element(realm: value) else { return nil }
        elements.append(element)
      }
      self = elements
    default: return nil
    }
  }
}
