public import Foundation

/// A value of a property, with its type.
public enum RealmValue: Sendable, Hashable {
  /// No value.
  case null
  /// A signed integer.
  case int(Int64)
  /// A Boolean.
  case bool(Bool)
  /// A floating-point number of 32 bits.
  case float(Float)
  /// A floating-point number of 64 bits.
  case double(Double)
  /// A string.
  case string(String)
  /// A string whose bytes are not valid UTF-8.
  case malformedString([UInt8])
  /// Binary data.
  case binary([UInt8])
  /// A date.
  case timestamp(RealmTimestamp)
  /// An identifier of 12 bytes.
  case objectID(RealmObjectID)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A decimal number.
  indirect case decimal(RealmDecimal)
  /// A link to another object.
  indirect case link(RealmLink)
  /// An object that is owned by this one.
  indirect case embedded(RealmObject)
  /// An ordered collection.
  case list([RealmValue])
  /// A collection of unique values, in the order of the file.
  case set([RealmValue])
  /// A collection of values with keys, in the order of the file.
  case dictionary([Entry])

  /// An entry of a dictionary.
  public struct Entry: Sendable, Hashable {
    /// The key: a string or a number.
    public let key: RealmValue
    /// The value.
    public let value: RealmValue

    /// Creates an entry.
    public init(key: RealmValue, value: RealmValue) {
      self.key = key
      self.value = value
    }
  }
}

extension RealmValue {
  /// Creates a string value from the bytes in a file.
  init(textBytes: ArraySlice<UInt8>) {
    if let text = String(validating: textBytes, as: UTF8.self) {
      self = .string(text)
    } else {
      self = .malformedString(Array(textBytes))
    }
  }
}

/// A link to an object.
public struct RealmLink: Sendable, Hashable {
  /// The class of the object.
  public let className: String
  /// The key of the object within its class, which is internal to Realm.
  public let objectKey: Int64
  /// The value of the object's primary key; nil if its class has none.
  public let primaryKey: RealmValue?

  /// Creates a link.
  public init(className: String, objectKey: Int64, primaryKey: RealmValue?) {
    self.className = className
    self.objectKey = objectKey
    self.primaryKey = primaryKey
  }
}
