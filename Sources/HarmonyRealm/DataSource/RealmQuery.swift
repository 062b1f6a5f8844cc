public import Harmony

/// A query that selects objects by the values of their properties.
///
/// ```swift
/// struct FirstQuery: RealmQuery {
///   let realmPredicate = RealmPredicate.compare("id", .less, .int(5))
/// }
/// ```
public protocol RealmQuery: Query {
  /// The condition that objects have to meet.
  var realmPredicate: RealmPredicate { get }
}

/// A condition on the properties of an object.
///
/// - Note: Upstream takes an `NSPredicate`.
public indirect enum RealmPredicate: Sendable, Hashable, RealmQuery {
  /// A comparison of a property with a value.
  public enum Comparison: Sendable, Hashable {
    /// The values are equal and have the same type.
    case equal
    /// The values or their types differ.
    case notEqual
    /// The number, string or date is less than the value; false if it is missing.
    case less
    /// It is less than or equal to the value.
    case lessOrEqual
    /// It is greater than the value.
    case greater
    /// It is greater than or equal to the value.
    case greaterOrEqual
    /// The string begins with another string, byte by byte.
    case beginsWith
    /// The string contains another string, byte by byte; or the list or set contains an equal
    /// element.
    case contains
  }

  /// A comparison of a property with a value.
  case compare(String, Comparison, RealmValue)
  /// All conditions are met.
  case all([RealmPredicate])
  /// At least one condition is met.
  case any([RealmPredicate])
  /// The condition is not met.
  case not(RealmPredicate)

  /// The predicate itself.
  public var realmPredicate: RealmPredicate { self }
}

extension RealmPredicate {
  /// The names of the properties used.
  var properties: [String] {
    switch self {
    case .compare(let name, _, _): [name]
    case .all(let parts), .any(let parts): parts.flatMap(\.properties)
    case .not(let part): part.properties
    }
  }

  /// Returns whether an object meets the condition.
  func holds(_ object: RealmObject) -> Bool {
    switch self {
    case .compare(let name, let comparison, let value):
      object[name].map { comparison.holds($0, value) } ?? false
    case .all(let parts): parts.allSatisfy { $0.holds(object) }
    case .any(let parts): parts.contains { $0.holds(object) }
    case .not(let part): !part.holds(object)
    }
  }
}

extension RealmPredicate.Comparison {
  fileprivate func holds(_ left: RealmValue, _ right: RealmValue) -> Bool {
    switch self {
    case .equal: return left.isKey(right)
    case .notEqual: return !left.isKey(right)
    case .beginsWith, .contains:
      switch (left, right) {
      case (.string(let text), .string(let part)):
        return self == .beginsWith
          ? text.utf8.starts(with: part.utf8) : Array(text.utf8).holds(Array(part.utf8))
      case (.list(let values), _), (.set(let values), _):
        return self == .contains && values.contains { $0.isKey(right) }
      default: return false
      }
    case .less: return left.isBefore(right) == true
    case .greater: return right.isBefore(left) == true
    case .lessOrEqual: return left.isKey(right) || left.isBefore(right) == true
    case .greaterOrEqual: return left.isKey(right) || right.isBefore(left) == true
    }
  }
}

extension RealmValue {
  /// Whether a value is less than another of the same type; nil if they are not comparable.
  fileprivate func isBefore(_ other: RealmValue) -> Bool? {
    switch (self, other) {
    case (.int(let left), .int(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.float(let left), .float(let right)): left < right
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.timestamp(let left), .timestamp(let right)): left < right
    default: nil
    }
  }
}

extension Array<UInt8> {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard !part.isEmpty else { return true }
    guard part.count <= count else { return false }
    return (0...(count - part.count)).contains { self[$0...].starts(with: part) }
  }
}
