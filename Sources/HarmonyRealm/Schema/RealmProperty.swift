/// A property of a class, as the file declares it.
public struct RealmProperty: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The type of its value, or of each of its elements.
  public let type: RealmPropertyType
  /// Nil for a single value.
  public let collection: RealmCollectionKind?
  /// Whether the value or an element may be missing; links and mixed values always may.
  public let isNullable: Bool
  /// Whether Realm keeps an index of the values.
  public let isIndexed: Bool
  /// The class that a link leads to; nil for what is no link.
  public let target: String?

  let leafIndex: Int
  let targetKey: UInt32?
  let hasIntegerKeys: Bool
  /// Where the values are that a column of numbers stands for.
  let enumerated: Int?
  /// Why the values cannot be read; nil where they can.
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
