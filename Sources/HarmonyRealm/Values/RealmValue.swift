public import Foundation

/// A value of a property, with its type.
public enum RealmValue: Sendable, Hashable {
  /// No value.
  case null
  /// A signed whole number.
  case int(Int64)
  /// True or false.
  case bool(Bool)
  /// A floating-point number of 32 bits.
  case float(Float)
  /// A floating-point number of 64 bits.
  case double(Double)
  /// Text.
  case string(String)
  /// Text whose bytes are not valid UTF-8.
  case malformedString([UInt8])
  /// Bytes.
  case binary([UInt8])
  /// A moment.
  case timestamp(RealmTimestamp)
  /// An identifier of 12 bytes.
  case objectID(RealmObjectID)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A decimal number.
  indirect case decimal(RealmDecimal)
  /// A link to another object.
  indirect case link(RealmLink)
  /// An object that belongs to this one.
  indirect case embedded(RealmObject)
  /// Values in order.
  case list([RealmValue])
  /// Values of which each is there once, in the order of the file.
  case set([RealmValue])
  /// Values under keys, in the order of the file.
  case dictionary([Entry])

  /// A value under its key in a dictionary.
  public struct Entry: Sendable, Hashable {
    /// The key: text, or a number.
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
  /// The text that bytes of a file stand for.
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
  /// The key of the object, which is unique within its class and never shown by Realm.
  public let objectKey: Int64
  /// The value of the object's primary key; nil where its class has none.
  public let primaryKey: RealmValue?

  /// Creates a link.
  public init(className: String, objectKey: Int64, primaryKey: RealmValue?) {
    self.className = className
    self.objectKey = objectKey
    self.primaryKey = primaryKey
  }
}
