import LarderModel
import Foundation

/// Encoding of scalar values.
enum BinaryScalar {
  /// Returns the encoded object of a value.
  ///
  /// - Throws: ``DocumentError`` if property lists cannot represent the value.
  static func object(of value: StoredValue) throws(DocumentError) -> [UInt8] {
    switch value {
    case .null: throw DocumentError.noNull
    case .bool(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let number): return integer(Int128(number))
    case .real(let number): return [0x23] + bytes(number.bitPattern, count: 8)
    case .number(let digits):
      if try PropertyListNumber.kind(of: digits) == "integer" {
        return integer(Int128(digits) ?? 0)
      }
      guard let number = Double(digits), number.isFinite else {
        throw DocumentError.hugeInteger
      }
      return [0x23] + bytes(number.bitPattern, count: 8)
    case .date(let date):
      return [0x33] + bytes(date.timeIntervalSinceReferenceDate.bitPattern, count: 8)
    case .data(let bytes): return head(0x40, count: bytes.count) + bytes
    case .text(let text), .url(let text): return self.text(text)
    case .uuid(let uuid): return text(uuid.uuidString)
    case .malformedText(let bytes):
      guard let units = BinaryText.units(bytes) else {
        throw DocumentError.notText
      }
      return wide(units)
    case .array, .dictionary, .record: throw DocumentError.nested
    }
  }

  /// Returns the encoded UID that the members represent, or nil if they do not represent one.
  static func uid(_ fields: [StoredValue.Field]) -> [UInt8]? {
    guard fields.count == 1, let field = fields.first,
      field.name.hasBytes(of: BinaryReader.uidName),
      case .integer(let number) = field.value, let number = UInt32(exactly: number)
    else { return nil }
    let size = size(of: UInt64(number))
    return [0x80 | UInt8(size - 1)] + bytes(UInt64(number), count: size)
  }

  /// Returns an encoded 32-bit real.
  static func single(_ number: Float) -> [UInt8] {
    [0x22] + bytes(UInt64(number.bitPattern), count: 4)
  }

  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes.allSatisfy { $0 < 0x80 }
      ? head(0x50, count: bytes.count) + bytes : wide(Array(text.utf16))
  }

  private static func wide(_ units: [UInt16]) -> [UInt8] {
    head(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func integer(_ number: Int128) -> [UInt8] {
    guard let small = Int64(exactly: number) else {
      let bits = UInt128(bitPattern: number)
      return [0x14] + bytes(UInt64(truncatingIfNeeded: bits >> 64), count: 8)
        + bytes(UInt64(truncatingIfNeeded: bits), count: 8)
    }
    let bits = UInt64(bitPattern: small)
    let size = size(of: bits)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bytes(bits, count: size)
  }

  /// Returns the header of an object with a count.
  static func head(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0F] + integer(Int128(count))
  }

  /// Returns the number of bytes for an integer: 1, 2, 4 or 8.
  static func size(of number: UInt64) -> Int {
    switch number {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }

  /// Returns the lowest bytes of an integer in big-endian order.
  static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }
}

/// The output of a binary property list.
struct BinaryOutput {
  private let table: BinaryTable
  private let referenceSize: Int
  private var bytes: [UInt8]
  private var offsets: [Int] = []

  /// Starts a file with a number of objects.
  init(_ table: BinaryTable, count: Int) {
    self.table = table
    referenceSize = max(table.referenceSize, BinaryScalar.size(of: UInt64(count)))
    bytes = Array(table.bytes.prefix(8))
  }

  /// Appends an object without references.
  mutating func write(_ object: [UInt8]) {
    offsets.append(bytes.count)
    bytes += object
  }

  /// Appends an existing object with renumbered references.
  mutating func write(_ object: BinaryObject, _ references: [Int]) {
    guard object.references > 0 else { return write(Array(table.bytes[object.range])) }
    offsets.append(bytes.count)
    bytes += table.bytes[object.range.lowerBound..<object.content.lowerBound]
    write(references)
  }

  /// Appends a new object with references.
  mutating func write(_ marker: UInt8, _ count: Int, _ references: [Int]) {
    offsets.append(bytes.count)
    bytes += BinaryScalar.head(marker, count: count)
    write(references)
  }

  private mutating func write(_ references: [Int]) {
    for reference in references {
      bytes += BinaryScalar.bytes(UInt64(reference), count: referenceSize)
    }
  }

  /// Appends the offset table and the trailer, and returns the contents of the file.
  mutating func finish(top: Int) -> [UInt8] {
    let start = bytes.count
    let offsetSize = max(table.offsetSize, BinaryScalar.size(of: UInt64(start)))
    for offset in offsets { bytes += BinaryScalar.bytes(UInt64(offset), count: offsetSize) }
    bytes += table.bytes.suffix(BinaryTable.trailerSize).prefix(6)
    bytes += [UInt8(offsetSize), UInt8(referenceSize)]
    for number in [offsets.count, top, start] {
      bytes += BinaryScalar.bytes(UInt64(number), count: 8)
    }
    return bytes
  }
}
