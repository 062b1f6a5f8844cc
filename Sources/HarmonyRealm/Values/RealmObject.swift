/// An object, as it was at the moment it was read.
public struct RealmObject: Sendable, Hashable {
  /// The class.
  public let className: String
  /// The key within its class, which Realm never shows.
  public let objectKey: Int64
  /// The value of the primary key; nil where the class has none.
  public let primaryKey: RealmValue?
  /// The properties that were asked for, in the order in which they are declared.
  public let fields: [Field]

  /// The value of a property.
  public struct Field: Sendable, Hashable {
    /// The name of the property.
    public let name: String
    /// The value; ``RealmValue/null`` where it cannot be read.
    public let value: RealmValue
    /// Why the value cannot be read; nil where it can.
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

  /// The value of a property; nil where there is none of the name, or where it cannot be read.
  public subscript(name: String) -> RealmValue? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) && $0.problem == nil }?.value
  }

  /// What is wrong with the first value that cannot be read; nil where all can.
  public var problem: RealmError? {
    fields.lazy.compactMap(\.problem).first
  }
}
