public import Foundation
import Harmony

/// A type that a value of a Realm property can be read as.
public protocol RealmReadable {
  /// Makes a value; nil where the property holds something else.
  init?(realm value: RealmValue)
}

extension RealmObject {
  /// The value of a property, as a type of the program.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - type: The type.
  /// - Returns: The value.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` where there is no such property or where it
  ///   holds something else, and the ``RealmError`` that reading it led to.
  public func value<Value: RealmReadable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let field = fields.first { $0.name.utf8.elementsEqual(name.utf8) }
    if let problem = field?.problem { throw problem }
    guard let field, let value = Value(realm: field.value) else {
      throw CoreError.DataSerialization(
        "\(className).\(name) \(field == nil ? "does not exist" : "is not of the type \(Value.self)")"
      )
    }
    return value
  }
}

extension Int: RealmReadable {
  /// Makes a number of one.
  public init?(realm value: RealmValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: RealmReadable {
  /// Makes a truth value of one.
  public init?(realm value: RealmValue) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
}

extension Double: RealmReadable {
  /// Makes a number of one of 32 or 64 bits.
  public init?(realm value: RealmValue) {
    switch value {
    case .double(let number): self = number
    case .float(let number): self = Double(number)
    default: return nil
    }
  }
}

extension Float: RealmReadable {
  /// Makes a number of one.
  public init?(realm value: RealmValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
}

extension String: RealmReadable {
  /// Makes a text of one.
  public init?(realm value: RealmValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension Data: RealmReadable {
  /// Makes data of bytes.
  public init?(realm value: RealmValue) {
    guard case .binary(let bytes) = value else { return nil }
    self.init(bytes)
  }
}

extension Date: RealmReadable {
  /// Makes a date of a moment.
  public init?(realm value: RealmValue) {
    guard case .timestamp(let moment) = value else { return nil }
    self = moment.date
  }
}

extension UUID: RealmReadable {
  /// Makes an identifier of one.
  public init?(realm value: RealmValue) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
}

extension Optional: RealmReadable where Wrapped: RealmReadable {
  /// Makes nil of a value that is missing.
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
  /// Makes an array of a list or a set.
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
