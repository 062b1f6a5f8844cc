import Foundation

extension Bool: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Bool? {
    switch value {
    case .bool(let value): value
    case .string("true"), .string("YES"), .string("1"): true
    case .string("false"), .string("NO"), .string("0"): false
    case .integer, .double, .float:
      switch Int.reading(value) {
      case 0: false
      case 1: true
      default: nil
      }
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? { .bool(self) }
}

extension DefaultsStorable where Self: FixedWidthInteger {
  static func reading(_ value: DefaultsValue) -> Self? {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Self(exactly: value)
    case .unsigned(let value): Self(exactly: value)
    case .double(let value): Self(exactly: value)
    case .float(let value): Self(exactly: value)
    case .string(let value): Self(value)
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? {
    Int64(exactly: self).map { .integer($0) } ?? UInt64(exactly: self).map { .unsigned($0) }
  }
}

extension Int: DefaultsStorable {}
extension Int8: DefaultsStorable {}
extension Int16: DefaultsStorable {}
extension Int32: DefaultsStorable {}
extension Int64: DefaultsStorable {}
extension UInt: DefaultsStorable {}
extension UInt8: DefaultsStorable {}
extension UInt16: DefaultsStorable {}
extension UInt32: DefaultsStorable {}
extension UInt64: DefaultsStorable {}

extension Double: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Double? {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    case .double(let value): value
    case .float(let value): Double(value)
    case .string(let value): Double(value)
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? { .double(self) }
}

extension Float: DefaultsStorable {
  /// Takes the nearest number: other readers and writers of defaults know only `Double`.
  static func reading(_ value: DefaultsValue) -> Float? {
    if case .float(let value) = value { return value }
    guard let number = Double.reading(value) else { return nil }
    let nearest = Float(number)
    return nearest.isFinite == number.isFinite ? nearest : nil
  }

  var defaultsValue: DefaultsValue? { .float(self) }
}

extension CGFloat: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> CGFloat? {
    Double.reading(value).map { CGFloat($0) }
  }

  var defaultsValue: DefaultsValue? { .double(Double(self)) }
}
