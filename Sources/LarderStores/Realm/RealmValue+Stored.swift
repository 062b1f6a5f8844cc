import Foundation
import HarmonyRealm
import LarderModel

extension RealmValue {
  /// The value as it is shown and edited.
  ///
  /// A link becomes an address within the file. A decimal number keeps its digits.
  var stored: StoredValue {
    switch self {
    case .null: .null
    case .int(let number): .integer(number)
    case .bool(let flag): .bool(flag)
    // The shortest description in single precision, not that of the number converted to double.
    case .float(let number):
      number.isFinite ? StoredValue(digits: number.description) : .real(Double(number))
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    case .malformedString(let bytes): .malformedText(bytes)
    case .binary(let bytes): .data(bytes)
    case .timestamp(let moment): .date(moment.date)
    case .objectID(let id): .text(id.description)
    case .uuid(let uuid): .uuid(uuid)
    case .decimal(let number):
      switch number.form {
      // The same number that parsing its digits would produce.
      case .finite: StoredValue(digits: number.description)
      case .infinity: .real(number.isNegative ? -.infinity : .infinity)
      case .nan: .real(.nan)
      }
    case .link(let link): .url(EntryLink(collection: link.className, key: link.key).text)
    case .embedded(let object):
      .dictionary(object.fields.map { StoredValue.Field($0.name, $0.value.stored) })
    case .list(let values), .set(let values): .array(values.map(\.stored))
    case .dictionary(let entries):
      .dictionary(entries.map { StoredValue.Field($0.key.name, $0.value.stored) })
    }
  }

  /// The name of a dictionary entry with this key.
  var name: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .malformedString(let bytes): String(decoding: bytes, as: UTF8.self)
    default: ""
    }
  }

  /// The entry key for a primary key, or nil for a value that cannot be one.
  var entryKey: EntryKey? {
    switch self {
    case .null: .null
    case .int(let number): .integer(number)
    case .string(let text): .text(text)
    case .malformedString(let bytes): .malformedText(bytes)
    case .objectID(let id): .text(id.description)
    case .uuid(let uuid): .text(uuid.uuidString.lowercased())
    default: nil
    }
  }
}

extension RealmValue {
  /// Creates the primary key for an entry key, or returns nil if the key does not fit the type.
  init?(_ key: EntryKey, _ type: RealmPropertyType) {
    switch (key, type) {
    case (.null, _): self = .null
    case (.integer(let number), .int): self = .int(number)
    case (.text(let text), .string): self = .string(text)
    case (.malformedText(let bytes), .string): self = .malformedString(bytes)
    case (.text(let text), .objectID):
      guard let id = RealmObjectID(text), id.description == text else { return nil }
      self = .objectID(id)
    case (.text(let text), .uuid):
      guard let uuid = UUID(uuidString: text), uuid.uuidString.lowercased() == text else {
        return nil
      }
      self = .uuid(uuid)
    default: return nil
    }
  }
}

extension RealmLink {
  /// The entry key of the object in its collection.
  fileprivate var key: EntryKey { primaryKey?.entryKey ?? .integer(objectKey) }
}

extension RealmObject {
  /// The entry key of the object in its collection.
  var key: EntryKey { primaryKey?.entryKey ?? .integer(objectKey) }

  /// Returns the complete entry, with the distinctions that only Realm makes as its form.
  ///
  /// - Throws: ``StoreError`` if a part of the object cannot be read.
  func entry(_ key: EntryKey, _ path: String) throws(StoreError) -> Entry {
    Entry(key: key, value: try stored(path), form: RealmForm.text(of: self))
  }

  /// Returns the complete object as a record.
  ///
  /// - Throws: ``StoreError`` if a part of the object cannot be read.
  func stored(_ path: String) throws(StoreError) -> StoredValue {
    var fields: [StoredValue.Field] = []
    for field in self.fields {
      if let problem = field.problem ?? field.value.problem {
        throw .unreadableProperty(
          "\(className).\(field.name)", of: key, in: path, problem.message)
      }
      fields.append(StoredValue.Field(field.name, field.value.stored))
    }
    return .record(fields)
  }
}

extension RealmValue {
  /// The first error of an object nested in the value, or nil if all were read.
  fileprivate var problem: RealmError? {
    switch self {
    case .embedded(let object):
      object.problem ?? object.fields.lazy.compactMap(\.value.problem).first
    case .list(let values), .set(let values): values.lazy.compactMap(\.problem).first
    case .dictionary(let entries): entries.lazy.compactMap(\.value.problem).first
    default: nil
    }
  }
}
