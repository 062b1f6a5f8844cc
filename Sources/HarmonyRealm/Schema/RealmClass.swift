/// A class of a file, with its properties and the number of its objects.
public struct RealmClass: Sendable, Hashable {
  /// The kind of the objects.
  public enum Kind: Sendable, Hashable {
    /// Independent objects.
    case topLevel
    /// Objects that are each owned by another object.
    case embedded
    /// Objects that are only uploaded, and normally not stored.
    case asymmetric
  }

  /// The name in the app, without the prefix in the file.
  public let name: String
  /// The name in the file.
  public let tableName: String
  /// The kind of the objects.
  public let kind: Kind
  /// The properties, in the order of their declarations.
  public let properties: [RealmProperty]
  /// The property that identifies objects; nil if there is none.
  public let primaryKey: RealmProperty?
  /// The number of objects.
  public let count: Int

  let key: UInt32
  /// The reference of the objects; nil if there are none.
  let root: Int?
  /// The reference of the index of the primary key; nil if there is none.
  let primaryIndex: Int?

  /// Whether the table is internal to Realm rather than a class of an app.
  public var isInternal: Bool { !tableName.utf8.starts(with: Self.prefix.utf8) }

  static let prefix = "class_"

  /// Returns the property with a name; nil if there is none.
  public func property(_ name: String) -> RealmProperty? {
    properties.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
