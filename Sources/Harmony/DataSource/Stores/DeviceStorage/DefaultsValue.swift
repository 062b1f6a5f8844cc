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
  /// Whether two values are the same in a property list: texts by their bytes, numbers by their bits.
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

  /// Sets or removes a member of a dictionary, without copying it; another value stays as it is.
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
  /// How deep lists and dictionaries may lie in each other: the stack of a thread is limited.
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

  /// Makes a value of what `UserDefaults` answers or a caller puts.
  ///
  /// All that is in it is looked at, and it is nil if something is of no type that defaults can
  /// hold: `UserDefaults` would stop the program.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - depth: How many lists and dictionaries it is in.
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
    // Numbers come boxed from property lists. Asked of a list, this would box all that is in it.
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

/// What a boxed number holds, by the code of its type.
private struct CFNumberKind {
  private let code: UInt8

  init(_ number: NSNumber) {
    code = UInt8(bitPattern: number.objCType.pointee)
  }

  var isBoolean: Bool { code == UInt8(ascii: "B") }
  var isFloat: Bool { code == UInt8(ascii: "f") }
  var isDouble: Bool { code == UInt8(ascii: "d") }
}
