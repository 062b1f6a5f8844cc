import Foundation

/// A type that defaults hold, or lists and dictionaries of such a type.
///
/// Reading converts from other types as long as the value keeps its meaning: 3.0 is the integer 3,
/// 3.5 is none.
protocol DefaultsStorable {
  /// Converts a stored value; nil if its meaning would be lost.
  static func reading(_ value: DefaultsValue) -> Self?

  /// The value to store; nil if it holds something that cannot be.
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
