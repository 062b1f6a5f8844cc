/// What a property holds, or each element of a list, set or dictionary that it is.
public enum RealmPropertyType: Int, Sendable, Hashable {
  /// A signed whole number.
  case int = 0
  /// True or false.
  case bool = 1
  /// Text.
  case string = 2
  /// Bytes.
  case binary = 4
  /// A value of any of the other types.
  case mixed = 6
  /// A moment.
  case timestamp = 8
  /// A floating-point number of 32 bits.
  case float = 9
  /// A floating-point number of 64 bits.
  case double = 10
  /// A decimal number of 34 digits.
  case decimal = 11
  /// A link to an object of one class.
  case link = 12
  /// The objects that link to this one, which are no value of it.
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

/// How many values a property holds, and how they are told apart.
public enum RealmCollectionKind: Sendable, Hashable {
  /// Values in order.
  case list
  /// Values of which each is there once.
  case set
  /// Values under keys.
  case dictionary
}
