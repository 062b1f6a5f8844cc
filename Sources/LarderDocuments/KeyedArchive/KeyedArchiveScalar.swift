import LarderModel
import Foundation

/// The members of an object in a keyed archive, by name.
struct KeyedArchiveMembers {
  let fields: [StoredValue.Field]

  init(_ fields: [StoredValue.Field]) {
    self.fields = fields
  }

  subscript(name: String) -> StoredValue? {
    fields.first { $0.name == name }?.value
  }
}

/// The objects of Foundation's classes that refer to no others.
enum KeyedArchiveScalar {
  /// The value of an object; nil where the class is none of these, or the object is damaged.
  static func value(_ className: String, _ members: KeyedArchiveMembers) -> StoredValue? {
    switch className {
    case "NSDate":
      switch members["NS.time"] {
      case .real(let time): .date(Date(timeIntervalSinceReferenceDate: time))
      case .integer(let time): .date(Date(timeIntervalSinceReferenceDate: Double(time)))
      default: nil
      }
    case "NSUUID":
      if case .data(let bytes) = members["NS.uuidbytes"] {
        UUID(bytes: bytes).map(StoredValue.uuid)
      } else {
        nil
      }
    case "NSNumber":
      members["NS.boolval"] ?? members["NS.intval"] ?? members["NS.dblval"]
    default: nil
    }
  }
}
