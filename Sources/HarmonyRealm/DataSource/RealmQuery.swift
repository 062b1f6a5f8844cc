public import Harmony

/// A query that selects objects by what their properties hold.
///
/// ```swift
/// struct FirstQuery: RealmQuery {
///   let realmPredicate = RealmPredicate.compare("id", .less, .int(5))
/// }
/// ```
public protocol RealmQuery: Query {
  /// What an object has to fulfil.
  var realmPredicate: RealmPredicate { get }
}

/// What an object has to fulfil to be selected.
///
/// - Note: Upstream takes an `NSPredicate`.
public indirect enum RealmPredicate: Sendable, Hashable, RealmQuery {
  /// How a property is compared.
  public enum Comparison: Sendable, Hashable {
    /// Equal values of one type.
    case equal
    /// Other values, or of another type.
    case notEqual
    /// Numbers, texts or moments that come before; never where a value is missing.
    case less
    /// Those that come before or are equal.
    case lessOrEqual
    /// Those that come after.
    case greater
    /// Those that come after or are equal.
    case greaterOrEqual
    /// Texts that begin with a text, byte by byte.
    case beginsWith
    /// Texts that hold a text, byte by byte; lists and sets that hold an equal element.
    case contains
  }

  /// Whether a property compares so with a value.
  case compare(String, Comparison, RealmValue)
  /// Whether all hold.
  case all([RealmPredicate])
  /// Whether one holds.
  case any([RealmPredicate])
  /// Whether it does not hold.
  case not(RealmPredicate)

  /// The predicate itself.
  public var realmPredicate: RealmPredicate { self }
}

extension RealmPredicate {
  /// The names of the properties that are looked at.
  var properties: [String] {
    switch self {
    case .compare(let name, _, _): [name]
    case .all(let parts), .any(let parts): parts.flatMap(\.properties)
    case .not(let part): part.properties
    }
  }

  /// Whether an object fulfils the predicate.
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
  /// Whether a value is before another in the order of their type; nil where they have none.
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
