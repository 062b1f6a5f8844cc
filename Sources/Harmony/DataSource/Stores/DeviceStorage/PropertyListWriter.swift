import Foundation

/// A writer of binary property lists.
///
/// Foundation's own writer crashes on arrays if it is linked statically. The XML form, which
/// `UserDefaults` writes, has neither fractions of seconds nor control characters.
struct PropertyListWriter {
  private var bytes = Array("bplist00".utf8)
  private var offsets: [Int] = []
  private let referenceSize: Int

  /// Returns the property list of a value.
  static func bytes(of value: DefaultsValue) -> [UInt8] {
    var writer = PropertyListWriter(referenceSize: size(of: count(value)))
    let top = writer.add(value)
    let table = writer.bytes.count
    let offsetSize = size(of: table)
    for offset in writer.offsets { writer.write(offset, offsetSize) }
    writer.bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(writer.referenceSize)]
    for number in [writer.offsets.count, top, table] { writer.write(number, 8) }
    return writer.bytes
  }

  private init(referenceSize: Int) {
    self.referenceSize = referenceSize
  }

  /// Returns the number of objects in a value.
  private static func count(_ value: DefaultsValue) -> Int {
    switch value {
    case .array(let values): values.reduce(1) { $0 + count($1) }
    case .dictionary(let values): values.values.reduce(1) { $0 + 1 + count($1) }
    default: 1
    }
  }

  /// Returns the size of a number in bytes: 1, 2, 4 or 8.
  private static func size(of number: Int) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  /// Appends a value.
  ///
  /// - Returns: The index of its object.
  private mutating func add(_ value: DefaultsValue) -> Int {
    switch value {
    case .array(let values):
      let references = values.map { add($0) }
      begin(0xA0, count: values.count)
      for reference in references { write(reference, referenceSize) }
    case .dictionary(let values):
      let keys = values.keys.map { add(.string($0)) }
      let references = values.values.map { add($0) }
      begin(0xD0, count: values.count)
      for reference in keys + references { write(reference, referenceSize) }
    case .bool(let value): begin(value ? 0x09 : 0x08)
    case .integer(let value): number(value)
    case .unsigned(let value):
      // Integers of eight bytes are signed, so larger ones need sixteen.
      begin(0x14)
      write(0, 8)
      write(value, 8)
    case .float(let value):
      begin(0x22)
      write(value.bitPattern, 4)
    case .double(let value):
      begin(0x23)
      write(value.bitPattern, 8)
    case .date(let seconds):
      begin(0x33)
      write(seconds.bitPattern, 8)
    case .data(let value):
      begin(0x40, count: value.count)
      bytes += value
    // The counts of UTF-8 and UTF-16 are equal only if all characters are ASCII.
    case .string(let text) where text.utf8.count == text.utf16.count:
      begin(0x50, count: text.utf8.count)
      bytes += text.utf8
    case .string(let text):
      begin(0x60, count: text.utf16.count)
      for unit in text.utf16 { write(unit, 2) }
    }
    return offsets.count - 1
  }

  private mutating func begin(_ marker: UInt8) {
    offsets.append(bytes.count)
    bytes.append(marker)
  }

  private mutating func begin(_ marker: UInt8, count: Int) {
    guard count >= 15 else { return begin(marker | UInt8(count)) }
    begin(marker | 15)
    integer(Int64(count))
  }

  private mutating func number(_ value: Int64) {
    offsets.append(bytes.count)
    integer(value)
  }

  private mutating func integer(_ value: Int64) {
    let size = value < 0 ? 8 : Self.size(of: Int(value))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    write(value, size)
  }

  /// Appends the lowest bytes of a number in big-endian order.
  private mutating func write(_ number: some FixedWidthInteger, _ size: Int) {
    for place in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}
