import Foundation
import HarmonyRealm
import LarderModel

extension RealmValue {
  /// The value as the browser has it.
  ///
  /// A link is an address inside of the file; a decimal number keeps its digits.
  var stored: StoredValue {
    switch self {
    case .null: .null
    case .int(let number): .integer(number)
    case .bool(let flag): .bool(flag)
    // In the digits of its own precision, not in those of the next wider one.
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
      // As it is read again where its digits were written.
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

  /// The name of an entry in a dictionary.
  var name: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .malformedString(let bytes): String(decoding: bytes, as: UTF8.self)
    default: ""
    }
  }

  /// The key that a primary key is; nil for what can be none.
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
  /// The primary key of a type that is the key of an entry; nil where there is none.
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
  /// The key of the object in its collection.
  fileprivate var key: EntryKey { primaryKey?.entryKey ?? .integer(objectKey) }
}

extension RealmObject {
  /// The key of the object in its collection.
  var key: EntryKey { primaryKey?.entryKey ?? .integer(objectKey) }

  /// The whole entry, with what only Realm tells apart as its form.
  ///
  /// - Throws: ``StoreError`` where a part of it cannot be read.
  func entry(_ key: EntryKey, _ path: String) throws(StoreError) -> Entry {
    Entry(key: key, value: try stored(path), form: RealmForm.text(of: self))
  }

  /// All of the object, as the columns of a row.
  ///
  /// - Throws: ``StoreError`` where a part of it cannot be read.
  func stored(_ path: String) throws(StoreError) -> StoredValue {
    var fields: [StoredValue.Field] = []
    for field in self.fields {
      if let problem = field.problem ?? field.value.problem {
        throw .corrupt(
          "\(className).\(field.name) of \(key.spoken) in \(path) cannot be read: \(problem.message)"
        )
      }
      fields.append(StoredValue.Field(field.name, field.value.stored))
    }
    return .record(fields)
  }
}

extension RealmValue {
  /// What is wrong with an object inside of the value; nil where all of it was read.
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
