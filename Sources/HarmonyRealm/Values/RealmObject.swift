/// A snapshot of an object.
public struct RealmObject: Sendable, Hashable {
  /// The name of the class.
  public let className: String
  /// The key within the class, which is internal to Realm.
  public let objectKey: Int64
  /// The value of the primary key; nil if the class has none.
  public let primaryKey: RealmValue?
  /// The requested properties, in the order of their declarations.
  public let fields: [Field]

  /// The value of a property.
  public struct Field: Sendable, Hashable {
    /// The name of the property.
    public let name: String
    /// The value; ``RealmValue/null`` if it cannot be read.
    public let value: RealmValue
    /// The error of a value that cannot be read; nil if it can.
    public let problem: RealmError?

    /// Creates a value of a property.
    public init(_ name: String, _ value: RealmValue, problem: RealmError? = nil) {
      self.name = name
      self.value = value
      self.problem = problem
    }
  }

  /// Creates an object.
  public init(
    className: String, objectKey: Int64, primaryKey: RealmValue?, fields: [Field]
  ) {
    self.className = className
    self.objectKey = objectKey
    self.primaryKey = primaryKey
    self.fields = fields
  }

  /// The value of a property; nil if there is no such property or its value cannot be read.
  public subscript(name: String) -> RealmValue? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) && $0.problem == nil }?.value
  }

  /// The error of the first value that cannot be read; nil if all can.
  public var problem: RealmError? {
    fields.lazy.compactMap(\.problem).first
  }
}
