import Foundation

/// A value of defaults.
enum DefaultsValue: Sendable {
  case bool(Bool)
  case integer(Int64)
  /// Only numbers above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case float(Float)
  case string(String)
  case data(Data)
  /// Seconds since the reference date.
  case date(Double)
  case array([DefaultsValue])
  case dictionary([String: DefaultsValue])
}

extension DefaultsValue: Equatable {
  /// Whether two values are identical in a property list: strings by bytes, numbers by bits.
  static func == (left: DefaultsValue, right: DefaultsValue) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): StoredKey.hasSameBytes(left, right)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  /// Sets or removes a member of a dictionary in place; has no effect on other values.
  mutating func setMember(_ value: DefaultsValue?, forKey key: String) {
    guard case .dictionary(var members) = self else { return }
    self = .bool(false)
    members.removeValue(forKey: key)
    members[key] = value
    self = .dictionary(members)
  }

  /// Whether this is a dictionary.
  var isDictionary: Bool {
    if case .dictionary = self { true } else { false }
  }
}

extension DefaultsValue {
  /// The maximum nesting of arrays and dictionaries, as the stack of a thread is limited.
  static let maximumDepth = 128

  /// The value in its natural type: `Int`, `[String: any Sendable]` and so on.
  var natural: any Sendable {
    switch self {
    case .bool(let value): value
    case .integer(let value): Int(value)
    case .unsigned(let value): UInt(value)
    case .double(let value): value
    case .float(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let values): values.map(\.natural)
    case .dictionary(let values): values.mapValues(\.natural)
    }
  }

  /// Creates a value from what `UserDefaults` returns or a caller puts.
  ///
  /// Nested values are checked too. The result is nil if any of them has an unsupported type, which
  /// would crash `UserDefaults`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - depth: The number of arrays and dictionaries around it.
  init?(any value: Any, depth: Int = 0) {
    guard depth <= Self.maximumDepth else { return nil }
    if let value = value as? any DefaultsStorable {
      guard let stored = value.defaultsValue else { return nil }
      self = stored
      return
    }
    switch value {
    case let value as [Any]:
      var values: [DefaultsValue] = []
      for element in value {
        guard let element = DefaultsValue(any: element, depth: depth + 1) else { return nil }
        values.append(element)
      }
      self = .array(values)
    case let value as [String: Any]:
      var values: [String: DefaultsValue] = [:]
      for (key, element) in value {
        guard let element = DefaultsValue(any: element, depth: depth + 1) else { return nil }
        values[key] = element
      }
      self = .dictionary(values)
    // Property lists contain boxed numbers. Tested last, as the cast would box all elements of a
    // list.
    case let number as NSNumber: self.init(number: number)
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value else {
        return nil
      }
      self.init(any: wrapped, depth: depth + 1)
    }
  }

  private init(number: NSNumber) {
    if CFNumberKind(number).isBoolean {
      self = .bool(number.boolValue)
    } else if CFNumberKind(number).isFloat {
      self = .float(number.floatValue)
    } else if CFNumberKind(number).isDouble {
      self = .double(number.doubleValue)
    } else if number.int64Value < 0 && number.compare(NSNumber(value: 0)) == .orderedDescending {
      self = .unsigned(number.uint64Value)
    } else {
      self = .integer(number.int64Value)
    }
  }
}

/// The kind of a boxed number, by its Objective-C type code.
private struct CFNumberKind {
  private let code: UInt8

  init(_ number: NSNumber) {
    code = UInt8(bitPattern: number.objCType.pointee)
  }

  var isBoolean: Bool { code == UInt8(ascii: "B") }
  var isFloat: Bool { code == UInt8(ascii: "f") }
  var isDouble: Bool { code == UInt8(ascii: "d") }
}
