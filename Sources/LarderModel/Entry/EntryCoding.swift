import Foundation

/// A lossless binary encoding of values and keys for larder's own files.
///
/// Invalid input of any kind decodes to nil.
package enum EntryCoding {
  /// Encodes a value, with its storage form if it has one, and with the entry's fingerprint if that
  /// differs from the value's.
  package static func encode(
    _ value: StoredValue, form: String? = nil, fingerprint: Fingerprint? = nil
  ) -> [UInt8] {
    var writer = EntryWriter()
    if let form { writer.write(form: form) }
    if let fingerprint { writer.write(fingerprint: fingerprint) }
    writer.write(value)
    return writer.bytes
  }

  /// Encodes a key.
  package static func encode(_ key: EntryKey) -> [UInt8] {
    var writer = EntryWriter()
    writer.write(key)
    return writer.bytes
  }

  /// Decodes a value.
  package static func value(_ bytes: [UInt8]) -> StoredValue? {
    var reader = EntryReader(bytes)
    _ = reader.form()
    _ = reader.fingerprint()
    guard let value = reader.value(), reader.isAtEnd else { return nil }
    return value
  }

  /// Decodes the entry's fingerprint, or returns nil if it is the fingerprint of the value.
  package static func fingerprint(_ bytes: [UInt8]) -> Fingerprint? {
    var reader = EntryReader(bytes)
    _ = reader.form()
    return reader.fingerprint()
  }

  /// Decodes the value's storage form, or returns nil if it has none.
  package static func form(_ bytes: [UInt8]) -> String? {
    var reader = EntryReader(bytes)
    return reader.form()
  }

  /// Decodes a key.
  package static func key(_ bytes: [UInt8]) -> EntryKey? {
    var reader = EntryReader(bytes)
    guard let key = reader.key(), reader.isAtEnd else { return nil }
    return key
  }
}

/// The type byte of an encoded part; the raw values are in files and must never change.
private enum Tag: UInt8 {
  case null, no, yes, integer, real, number, text, malformedText, data, date, url, uuid, array
  case dictionary, record, composite, form, fingerprint
}

private struct EntryWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: StoredValue) {
    switch value {
    case .null: put(.null)
    case .bool(let flag): put(flag ? .yes : .no)
    case .integer(let number): put(.integer, UInt64(bitPattern: number))
    case .real(let number): put(.real, number.bitPattern)
    case .number(let digits): put(.number, digits.utf8)
    case .text(let text): put(.text, text.utf8)
    case .malformedText(let bytes): put(.malformedText, bytes)
    case .data(let bytes): put(.data, bytes)
    case .date(let date): put(.date, date.timeIntervalSinceReferenceDate.bitPattern)
    case .url(let text): put(.url, text.utf8)
    case .uuid(let uuid): put(.uuid, uuid.uuidString.utf8)
    case .array(let values):
      put(.array)
      put(count: values.count)
      for value in values { write(value) }
    case .dictionary(let fields): write(fields, .dictionary)
    case .record(let fields): write(fields, .record)
    }
  }

  mutating func write(_ key: EntryKey) {
    switch key {
    case .null: put(.null)
    case .integer(let number): put(.integer, UInt64(bitPattern: number))
    case .real(let number): put(.real, number.bitPattern)
    case .text(let text): put(.text, text.utf8)
    case .malformedText(let bytes): put(.malformedText, bytes)
    case .bytes(let bytes): put(.data, bytes)
    case .composite(let parts):
      put(.composite)
      put(count: parts.count)
      for part in parts { write(part) }
    }
  }

  mutating func write(form: String) {
    put(.form, form.utf8)
  }

  mutating func write(fingerprint: Fingerprint) {
    put(.fingerprint, fingerprint.description.utf8)
  }

  private mutating func write(_ fields: [StoredValue.Field], _ tag: Tag) {
    put(tag)
    put(count: fields.count)
    for field in fields {
      put(.text, field.name.utf8)
      write(field.value)
    }
  }

  private mutating func put(_ tag: Tag) {
    bytes.append(tag.rawValue)
  }

  private mutating func put(_ tag: Tag, _ word: UInt64) {
    put(tag)
    put(word)
  }

  private mutating func put(_ tag: Tag, _ content: some Collection<UInt8>) {
    put(tag)
    put(count: content.count)
    bytes += content
  }

  private mutating func put(count: Int) {
    put(UInt64(count))
  }

  private mutating func put(_ word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}

private struct EntryReader {
  private static let maximumDepth = 1_024
  private var rest: ArraySlice<UInt8>
  private var depth = 0

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func value() -> StoredValue? {
    guard let tag = tag() else { return nil }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .integer: return word().map { .integer(Int64(bitPattern: $0)) }
    case .real: return word().map { .real(Double(bitPattern: $0)) }
    case .number: return text().map { .number($0) }
    case .text: return text().map { .text($0) }
    case .malformedText: return content().map { .malformedText(Array($0)) }
    case .data: return content().map { .data(Array($0)) }
    case .date:
      return word().map {
        .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)))
      }
    case .url: return text().map { .url($0) }
    case .uuid: return text().flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
    case .array: return list { $0.value() }.map { .array($0) }
    case .dictionary: return list { $0.field() }.map { .dictionary($0) }
    case .record: return list { $0.field() }.map { .record($0) }
    case .composite, .form, .fingerprint: return nil
    }
  }

  /// Reads the storage form that can precede a value.
  mutating func form() -> String? {
    guard rest.first == Tag.form.rawValue else { return nil }
    rest = rest.dropFirst()
    return text()
  }

  /// Reads the fingerprint that can precede a value, after its storage form.
  mutating func fingerprint() -> Fingerprint? {
    guard rest.first == Tag.fingerprint.rawValue else { return nil }
    rest = rest.dropFirst()
    return text().flatMap { Fingerprint($0) }
  }

  mutating func key() -> EntryKey? {
    guard let tag = tag() else { return nil }
    switch tag {
    case .null: return .null
    case .integer: return word().map { .integer(Int64(bitPattern: $0)) }
    case .real: return word().map { .real(Double(bitPattern: $0)) }
    case .text: return text().map { .text($0) }
    case .malformedText: return content().map { .malformedText(Array($0)) }
    case .data: return content().map { .bytes(Array($0)) }
    case .composite: return list { $0.key() }.map { .composite($0) }
    default: return nil
    }
  }

  private mutating func field() -> StoredValue.Field? {
    guard tag() == .text, let name = text(), let value = value() else { return nil }
    return StoredValue.Field(name, value)
  }

  private mutating func list<Element>(_ next: (inout Self) -> Element?) -> [Element]? {
    guard let count = word(), count <= UInt64(rest.count), depth < Self.maximumDepth else {
      return nil
    }
    depth += 1
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = next(&self) else { return nil }
      elements.append(element)
    }
    depth -= 1
    return elements
  }

  private mutating func tag() -> Tag? {
    rest.popFirst().flatMap { Tag(rawValue: $0) }
  }

  private mutating func word() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func content() -> ArraySlice<UInt8>? {
    guard let count = word(), count <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  private mutating func text() -> String? {
    content().flatMap { String(validating: $0, as: UTF8.self) }
  }
}
