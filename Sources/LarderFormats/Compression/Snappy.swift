import LarderModel

/// The result of decompressing Snappy data, either a raw block or the framing format.
struct Snappy {
  /// The first chunk of the framing format.
  static let magic: [UInt8] = [0xFF, 0x06, 0x00, 0x00] + Array("sNaPpY".utf8)

  /// The decompressed bytes.
  private(set) var bytes: [UInt8] = []
  /// Whether the output was truncated at the limit.
  private(set) var isCut = false
  /// The reason why decompression failed; the output before that point is available.
  private(set) var problem: String?
  private let limit: Int

  init(_ compressed: [UInt8], limit: Int) {
    self.limit = limit
    do throws(FormatError) {
      if compressed.starts(with: Self.magic) {
        try readChunks(compressed)
      } else {
        try readBlock(compressed[...])
      }
    } catch {
      problem = error.reason
    }
  }

  /// Whether bytes could be a raw block: their length is plausible for the length that they state,
  /// and the first element is a literal, since there is nothing to copy yet.
  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    var cursor = ByteCursor(bytes[...])
    guard let length = try? Self.length(&cursor), length > 0, let tag = cursor.next, tag & 3 == 0
    else {
      return false
    }
    // The best that an element can do is to copy 64 bytes with three, and an encoder adds at most a
    // sixth.
    let count = bytes.count
    return length <= count * 22 && count <= 32 + length + length / 6
  }

  private mutating func readChunks(_ compressed: [UInt8]) throws(FormatError) {
    var cursor = ByteCursor(compressed[...])
    while cursor.left > 0, !isCut {
      let kind = try cursor.byte()
      var chunk = ByteCursor(try cursor.take(try Self.little(3, &cursor)))
      switch kind {
      case 0, 1:
        let checksum = try chunk.little(UInt32.self)
        let start = bytes.count
        let content = try chunk.take(chunk.left)
        if kind == 0 { try readBlock(content) } else { append(content) }
        guard isCut || Self.checksum(of: bytes[start...]) == checksum else {
          throw FormatError.wrongChecksum
        }
      case 2..<0x80: throw FormatError.unknownCode(kind)
      default: break
      }
    }
  }

  private mutating func readBlock(_ block: ArraySlice<UInt8>) throws(FormatError) {
    var cursor = ByteCursor(block)
    let start = bytes.count
    let end = start + (try Self.length(&cursor))
    while cursor.left > 0, !isCut {
      let tag = try cursor.byte()
      let size = Int(tag >> 2)
      let (count, offset): (Int, Int?) =
        switch tag & 3 {
        case 0: ((size < 60 ? size : try Self.little(size - 59, &cursor)) + 1, nil)
        case 1: (size & 7 + 4, Int(tag >> 5) << 8 | Int(try cursor.byte()))
        case 2: (size + 1, try Self.little(2, &cursor))
        default: (size + 1, try Self.little(4, &cursor))
        }
      guard count <= end - bytes.count else { throw FormatError.invalidLength }
      guard let offset else {
        append(try cursor.take(count))
        continue
      }
      guard offset > 0, offset <= bytes.count - start else {
        throw FormatError.earlyReference
      }
      for _ in 0..<min(count, limit - bytes.count) { bytes.append(bytes[bytes.count - offset]) }
      isCut = bytes.count == limit && bytes.count < end
    }
    guard isCut || bytes.count == end else { throw FormatError.endsEarly }
  }

  /// Reads a number of up to 32 bits in groups of seven, the least significant first.
  private static func length(_ cursor: inout ByteCursor) throws(FormatError) -> Int {
    var length = 0
    for shift in stride(from: 0, through: 28, by: 7) {
      let byte = try cursor.byte()
      length |= Int(byte & 0x7F) << shift
      if byte < 0x80, length <= UInt32.max { return length }
    }
    throw FormatError.invalidLength
  }

  /// Reads a number of up to four bytes, the least significant first.
  private static func little(_ size: Int, _ cursor: inout ByteCursor) throws(FormatError) -> Int {
    try cursor.take(size).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func append(_ content: ArraySlice<UInt8>) {
    let room = limit - bytes.count
    bytes += content.prefix(room)
    isCut = content.count > room
  }

  /// The remainders of all bytes for CRC-32C, the checksum of the framing format.
  private static let remainders = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82F6_3B78 }
  }

  /// Returns the checksum, rotated and shifted as the framing format requires.
  private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let sum = ~bytes.reduce(~0 as UInt32) { sum, byte in
      sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
    }
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }
}
