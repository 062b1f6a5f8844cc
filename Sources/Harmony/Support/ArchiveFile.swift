import Foundation

/// A value in a keyed archive.
enum ArchiveValue {
  case number
  /// An integer.
  case integer(UInt64)
  case truth
  case date
  case data(count: Int)
  case text(String)
  /// The index of another object.
  case reference(Int)
  case list([ArchiveValue])
  case table([String: ArchiveValue])
}

/// The reason why an archive cannot be read.
struct ArchiveFlaw: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The binary property list of an archive.
///
/// Foundation's own reader returns references as objects of a private class, which other code
/// cannot resolve.
struct ArchiveFile {
  /// The maximum nesting, which is deeper than any archiver nests values outside its objects.
  private static let deepest = 64
  /// The number of bytes that even a small archive with many shared strings may use.
  private static let minimumRoom = 32 << 20

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceSize: Int
  private let top: Int
  /// The number of values that may still be read, because a value can be shared repeatedly.
  private var budget: Int
  /// The number of bytes of strings and data that may still be read: each reference copies them.
  private var room: Int

  /// Reads the trailer and the offset table of a property list.
  ///
  /// - Parameter data: The property list.
  /// - Throws: `ArchiveFlaw` if it is not a binary property list.
  init(_ data: Data) throws {
    bytes = [UInt8](data)
    guard bytes.starts(with: "bplist0".utf8), bytes.count >= 8 + 32 else {
      throw ArchiveFlaw.notPropertyList
    }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), top < count, table >= 8, table < trailer,
      count <= (trailer - table) / offsetSize
    else { throw ArchiveFlaw.damaged }
    self.top = top
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = Self.number(bytes, table + index * offsetSize, offsetSize), offset >= 8,
        offset < table
      else { throw ArchiveFlaw.damaged }
      offsets.append(offset)
    }
    self.offsets = offsets
    budget = 16 * bytes.count
    room = Self.minimumRoom + 16 * bytes.count
  }

  /// Reads the whole property list.
  ///
  /// - Returns: The outermost value.
  /// - Throws: `ArchiveFlaw` if it is damaged.
  mutating func read() throws -> ArchiveValue {
    try value(top, depth: 0)
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
    guard start >= 0, size > 0, start <= bytes.count - size else { return nil }
    var result: UInt64 = 0
    for byte in bytes[start..<start + size] {
      guard result >> 56 == 0 else { return nil }
      result = result << 8 | UInt64(byte)
    }
    return Int(exactly: result)
  }

  private mutating func value(_ index: Int, depth: Int) throws -> ArchiveValue {
    budget -= 1
    guard depth <= Self.deepest, budget > 0, offsets.indices.contains(index) else {
      throw ArchiveFlaw.tooManyValues
    }
    let start = offsets[index]
    let low = Int(bytes[start] & 15)
    switch bytes[start] >> 4 {
    case 0 where low == 8 || low == 9: return .truth
    case 1 where low <= 4: return try integer(start + 1, 1 << low)
    case 2 where low == 2 || low == 3:
      _ = try slice(start + 1, 1 << low)
      return .number
    case 3 where low == 3:
      _ = try slice(start + 1, 8)
      return .date
    case 4:
      let (count, body) = try length(start, low)
      return .data(count: try charged(slice(body, count)).count)
    case 5, 6: return .text(try text(start, low))
    case 8 where low < 4:
      guard let number = Self.number(bytes, start + 1, low + 1) else { break }
      return .reference(number)
    case 10:
      let (count, body) = try length(start, low)
      return .list(try references(body, count).map { try value($0, depth: depth + 1) })
    case 13: return try table(start, low, depth)
    default: break
    }
    throw ArchiveFlaw.unknownType
  }

  private func integer(_ start: Int, _ size: Int) throws -> ArchiveValue {
    let part = try slice(start, size)
    // Sixteen bytes are used for unsigned numbers above the signed maximum.
    guard size < 16 || part.prefix(8).allSatisfy({ $0 == 0 }) else {
      throw ArchiveFlaw.largeNumber
    }
    return .integer(part.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  private mutating func text(_ start: Int, _ low: Int) throws -> String {
    let isWide = bytes[start] >> 4 == 6
    let (count, body) = try length(start, low)
    guard isWide else {
      let part = try charged(slice(body, count))
      guard part.allSatisfy({ $0 < 0x80 }) else { throw ArchiveFlaw.notASCII }
      return String(decoding: part, as: UTF8.self)
    }
    guard count <= bytes.count / 2 else { throw ArchiveFlaw.cutOff }
    let part = Array(try charged(slice(body, 2 * count)))
    let units = stride(from: 0, to: part.count, by: 2).map {
      UInt16(part[$0]) << 8 | UInt16(part[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func table(_ start: Int, _ low: Int, _ depth: Int) throws -> ArchiveValue {
    let (count, body) = try length(start, low)
    let keys = try references(body, count)
    let values = try references(body + count * referenceSize, count)
    var table: [String: ArchiveValue] = [:]
    for (key, index) in zip(keys, values) {
      guard case .text(let name) = try value(key, depth: depth + 1), table[name] == nil else {
        throw ArchiveFlaw.invalidKey
      }
      table[name] = try value(index, depth: depth + 1)
    }
    return .table(table)
  }

  /// Returns the length of a value and the offset of its contents.
  private func length(_ start: Int, _ low: Int) throws -> (count: Int, body: Int) {
    guard low == 15 else { return (low, start + 1) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3,
      let count = Self.number(bytes, start + 2, 1 << Int(bytes[start + 1] & 15)),
      count <= bytes.count
    else { throw ArchiveFlaw.invalidLength }
    return (count, start + 2 + (1 << Int(bytes[start + 1] & 15)))
  }

  private func references(_ start: Int, _ count: Int) throws -> [Int] {
    guard count <= bytes.count / referenceSize else { throw ArchiveFlaw.cutOff }
    return try (0..<count).map { index in
      guard let number = Self.number(bytes, start + index * referenceSize, referenceSize) else {
        throw ArchiveFlaw.cutOff
      }
      return number
    }
  }

  private mutating func charged(_ part: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    room -= part.count
    guard room >= 0 else { throw ArchiveFlaw.repeatedParts }
    return part
  }

  private func slice(_ start: Int, _ count: Int) throws -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else {
      throw ArchiveFlaw.cutOff
    }
    return bytes[start..<start + count]
  }
}
