import Foundation

/// What keeps a value out of defaults, in the words of an error.
enum DefaultsProblem: Error, Equatable {
  /// Something in the value is of a type that defaults do not hold.
  case unknown(String)
  /// A dictionary in the value has keys that are no texts.
  case keys(String)
  /// A date in the value is none that a property list can tell.
  case date
  /// Lists and dictionaries lie too deep in each other.
  case depth

  /// The error of putting the value.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The error, which names the key and the types, but nothing that is in the value.
  func failure(for key: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument("The value of the key \(PathName(key).quoted) \(description)")
  }

  private var description: String {
    let held = "numbers, Bool, String, URL, Date, Data, and arrays and dictionaries of these"
    return switch self {
    case .unknown(let name): "holds the type \(name), but defaults only \(held); map it to one"
    case .keys(let name): "holds keys of the type \(name), but those of a dictionary must be String"
    case .date: "holds a date that is not a number, or not of the years 0 to 9999"
    case .depth: "holds lists in lists deeper than \(DefaultsValue.maximumDepth)"
    }
  }

  /// Looks for the first thing in a value that defaults cannot hold.
  ///
  /// Dates are not looked at; see ``DefaultsValue/hasOnlyKnownDates``.
  static func find(in value: Any, depth: Int = 0) -> DefaultsProblem? {
    guard depth <= DefaultsValue.maximumDepth else { return .depth }
    // It can be taken for a number, and its digits would be lost.
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
  /// The years 0 to 9999, in seconds since the reference date: property lists tell them by digits.
  private static let dates = -63_145_526_400.0..<252_423_993_600.0

  /// Whether a property list can tell a date.
  ///
  /// `UserDefaults` writes others too, and then neither it nor anybody else can read the file.
  static func isKnown(date seconds: Double) -> Bool { dates.contains(seconds) }

  /// Whether all dates in the value are such as a property list can tell.
  var hasOnlyKnownDates: Bool {
    switch self {
    case .date(let seconds): Self.isKnown(date: seconds)
    case .array(let values): values.allSatisfy(\.hasOnlyKnownDates)
    case .dictionary(let values): values.values.allSatisfy(\.hasOnlyKnownDates)
    default: true
    }
  }

  /// What a value is, in the words of an error.
  var kind: String {
    switch self {
    case .bool: "a truth value"
    case .integer, .unsigned, .double, .float: "a number"
    case .string: "a text"
    case .data: "data"
    case .date: "a date"
    case .array: "a list"
    case .dictionary: "a dictionary"
    }
  }
}

extension DefaultsValue {
  /// Makes a value of what is put, if it can be read again as the same type.
  ///
  /// - Parameter value: The value.
  /// - Throws: What keeps it out of defaults.
  init<T>(putting value: T) throws(DefaultsProblem) {
    // Types of ours hold nothing else, and what they hold is not looked at twice.
    let isOurs = T.self is any DefaultsStorable.Type
    if !isOurs, let problem = DefaultsProblem.find(in: value) { throw problem }
    guard let stored = DefaultsValue(any: value), isOurs || stored.natural is T else {
      throw .unknown("\(T.self)")
    }
    guard stored.hasOnlyKnownDates else { throw .date }
    self = stored
  }
}
