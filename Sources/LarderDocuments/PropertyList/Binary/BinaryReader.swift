import LarderModel
import Foundation

/// Converts the objects of a binary property list to values.
///
/// Long text or data that several objects share is in memory only once. The number of values that
/// shared objects can expand to is limited by the file size.
struct BinaryReader {
  /// The name of the member that represents a UID.
  static let uidName = "CF$UID"

  private let table: BinaryTable
  private var valuesLeft: Int
  private var shared: [Int: StoredValue] = [:]

  /// Creates a reader for one value.
  init(_ table: BinaryTable) {
    self.table = table
    valuesLeft = table.bytes.count + 65_536
  }

  /// Returns the value of an object.
  mutating func value(_ number: Int) throws(DocumentError) -> StoredValue {
    valuesLeft -= 1
    guard valuesLeft >= 0 else {
      throw DocumentError.repeatedObjects
    }
    let object = try table.object(number)
    switch object.kind {
    case .array, .set:
      var values: [StoredValue] = []
      values.reserveCapacity(min(object.count, valuesLeft))
      for index in 0..<object.count {
        values.append(try value(try table.reference(index, of: object)))
      }
      return .array(values)
    case .dictionary:
      var fields: [StoredValue.Field] = []
      fields.reserveCapacity(min(object.count, valuesLeft))
      for index in 0..<object.count {
        let name = try name(try table.reference(index, of: object))
        let value = try value(try table.reference(object.count + index, of: object))
        fields.append(StoredValue.Field(name, value))
      }
      return .dictionary(fields)
    default: return try scalar(number, object)
    }
  }

  /// Returns the text of a key object, with unpaired surrogates replaced.
  mutating func name(_ number: Int) throws(DocumentError) -> String {
    switch try scalar(number, try table.object(number)) {
    case .text(let text): text
    case .malformedText(let bytes): String(decoding: bytes, as: UTF8.self)
    default: throw DocumentError.damaged(number)
    }
  }

  private mutating func scalar(
    _ number: Int, _ object: BinaryObject
  ) throws(DocumentError) -> StoredValue {
    let content = table.bytes[object.content]
    switch object.kind {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .integer: return Self.integer(content)
    case .real where object.count == 4:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.bits(content)))))
    case .real: return .real(Double(bitPattern: Self.bits(content)))
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: Self.bits(content))))
    case .uid:
      let digits = String(Self.bits(content))
      return .dictionary([StoredValue.Field(Self.uidName, StoredValue(digits: digits))])
    case .data, .ascii, .wide:
      if let value = shared[number] { return value }
      let value: StoredValue =
        object.kind == .data
        ? .data(Array(content))
        : StoredValue(textBytes: BinaryText.bytes(content, isWide: object.kind == .wide))
      // A second copy of a short value takes no more memory than an entry in the table.
      if object.content.count >= 16 { shared[number] = value }
      return value
    case .array, .set, .dictionary: throw DocumentError.damaged(number)
    }
  }

  private static func bits(_ content: ArraySlice<UInt8>) -> UInt64 {
    content.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Decodes an integer: unsigned in up to four bytes, signed in eight or sixteen.
  private static func integer(_ content: ArraySlice<UInt8>) -> StoredValue {
    let number = content.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
    let signed =
      content.count == 8
      ? Int128(Int64(truncatingIfNeeded: number)) : Int128(truncatingIfNeeded: number)
    return StoredValue(digits: String(signed))
  }
}
