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

/// Foundation objects without references to other objects.
enum KeyedArchiveScalar {
  /// Returns the value of an object; nil if its class is unknown or the object is damaged.
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
