import Foundation
import LarderModel

/// The value types of Jetpack DataStore's preferences, in the order of their field numbers.
enum DataStoreType: String, Sendable, Hashable, CaseIterable {
  case boolean, float, int, long, string, set, double, bytes

  /// Returns the type for a new value, or nil if preferences cannot store it.
  init?(for value: StoredValue) {
    switch value {
    case .bool: self = .boolean
    case .integer(let number): self = Int32(exactly: number) == nil ? .long : .int
    case .number: self = value.type == .real ? .double : .long
    case .real: self = .double
    case .text, .url, .uuid: self = .string
    case .array: self = .set
    case .data: self = .bytes
    case .null, .malformedText, .date, .dictionary, .record: return nil
    }
  }

  /// Returns the type for a value that replaces one of another type: numbers retain the old type.
  init?(for value: StoredValue, replacing old: DataStoreType?) {
    guard let type = Self(for: value) else { return nil }
    let isNumber = old.map { type.isNumber && $0.isNumber } ?? false
    self = isNumber ? old ?? type : type
  }

  private var isNumber: Bool {
    switch self {
    case .float, .int, .long, .double: true
    case .boolean, .string, .set, .bytes: false
    }
  }

  /// Decodes the field of a value; returns nil if it belongs to none of the types.
  static func decode(
    _ field: ProtobufField
  ) throws(FormatError) -> (type: DataStoreType, value: StoredValue)? {
    switch (field.number, field.content) {
    case (1, .varint(let bits)): (.boolean, .bool(bits != 0))
    case (2, .fixed32(let bits)): (.float, StoredValue(Float(bitPattern: bits)))
    case (3, .varint(let bits)): (.int, .integer(Int64(Int32(truncatingIfNeeded: bits))))
    case (4, .varint(let bits)): (.long, .integer(Int64(bitPattern: bits)))
    case (5, .bytes(let text)): (.string, StoredValue(textBytes: text))
    case (6, .bytes(let bytes)): (.set, .array(try strings(bytes)))
    case (7, .fixed64(let bits)): (.double, .real(Double(bitPattern: bits)))
    case (8, .bytes(let bytes)): (.bytes, .data(Array(bytes)))
    default: nil
    }
  }

  private static func strings(
    _ bytes: ArraySlice<UInt8>
  ) throws(FormatError) -> [StoredValue] {
    var cursor = ByteCursor(bytes)
    var strings: [StoredValue] = []
    while cursor.left > 0 {
      let field = try cursor.field()
      if case (1, .bytes(let text)) = (field.number, field.content) {
        strings.append(StoredValue(textBytes: text))
      }
    }
    return strings
  }

  /// Encodes a value as the field of its type.
  ///
  /// - Throws: ``DocumentError`` if the type cannot hold the value.
  func encode(_ value: StoredValue) throws(DocumentError) -> [UInt8] {
    switch (self, value) {
    case (.boolean, .bool(let flag)): return [1 << 3, flag ? 1 : 0]
    case (.float, _):
      return [2 << 3 | 5] + Self.bytes(try PreferenceNumber.single(value).bitPattern)
    case (.int, _): return Self.field(3, varint: try PreferenceNumber.whole(value, .int))
    case (.long, _): return Self.field(4, varint: try PreferenceNumber.whole(value, .long))
    case (.string, _): return Self.field(5, try Self.string(value).utf8)
    case (.set, .array(let values)):
      try PreferenceText.checkSet(values)
      var strings: [UInt8] = []
      for value in values { strings += Self.field(1, try Self.string(value).utf8) }
      return Self.field(6, strings)
    case (.double, .real(let number)): return [7 << 3 | 1] + Self.bytes(number.bitPattern)
    case (.double, .integer), (.double, .number):
      guard let number = Self.double(value) else {
        throw DocumentError.inexactDouble
      }
      return try encode(.real(number))
    case (.bytes, .data(let bytes)): return Self.field(8, bytes)
    default: throw DocumentError.misfit(rawValue)
    }
  }

  private static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .integer(let number): Double(exactly: number)
    case .number(let digits):
      // A whole number beyond 53 bits would be rounded.
      Double(digits).flatMap { $0.isFinite && value.type == .real ? $0 : nil }
    default: nil
    }
  }

  private static func string(_ value: StoredValue) throws(DocumentError) -> String {
    switch value {
    case .text(let text), .url(let text): return text
    case .uuid(let uuid): return uuid.uuidString
    case .malformedText: throw DocumentError.notUTF8Preference
    default: throw DocumentError.notStrings
    }
  }

  /// Returns a field of a length and bytes.
  static func field(_ number: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
    var field = [number << 3 | 2]
    field.append(counted: bytes)
    return field
  }

  private static func field(_ number: UInt8, varint value: Int64) -> [UInt8] {
    var field = [number << 3]
    field.append(varint: UInt64(bitPattern: value))
    return field
  }

  private static func bytes(_ bits: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: bits.littleEndian) { Array($0) }
  }
}
