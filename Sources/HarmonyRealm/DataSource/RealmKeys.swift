import Foundation
import Harmony

/// The keys of the objects of a class, as strings.
struct RealmKeys {
  let found: RealmClass
  /// The property that is the key; nil for the object key.
  private let property: RealmProperty?

  /// Creates the keys of a class.
  ///
  /// - Parameters:
  ///   - found: The class.
  ///   - name: The property that is the key; nil for the primary key that the file declares.
  /// - Throws: ``RealmError`` if there is no such property.
  init(_ found: RealmClass, _ name: String?) throws(RealmError) {
    self.found = found
    property =
      try name.map { name throws(RealmError) in
        guard let property = found.property(name), property.collection == nil else {
          throw RealmError.noKey(name, of: found.name)
        }
        return property
      } ?? found.primaryKey
  }

  /// Returns the object with a key; nil if there is none.
  func object(_ key: String, _ reading: RealmReading) throws -> RealmObject? {
    guard let property else {
      return try Int64(key).flatMap { try reading.object($0, of: found) }
    }
    guard let wanted = Self.value(key, property.type) else { return nil }
    if property == found.primaryKey {
      return try reading.object(primaryKey: wanted, of: found)
    }
    var objectKey: Int64?
    try reading.forEachValue(of: property, in: found) { key, value in
      guard value.isKey(wanted) else { return true }
      objectKey = key
      return false
    }
    return try objectKey.flatMap { try reading.object($0, of: found) }
  }

  /// Returns the object with a key; throws if there is none.
  func found(_ key: String, _ reading: RealmReading) throws -> RealmObject {
    guard let object = try object(key, reading) else { throw CoreError.NotFound() }
    return object
  }

  /// Returns all keys in the order of their UTF-8, except for objects without a primary key value.
  func sorted(_ reading: RealmReading) throws -> [String] {
    var keys: [String] = []
    if let property {
      try reading.forEachValue(of: property, in: found) { _, value in
        if let text = Self.text(value) { keys.append(text) }
        return true
      }
    } else {
      try reading.forEachKey(of: found) { key in
        keys.append(String(key))
        return true
      }
    }
    return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func value(_ key: String, _ type: RealmPropertyType) -> RealmValue? {
    switch type {
    case .int: Int64(key).map { .int($0) }
    case .string: .string(key)
    case .uuid: UUID(uuidString: key).map { .uuid($0) }
    case .objectID: RealmObjectID(key).map { .objectID($0) }
    default: nil
    }
  }

  private static func text(_ value: RealmValue) -> String? {
    switch value {
    case .int(let number): String(number)
    case .string(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .objectID(let id): id.description
    default: nil
    }
  }
}
