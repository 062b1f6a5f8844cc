/// A property of a class, as the file declares it.
public struct RealmProperty: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The type of the value or of its elements.
  public let type: RealmPropertyType
  /// The kind of collection; nil for a single value.
  public let collection: RealmCollectionKind?
  /// Whether the value or an element may be missing, which is always true for links and mixed
  /// values.
  public let isNullable: Bool
  /// Whether Realm has an index of the values.
  public let isIndexed: Bool
  /// The class that links lead to; nil if the property is not a link.
  public let target: String?

  let leafIndex: Int
  let targetKey: UInt32?
  let hasIntegerKeys: Bool
  /// The reference of the values that a column of indices refers to.
  let enumerated: Int?
  /// The error of values that cannot be read; nil if they can.
  let problem: RealmError?

  /// The type as Realm's tools write it, such as `string?` or `list<int>`.
  public var typeName: String {
    let name = target.map { "\(type.name) \($0)" } ?? type.name
    let element = isNullable && type != .link && type != .mixed ? name + "?" : name
    return switch collection {
    case .list: "list<\(element)>"
    case .set: "set<\(element)>"
    case .dictionary: "dictionary<\(element)>"
    case nil: element
    }
  }
}
