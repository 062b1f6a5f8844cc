/// The representation of a class of a Realm file in a program.
///
/// ```swift
/// struct Owner: RealmObjectDescription {
///   static let className = "Owner"
///   let id: Int
///   let name: String
///
///   init(_ object: RealmObject) throws {
///     id = try object.value("id")
///     name = try object.value("name")
///   }
/// }
/// ```
///
/// - Note: Upstream takes a RealmSwift class, which does not exist on Linux.
public protocol RealmObjectDescription: Sendable {
  /// The name of the class, as the app declares it.
  static var className: String { get }

  /// The property that identifies objects; nil for the primary key that the file declares, or the
  /// object key if it declares none.
  static var primaryKey: String? { get }

  /// Creates a value from an object of the class.
  ///
  /// - Parameter object: The object, with all of its properties.
  /// - Throws: An error if the object cannot be converted, such as
  ///   ``Harmony/CoreError/DataSerialization``.
  init(_ object: RealmObject) throws
}

extension RealmObjectDescription {
  /// The primary key that the file declares.
  public static var primaryKey: String? { nil }
}
