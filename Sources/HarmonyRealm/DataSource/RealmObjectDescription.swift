/// What a class of a Realm file is like to a program that reads it.
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
/// - Note: Upstream takes a class of RealmSwift, of which there is none on Linux.
public protocol RealmObjectDescription: Sendable {
  /// The name of the class, as the app declares it.
  static var className: String { get }

  /// The property that objects are looked up by; nil for the primary key that the file declares,
  /// and for the object key where it declares none.
  static var primaryKey: String? { get }

  /// Makes a value of an object of the class.
  ///
  /// - Parameter object: The object, with all of its properties.
  /// - Throws: Why the object cannot be one, such as ``Harmony/CoreError/DataSerialization``.
  init(_ object: RealmObject) throws
}

extension RealmObjectDescription {
  /// The primary key that the file declares.
  public static var primaryKey: String? { nil }
}
