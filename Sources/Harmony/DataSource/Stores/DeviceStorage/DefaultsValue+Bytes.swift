import Foundation

extension DefaultsValue {
  /// Appends the value to the bytes of a record.
  func write(to writer: inout ByteWriter) {
    switch self {
    case .bool(let value): writer.write(value ? 2 as UInt8 : 1)
    case .integer(let value):
      writer.write(3 as UInt8)
      writer.write(value)
    case .unsigned(let value):
      writer.write(4 as UInt8)
      writer.write(value)
    case .double(let value):
      writer.write(5 as UInt8)
      writer.write(value.bitPattern)
    case .float(let value):
      writer.write(6 as UInt8)
      writer.write(value.bitPattern)
    case .string(let value):
      writer.write(7 as UInt8)
      writer.write(value)
    case .data(let value):
      writer.write(8 as UInt8)
      writer.write(value)
    case .date(let seconds):
      writer.write(9 as UInt8)
      writer.write(seconds.bitPattern)
    case .url(let text, let base):
      writer.write(base == nil ? 10 as UInt8 : 11)
      writer.write(text)
      if let base { writer.write(base) }
    case .array(let values):
      writer.write(12 as UInt8)
      writer.write(UInt64(values.count))
      for value in values { value.write(to: &writer) }
    case .dictionary(let values):
      writer.write(13 as UInt8)
      writer.write(UInt64(values.count))
      for (key, value) in values {
        writer.write(key)
        value.write(to: &writer)
      }
    }
  }

  /// The bytes that the value takes, more or less.
  var cost: Int {
    switch self {
    case .bool, .integer, .unsigned, .double, .float, .date: 9
    case .string(let value): 9 + value.utf8.count
    case .data(let value): 9 + value.count
    case .url(let text, let base): 17 + text.utf8.count + (base?.utf8.count ?? 0)
    case .array(let values): values.reduce(9) { $0 + $1.cost }
    case .dictionary(let values): values.reduce(9) { $0 + 8 + $1.key.utf8.count + $1.value.cost }
    }
  }

  /// Reads a value; nil if the bytes are none.
  ///
  /// - Parameters:
  ///   - reader: The bytes.
  ///   - depth: How many lists and dictionaries the value is in.
  init?(from reader: inout ByteReader, depth: Int = 0) {
    guard depth <= Self.maximumDepth, let kind = reader.number(UInt8.self),
      let value = Self.value(of: kind, from: &reader, depth)
    else { return nil }
    self = value
  }

  private static func value(
    of kind: UInt8, from reader: inout ByteReader, _ depth: Int
  ) -> DefaultsValue? {
    switch kind {
    case 1: .bool(false)
    case 2: .bool(true)
    case 3: reader.number().map { .integer($0) }
    case 4: reader.number().map { .unsigned($0) }
    case 5: reader.number().map { .double(Double(bitPattern: $0)) }
    case 6: reader.number().map { .float(Float(bitPattern: $0)) }
    case 7: reader.text().map { .string($0) }
    case 8: reader.bytes().map { .data(Data($0)) }
    case 9: date(from: &reader)
    case 10: reader.text().map { .url($0, base: nil) }
    case 11: url(from: &reader)
    case 12: array(from: &reader, depth)
    case 13: dictionary(from: &reader, depth)
    default: nil
    }
  }

  /// Reads a date; nil if it is one that would make the property list unreadable.
  private static func date(from reader: inout ByteReader) -> DefaultsValue? {
    guard let seconds = reader.number().map({ Double(bitPattern: $0) }), isKnown(date: seconds)
    else { return nil }
    return .date(seconds)
  }

  private static func url(from reader: inout ByteReader) -> DefaultsValue? {
    guard let text = reader.text(), let base = reader.text() else { return nil }
    return .url(text, base: base)
  }

  private static func array(from reader: inout ByteReader, _ depth: Int) -> DefaultsValue? {
    guard let count = reader.count() else { return nil }
    var values: [DefaultsValue] = []
    for _ in 0..<count {
      guard let value = DefaultsValue(from: &reader, depth: depth + 1) else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  private static func dictionary(
    from reader: inout ByteReader, _ depth: Int
  ) -> DefaultsValue? {
    guard let count = reader.count() else { return nil }
    var values: [String: DefaultsValue] = [:]
    for _ in 0..<count {
      guard let key = reader.text(), let value = DefaultsValue(from: &reader, depth: depth + 1)
      else { return nil }
      values[key] = value
    }
    return .dictionary(values)
  }
}
