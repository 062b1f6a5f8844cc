import LarderModel
import Foundation

/// Follows the references between the objects of a keyed archive.
struct KeyedArchiveReader {
  /// Deeper objects are only named.
  private static let maximumDepth = 128

  private let objects: [StoredValue]
  private var valuesLeft: Int
  /// The objects that the one being read is in.
  private var parents: [Int] = []

  /// Starts reading.
  init(_ objects: [StoredValue], valuesLeft: Int) {
    self.objects = objects
    self.valuesLeft = valuesLeft
  }

  /// The value that a value of the archive stands for; nil if it becomes too large.
  mutating func value(_ value: StoredValue) -> StoredValue? {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { return nil }
    if let number = Self.reference(value) { return object(number) }
    switch value {
    case .array(let values): return array(values)
    case .dictionary(let fields): return self.fields(fields).map(StoredValue.dictionary)
    default: return value
    }
  }

  /// The number of the object that a value refers to; nil if it is no reference.
  private static func reference(_ value: StoredValue) -> Int? {
    guard case .dictionary(let fields) = value, fields.count == 1, let field = fields.first,
      field.name == BinaryReader.uidName, case .integer(let number) = field.value
    else { return nil }
    return Int(exactly: number)
  }

  private mutating func object(_ number: Int) -> StoredValue? {
    guard objects.indices.contains(number), !parents.contains(number),
      parents.count < Self.maximumDepth
    else { return .dictionary([StoredValue.Field("$ref", .integer(Int64(number)))]) }
    switch objects[number] {
    case .text("$null"): return .null
    case .dictionary(let fields):
      parents.append(number)
      defer { parents.removeLast() }
      let members = KeyedArchiveMembers(fields)
      guard let className = className(members) else {
        return self.fields(fields).map(StoredValue.dictionary)
      }
      return foundation(className, members) ?? plain(className, members)
    case let other: return other
    }
  }

  /// The name of an object's class; nil where the object has none.
  private func className(_ members: KeyedArchiveMembers) -> String? {
    guard let reference = members["$class"].flatMap(Self.reference),
      objects.indices.contains(reference), case .dictionary(let fields) = objects[reference],
      case .text(let name) = KeyedArchiveMembers(fields)["$classname"]
    else { return nil }
    return name
  }

  /// An object of a class that is not known: all of its members, after the class.
  private mutating func plain(
    _ className: String, _ members: KeyedArchiveMembers
  ) -> StoredValue? {
    guard let fields = fields(members.fields.filter { $0.name != "$class" }) else { return nil }
    return .dictionary([StoredValue.Field("$class", .text(className))] + fields)
  }

  private mutating func array(_ values: [StoredValue]) -> StoredValue? {
    var result: [StoredValue] = []
    for element in values {
      guard let element = value(element) else { return nil }
      result.append(element)
    }
    return .array(result)
  }

  private mutating func fields(_ fields: [StoredValue.Field]) -> [StoredValue.Field]? {
    var result: [StoredValue.Field] = []
    for field in fields {
      guard let value = value(field.value) else { return nil }
      result.append(StoredValue.Field(field.name, value))
    }
    return result
  }

  /// The value of an object of one of Foundation's classes; nil where it is not one, or is damaged.
  private mutating func foundation(
    _ className: String, _ members: KeyedArchiveMembers
  ) -> StoredValue? {
    switch className {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      guard case .array(let values) = members["NS.objects"] else { return nil }
      return array(values)
    case "NSDictionary", "NSMutableDictionary":
      guard case .array(let keys) = members["NS.keys"],
        case .array(let values) = members["NS.objects"], keys.count == values.count
      else { return nil }
      return dictionary(keys, values)
    case "NSString", "NSMutableString":
      return members["NS.string"].flatMap { value($0) } ?? members["NS.bytes"].flatMap(Self.text)
    case "NSData", "NSMutableData":
      return (members["NS.data"] ?? members["NS.bytes"]).flatMap { value($0) }
    case "NSAttributedString", "NSMutableAttributedString":
      return (members["NSString"] ?? members["NS.string"]).flatMap { value($0) }
    case "NSURL": return url(members)
    case "NSNull": return .null
    default: return KeyedArchiveScalar.value(className, members)
    }
  }

  private mutating func dictionary(_ keys: [StoredValue], _ values: [StoredValue]) -> StoredValue? {
    var fields: [StoredValue.Field] = []
    for (key, member) in zip(keys, values) {
      guard let key = value(key), let value = value(member) else { return nil }
      let name = if case .text(let text) = key { text } else { JSONText.encode(key) }
      fields.append(StoredValue.Field(name, value))
    }
    return .dictionary(fields)
  }

  private mutating func url(_ members: KeyedArchiveMembers) -> StoredValue? {
    guard case .text(let relative) = members["NS.relative"].flatMap({ value($0) }) else {
      return nil
    }
    // What a relative address is relative to is an address itself.
    guard case .url(let base) = members["NS.base"].flatMap({ value($0) }),
      let whole = URL(string: relative, relativeTo: URL(string: base))
    else { return .url(relative) }
    return .url(whole.absoluteString)
  }

  private static func text(_ value: StoredValue) -> StoredValue? {
    guard case .data(let bytes) = value else { return nil }
    return StoredValue(textBytes: bytes)
  }
}
