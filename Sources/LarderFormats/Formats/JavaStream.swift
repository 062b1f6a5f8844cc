import LarderModel
import Foundation

/// The objects of a Java serialization stream.
///
/// Strings, arrays, boxed numbers and common collections have their own forms; other objects are
/// dictionaries of their class and fields.
struct JavaStream {
  /// The maximum number of values, including each repetition of an object that is referred to.
  ///
  /// Long strings count as several, so that references to them are limited as well.
  private static let maximumCount = 500_000

  /// The objects at the top level.
  private(set) var objects: [StoredValue] = []
  /// The names of the classes, in the order of the stream.
  private(set) var classes: [String] = []
  /// The strings other than names of classes and fields, in the order of the stream.
  private(set) var texts: [String] = []
  /// The class of the first object, if it has one.
  private(set) var rootClass: String?
  /// The reason why the stream was not read to its end, and nil if it was.
  private(set) var problem: String?
  /// The offset up to which the stream was read.
  var place: Int { cursor.offset }

  private var cursor: ByteCursor
  private var handles: [Handle] = []
  private var left = maximumCount

  /// Something that the stream can refer to later.
  private enum Handle {
    case value(StoredValue, count: Int)
    case levels([Level])
    /// An object that is not complete, which would contain itself.
    case open(String)
  }

  /// A class with its fields, as one level of the classes that an object inherits from.
  private struct Level {
    let name: String
    var flags: UInt8 = 0
    var fields: [(type: UInt8, name: String)] = []
    /// The number of values that its names count as in each object.
    var cost = 1
  }

  /// The bytes and objects that the methods of a class wrote.
  private struct Annotation {
    var bytes: [UInt8] = []
    var objects: [StoredValue] = []
  }

  /// Reads a stream.
  init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes[...])
    do throws(FormatError) {
      guard try cursor.big(UInt32.self) == 0xACED_0005 else {
        throw FormatError.unknownVersion
      }
      objects = try annotation(isInside: false).objects
    } catch {
      problem = error.reason
    }
  }

  /// Whether bytes begin like a stream.
  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xAC, 0xED, 0, 5]) && bytes.count > 4 && 0x70...0x7E ~= bytes[4]
  }

  /// The strings of a stream that consists of an `ArrayList` of strings, or nil for any other.
  var strings: [String]? {
    guard problem == nil, classes == ["java.util.ArrayList"], objects.count == 1,
      case .array(let items)? = objects.first
    else { return nil }
    let strings = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
    return strings.count == items.count ? strings : nil
  }

  // MARK: The grammar of the stream

  /// Reads bytes and objects, up to the mark that ends those of a class or to the end.
  private mutating func annotation(
    isInside: Bool = true
  ) throws(FormatError) -> Annotation {
    var annotation = Annotation()
    while isInside || cursor.left > 0 {
      switch cursor.next {
      case 0x77: annotation.bytes += try block(UInt8.self)
      case 0x7A: annotation.bytes += try block(UInt32.self)
      case 0x78 where isInside:
        _ = try cursor.byte()
        return annotation
      case 0x79:
        _ = try cursor.byte()
        handles = []
      default: annotation.objects.append(try object())
      }
    }
    if !annotation.bytes.isEmpty { annotation.objects.append(.data(annotation.bytes)) }
    return annotation
  }

  /// Reads a block of bytes whose length is a number of a type.
  private mutating func block<Length: FixedWidthInteger>(
    _ length: Length.Type
  ) throws(FormatError) -> ArraySlice<UInt8> {
    _ = try cursor.byte()
    return try cursor.take(try cursor.big(length))
  }

  /// Reads an object, string, array, enumeration constant or reference.
  private mutating func object() throws(FormatError) -> StoredValue {
    try count(1)
    try cursor.enter()
    defer { cursor.leave() }
    let before = left
    let kind = try cursor.byte()
    switch kind {
    case 0x70: return .null
    case 0x71: return try reference()
    case 0x74, 0x7C:
      let text = kind == 0x74 ? try text(UInt16.self) : try text(UInt64.self)
      texts.append(text)
      try count(text.utf8.count / 64)
      handles.append(.value(.text(text), count: before - left + 1))
      return .text(text)
    case 0x72, 0x7D: return try note("class ", try levels(kind).last?.name ?? "")
    case 0x73, 0x75, 0x76, 0x7E: break
    default: throw FormatError.unknownCode(kind)
    }
    let levels = try levels(try cursor.byte())
    let name = levels.last?.name ?? ""
    if rootClass == nil { rootClass = name }
    let handle = handles.count
    handles.append(.open(name))
    let value: StoredValue =
      switch kind {
      case 0x73: try instance(of: levels, name)
      case 0x75: try array(of: name)
      case 0x76: try note("class ", name)
      default: try object()
      }
    // A reset inside the object has dropped its handle.
    if handles.indices.contains(handle) {
      handles[handle] = .value(value, count: before - left + 1)
    }
    return value
  }

  /// Subtracts from the number of values that the stream may have.
  private mutating func count(_ values: Int) throws(FormatError) {
    left -= values
    guard left >= 0 else { throw FormatError.tooManyObjects }
  }

  private mutating func note(_ text: String, _ name: String) throws(FormatError) -> StoredValue {
    try count(name.utf8.count / 64)
    return .text(text + name)
  }

  private mutating func handle() throws(FormatError) -> Handle {
    let index = Int(try cursor.big(UInt32.self)) - 0x7E_0000
    guard handles.indices.contains(index) else {
      throw FormatError.danglingReference
    }
    return handles[index]
  }

  private mutating func reference() throws(FormatError) -> StoredValue {
    switch try handle() {
    case .value(let value, let count):
      try self.count(count)
      return value
    case .open(let name): return try note("… recursive, the enclosing ", name)
    case .levels(let levels): return try note("class ", levels.last?.name ?? "")
    }
  }

  /// Reads the description of a class, and returns it after the classes that it inherits from.
  private mutating func levels(_ kind: UInt8) throws(FormatError) -> [Level] {
    try cursor.enter()
    defer { cursor.leave() }
    try count(1)
    let handle = handles.count
    var level: Level
    switch kind {
    case 0x70: return []
    case 0x71:
      guard case .levels(let levels) = try self.handle() else {
        throw FormatError.danglingReference
      }
      return levels
    case 0x72:
      level = Level(name: try text(UInt16.self))
      _ = try cursor.take(8)
      handles.append(.open(level.name))
      level.flags = try cursor.byte()
      for _ in 0..<(try cursor.big(UInt16.self)) {
        try count(1)
        let type = try cursor.byte()
        level.fields.append((type, try text(UInt16.self)))
        // The type of an object is a string, which is not shown.
        if type == 0x4C || type == 0x5B {
          let known = texts.count
          _ = try object()
          texts.removeSubrange(min(known, texts.count)...)
        }
      }
    case 0x7D:
      level = Level(name: "a proxy", flags: 2)
      handles.append(.open(level.name))
      for _ in 0..<(try cursor.big(UInt32.self)) {
        try count(1)
        classes.append(try text(UInt16.self))
      }
    default: throw FormatError.missing("class")
    }
    classes.append(level.name)
    _ = try annotation()
    level.cost += level.fields.reduce(level.name.utf8.count) { $0 + $1.name.utf8.count } / 64
    let levels = try levels(try cursor.byte()) + [level]
    try count(levels.count)
    if handles.indices.contains(handle) { handles[handle] = .levels(levels) }
    return levels
  }

  private mutating func instance(
    of levels: [Level], _ name: String
  ) throws(FormatError) -> StoredValue {
    var object = JavaObject(name: name)
    for level in levels {
      try count(level.cost)
      if level.flags & 2 != 0 {
        for field in level.fields {
          object.fields.append(.init(field.name, try value(field.type)))
        }
      }
      // Flags of a class that writes on its own, by its method or entirely.
      if level.flags & 3 == 3 || level.flags & 12 == 12 {
        let written = try annotation()
        object.bytes += written.bytes
        object.objects += written.objects
      } else if level.flags & 4 != 0 {
        throw FormatError.customEncoding(level.name)
      }
    }
    try count(object.cost)
    return object.value
  }

  private mutating func array(of name: String) throws(FormatError) -> StoredValue {
    let count = Int(try cursor.big(UInt32.self))
    guard let type = name.utf8.dropFirst().first, count <= cursor.left else {
      throw FormatError.endsEarly
    }
    if type == 0x42 {
      try self.count(count / 64)
      return .data(Array(try cursor.take(count)))
    }
    var values: [StoredValue] = []
    for _ in 0..<count { values.append(try value(type)) }
    return .array(values)
  }

  /// Reads a field or an element of a type, which is the letter that Java has for it.
  private mutating func value(_ type: UInt8) throws(FormatError) -> StoredValue {
    if type == 0x4C || type == 0x5B { return try object() }
    try count(1)
    switch type {
    case 0x42: return .integer(Int64(try cursor.big(Int8.self)))
    case 0x43: return .text(String(utf16CodeUnits: [try cursor.big(UInt16.self)], count: 1))
    case 0x44: return .real(Double(bitPattern: try cursor.big(UInt64.self)))
    case 0x46: return StoredValue(Float(bitPattern: try cursor.big(UInt32.self)))
    case 0x49: return .integer(Int64(try cursor.big(Int32.self)))
    case 0x4A: return .integer(try cursor.big(Int64.self))
    case 0x53: return .integer(Int64(try cursor.big(Int16.self)))
    case 0x5A: return .bool(try cursor.byte() != 0)
    default: throw FormatError.unknownCode(type)
    }
  }

  /// Reads text in Java's UTF-8, after its length.
  ///
  /// Characters beyond 16 bits are two surrogates of three bytes each, and zero has two bytes.
  private mutating func text<Length: FixedWidthInteger>(
    _ length: Length.Type
  ) throws(FormatError) -> String {
    let bytes = try cursor.take(try cursor.big(length))
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var units: [UInt16] = []
    var rest = ByteCursor(bytes)
    while rest.left > 0 {
      let first = UInt16(try rest.byte())
      let more = first < 0x80 ? 0 : first < 0xE0 ? 1 : 2
      let mask: UInt16 = more == 0 ? 0x7F : more == 1 ? 0x1F : 0x0F
      units.append(try rest.take(more).reduce(first & mask) { $0 << 6 | UInt16($1 & 0x3F) })
    }
    return String(decoding: units, as: UTF16.self)
  }
}
