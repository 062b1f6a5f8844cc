import Foundation

import Foundation

/// A type that defaults support, or an array or dictionary of such a type.
///
/// Reading converts between types if the meaning of the value stays the same: 3.0 can be read as
/// the integer 3, but 3.5 cannot.
protocol DefaultsStorable {
  /// Converts a stored value; nil if its meaning would change.
  static func reading(_ value: DefaultsValue) -> Self?

  /// The value to store; nil if a nested value cannot be stored.
  var defaultsValue: DefaultsValue? { get }
}

extension Array: DefaultsStorable where Element: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> [Element]? {
    guard case .array(let values) = value else { return nil }
    var elements: [Element] = []
    for value in values {
      guard let element = Element.reading(value) else { return nil }
      elements.append(element)
    }
    return elements
  }

  var defaultsValue: DefaultsValue? {
    let values = compactMap(\.defaultsValue)
    return values.count == count ? .array(values) : nil
  }
}

extension Dictionary: DefaultsStorable where Key == String, Value: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> [String: Value]? {
    guard case .dictionary(let values) = value else { return nil }
    var elements: [String: Value] = [:]
    for (key, value) in values {
      guard let element = Value.reading(value) else { return nil }
      elements[key] = element
    }
    return elements
  }

  var defaultsValue: DefaultsValue? {
    let values = compactMapValues(\.defaultsValue)
    return values.count == count ? .dictionary(values) : nil
  }
}

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
  /// Returns the nearest number, because other programs that use defaults know only `Double`.
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

extension String: DefaultsStorable {
  /// Returns numbers as Swift describes them, and Booleans as `1` and `0` like `UserDefaults`.
  static func reading(_ value: DefaultsValue) -> String? {
    switch value {
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): value
    case .data: URL.reading(value)?.absoluteString
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? { .string(self) }
}

extension Data: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Data? {
    guard case .data(let value) = value else { return nil }
    return value
  }

  var defaultsValue: DefaultsValue? { .data(self) }
}

extension Date: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Date? {
    guard case .date(let seconds) = value else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  var defaultsValue: DefaultsValue? { .date(timeIntervalSinceReferenceDate) }
}

extension URL: DefaultsStorable {
  /// Reads an archived URL, a file path as `UserDefaults` stores it, or the string of a URL.
  ///
  /// The archive is not opened with Foundation, which crashes if it is damaged or of another type.
  static func reading(_ value: DefaultsValue) -> URL? {
    switch value {
    case .string(let path) where path.utf8.first.map("/~".utf8.contains) ?? false:
      URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    case .string(let text): URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
    case .data(let archive): URLArchive(archive)?.url
    default: nil
    }
  }

  /// An archive of the absolute URL that `url(forKey:)` can open, as property lists have no URLs.
  var defaultsValue: DefaultsValue? {
    let archive = try? NSKeyedArchiver.archivedData(
      withRootObject: absoluteURL as NSURL, requiringSecureCoding: false)
    // Where Foundation is linked statically, it creates archives that cannot be opened.
    guard let archive, URLArchive(archive)?.url == absoluteURL else {
      return .string(absoluteString)
    }
    return .data(archive)
  }
}
