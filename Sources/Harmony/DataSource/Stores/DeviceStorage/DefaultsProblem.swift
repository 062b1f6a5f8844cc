import Foundation

/// The reason why defaults cannot store a value.
enum DefaultsProblem: Error, Equatable {
  /// The value contains a type that defaults do not support.
  case unknown(String)
  /// A dictionary in the value has keys that are not strings.
  case keys(String)
  /// The value contains a date that a property list cannot represent.
  case date
  /// Arrays and dictionaries are nested too deeply.
  case depth

  /// Returns the error for storing the value.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The error, which contains the key and the types, but nothing of the value itself.
  func failure(for key: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument("The value of the key \(PathName(key).quoted) \(description)")
  }

  /// Returns the first problem in a value; nil if defaults can store it.
  ///
  /// Dates are not checked; see ``DefaultsValue/hasOnlyKnownDates``.
  static func find(in value: Any, depth: Int = 0) -> DefaultsProblem? {
    guard depth <= DefaultsValue.maximumDepth else { return .depth }
    // A decimal would convert to a number and lose digits.
    if value is Decimal { return .unknown("Decimal") }
    switch value {
    case is any DefaultsStorable: return nil
    case let values as [Any]: return first(in: values, depth)
    case let values as [String: Any]: return first(in: values.values, depth)
    case let values as [AnyHashable: Any]:
      let key = values.keys.first { !($0.base is String) }
      return .keys(key.map { "\(type(of: $0.base))" } ?? "\(type(of: value))")
    case is NSNumber: return nil
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value else {
        return .unknown("\(type(of: value))")
      }
      return find(in: wrapped, depth: depth + 1)
    }
  }

  private static func first(in values: some Sequence<Any>, _ depth: Int) -> DefaultsProblem? {
    for value in values {
      if let problem = find(in: value, depth: depth + 1) { return problem }
    }
    return nil
  }
}

extension DefaultsValue {
  /// The years 0 to 9999 in seconds since the reference date, as property lists have four-digit
  /// years.
  private static let dates = -63_145_526_400.0..<252_423_993_600.0

  /// Whether a property list can represent a date.
  ///
  /// `UserDefaults` also writes other dates, after which no program can read the file.
  static func isKnown(date seconds: Double) -> Bool { dates.contains(seconds) }

  /// Whether a property list can represent all dates in the value.
  var hasOnlyKnownDates: Bool {
    switch self {
    case .date(let seconds): Self.isKnown(date: seconds)
    case .array(let values): values.allSatisfy(\.hasOnlyKnownDates)
    case .dictionary(let values): values.values.allSatisfy(\.hasOnlyKnownDates)
    default: true
    }
  }

  /// The kind of the value, as worded in errors.
  var kind: String {
    switch self {
    case .bool: "a Boolean"
    case .integer, .unsigned, .double, .float: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .array: "a list"
    case .dictionary: "a dictionary"
    }
  }
}

extension DefaultsValue {
  /// Creates the stored form of a value, if it can be read again as the same type.
  ///
  /// - Parameter value: The value.
  /// - Throws: The reason why defaults cannot store it.
  init<T>(putting value: T) throws(DefaultsProblem) {
    // Types of our own need no check: they contain only supported values.
    let isOurs = T.self is any DefaultsStorable.Type
    if !isOurs, let problem = DefaultsProblem.find(in: value) { throw problem }
    guard let stored = DefaultsValue(any: value), isOurs || stored.natural is T else {
      throw .unknown("\(T.self)")
    }
    guard stored.hasOnlyKnownDates else { throw .date }
    self = stored
  }
}
