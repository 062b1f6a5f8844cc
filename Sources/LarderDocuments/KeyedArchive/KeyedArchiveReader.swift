import LarderModel
import Foundation

/// Resolves the references between the objects of a keyed archive.
struct KeyedArchiveReader {
  /// The depth beyond which objects become `$ref`.
  private static let maximumDepth = 128

  private let objects: [StoredValue]
  private var valuesLeft: Int
  /// The objects that enclose the current one.
  private var parents: [Int] = []

  /// Creates a reader that stops after a number of values.
  init(_ objects: [StoredValue], valuesLeft: Int) {
    self.objects = objects
    self.valuesLeft = valuesLeft
  }

  /// Resolves a value of the archive; returns nil if it expands to too many values.
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

  /// Returns the number of the object that a value references, or nil if it is not a reference.
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

  /// Returns the name of an object's class, or nil if it has none.
  private func className(_ members: KeyedArchiveMembers) -> String? {
    guard let reference = members["$class"].flatMap(Self.reference),
      objects.indices.contains(reference), case .dictionary(let fields) = objects[reference],
      case .text(let name) = KeyedArchiveMembers(fields)["$classname"]
    else { return nil }
    return name
  }

  /// Returns the members of an object of an unknown class, after the class itself.
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

  /// Returns the value of an object of a Foundation class; nil for other classes or a damaged
  /// object.
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
    // The base of a relative URL is an NSURL object too.
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
