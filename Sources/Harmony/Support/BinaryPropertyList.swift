/// A property list in Foundation's binary form, of which only what is asked for is read.
///
/// Foundation's own reader answers values that nobody can look into, such as the references of
/// archives. Nothing that the bytes say is believed before it was looked up: they may be damaged.
struct BinaryPropertyList {
  private static let magic = Array("bplist00".utf8)

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int

  /// The number of the outermost object.
  let top: Int

  /// Looks at the frame of a property list; nil if bytes are none of this form.
  init?(_ bytes: [UInt8]) {
    let end = bytes.count - 32
    guard end >= Self.magic.count, bytes.starts(with: Self.magic),
      let count = Self.number(in: bytes, at: end + 8, size: 8),
      let top = Self.number(in: bytes, at: end + 16, size: 8),
      let table = Self.number(in: bytes, at: end + 24, size: 8)
    else { return nil }
    (offsetSize, referenceSize) = (Int(bytes[end + 6]), Int(bytes[end + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= end, table <= end,
      top < count
    else { return nil }
    (self.bytes, self.count, self.top, self.table) = (bytes, count, top, table)
  }

  /// The numbers of the objects of a dictionary by their keys; nil if an object is none.
  func dictionary(_ object: Int) -> [String: Int]? {
    guard let (start, length) = parts(of: object, kind: 0xD, size: 2 * referenceSize) else {
      return nil
    }
    var objects: [String: Int] = [:]
    for index in 0..<length {
      guard let key = reference(start, index).flatMap(text),
        let value = reference(start, length + index)
      else { return nil }
      objects[key] = value
    }
    return objects
  }

  /// The numbers of the objects of a list; nil if an object is none.
  func array(_ object: Int) -> [Int]? {
    guard let (start, length) = parts(of: object, kind: 0xA, size: referenceSize) else {
      return nil
    }
    var objects: [Int] = []
    for index in 0..<length {
      guard let object = reference(start, index) else { return nil }
      objects.append(object)
    }
    return objects
  }

  /// The text that an object is; nil if it is none.
  func text(_ object: Int) -> String? {
    if let (start, length) = parts(of: object, kind: 0x5, size: 1) {
      return String(validating: bytes[start..<start + length], as: UTF8.self)
    }
    guard let (start, length) = parts(of: object, kind: 0x6, size: 2) else { return nil }
    let units = (0..<length).map { index in
      UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
    }
    return String(validating: units, as: UTF16.self)
  }

  /// The place in the objects of an archive that an object refers to; nil if it does not.
  func place(_ object: Int) -> Int? {
    guard let offset = offset(of: object), bytes[offset] >> 4 == 0x8 else { return nil }
    return Self.number(in: bytes, at: offset + 1, size: Int(bytes[offset] & 15) + 1)
  }

  /// Where the parts of an object are, and how many; nil if it is of another kind or cut off.
  private func parts(of object: Int, kind: UInt8, size: Int) -> (start: Int, count: Int)? {
    guard let offset = offset(of: object), bytes[offset] >> 4 == kind else { return nil }
    var (start, count) = (offset + 1, Int(bytes[offset] & 15))
    if count == 15 {
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { return nil }
      let width = 1 << Int(bytes[start] & 15)
      guard let length = Self.number(in: bytes, at: start + 1, size: width) else { return nil }
      (start, count) = (start + 1 + width, length)
    }
    guard start <= table, count <= (table - start) / size else { return nil }
    return (start, count)
  }

  private func reference(_ start: Int, _ index: Int) -> Int? {
    Self.number(in: bytes, at: start + index * referenceSize, size: referenceSize)
  }

  private func offset(of object: Int) -> Int? {
    guard object < count,
      let offset = Self.number(in: bytes, at: table + object * offsetSize, size: offsetSize),
      offset >= Self.magic.count, offset < table
    else { return nil }
    return offset
  }

  /// A number with its highest byte first; nil where it is cut off or too large for an `Int`.
  private static func number(in bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard start >= 0, size > 0, start <= bytes.count - size else { return nil }
    let number = bytes[start..<start + size].reduce((value: UInt64(0), isWhole: true)) {
      sum, byte in
      (sum.value << 8 | UInt64(byte), sum.isWhole && sum.value >> 56 == 0)
    }
    return number.isWhole ? Int(exactly: number.value) : nil
  }
}
