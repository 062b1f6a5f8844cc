/// A class of a file: what its objects are like, and how many there are.
public struct RealmClass: Sendable, Hashable {
  /// What its objects are for.
  public enum Kind: Sendable, Hashable {
    /// Objects of their own.
    case topLevel
    /// Objects that each belong to one other.
    case embedded
    /// Objects that are only sent away, and normally none.
    case asymmetric
  }

  /// The name in the app, without the prefix that it has in the file.
  public let name: String
  /// The name in the file.
  public let tableName: String
  /// What its objects are for.
  public let kind: Kind
  /// The properties, in the order in which they are declared.
  public let properties: [RealmProperty]
  /// The property by whose value objects are told apart; nil where there is none.
  public let primaryKey: RealmProperty?
  /// How many objects there are.
  public let count: Int

  let key: UInt32
  /// Where the objects begin.
  let root: Int?
  /// Where the index of the primary key begins, if there is one.
  let primaryIndex: Int?

  /// Whether the table is one of Realm's own, not a class of an app.
  public var isInternal: Bool { !tableName.utf8.starts(with: Self.prefix.utf8) }

  static let prefix = "class_"

  /// The property of that name.
  public func property(_ name: String) -> RealmProperty? {
    properties.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
