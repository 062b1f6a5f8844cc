/// The type of a property, or of the elements of a list, set or dictionary.
public enum RealmPropertyType: Int, Sendable, Hashable {
  /// A signed integer.
  case int = 0
  /// A Boolean.
  case bool = 1
  /// A string.
  case string = 2
  /// Binary data.
  case binary = 4
  /// A value of any other type.
  case mixed = 6
  /// A date.
  case timestamp = 8
  /// A floating-point number of 32 bits.
  case float = 9
  /// A floating-point number of 64 bits.
  case double = 10
  /// A decimal number of 34 digits.
  case decimal = 11
  /// A link to an object of one class.
  case link = 12
  /// The objects that link to this one, which are not a value of it.
  case backlink = 14
  /// An identifier of 12 bytes.
  case objectID = 15
  /// A link to an object of any class.
  case typedLink = 16
  /// A universally unique identifier.
  case uuid = 17

  /// The name that Realm's own tools use.
  public var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "data"
    case .mixed: "mixed"
    case .timestamp: "date"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .link: "link"
    case .backlink: "backlink"
    case .objectID: "objectId"
    case .typedLink: "typed link"
    case .uuid: "uuid"
    }
  }
}

/// The kind of a collection.
public enum RealmCollectionKind: Sendable, Hashable {
  /// An ordered collection.
  case list
  /// A collection of unique values.
  case set
  /// A collection of values with keys.
  case dictionary
}
