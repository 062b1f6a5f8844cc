import LarderModel
import Foundation

extension ValueFormat {
  /// A MessagePack map or array, as a structure.
  static let msgpack = opening(
    name: "msgpack", shows: "MessagePack maps and arrays of up to 1 MiB",
    suits: { MapEvidence.score(of: $0, read: MessagePackReader.read) }, previewsContent: true,
    { value in
      let decoded = MessagePackReader.read(bytes(of: value)[...])
      return DecodedValue("msgpack", decoded?.structure, of: value)
    })
}

/// Decodes MessagePack.
struct MessagePackReader: MapReader {
  private(set) var cursor: ByteCursor
  var evidence = MapEvidence(structure: DecodedStructure(value: .null))

  init(cursor: ByteCursor) {
    self.cursor = cursor
  }

  /// Whether bytes begin with a map or an array that is not empty.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count > 2, let first = bytes.first else { return false }
    return switch first {
    case 0x81...0x8F, 0x92...0x9F, 0xDC...0xDF: true
    default: false
    }
  }

  mutating func value() throws(FormatError) -> StoredValue {
    let head = try cursor.byte()
    switch head {
    case 0x00...0x7F: return .integer(Int64(head))
    case 0x80...0x8F: return try map(Int(head & 0x0F))
    case 0x90...0x9F: return try array(Int(head & 0x0F))
    case 0xA0...0xBF: return try text(Int(head & 0x1F))
    case 0xC0: return .null
    case 0xC2, 0xC3: return .bool(head == 0xC3)
    case 0xC4...0xC6: return .data(Array(try cursor.take(try count(head - 0xC4))))
    case 0xC7...0xC9: return try typed(try count(head - 0xC7))
    case 0xCA: return StoredValue(Float(bitPattern: try cursor.big(UInt32.self)))
    case 0xCB: return .real(Double(bitPattern: try cursor.big(UInt64.self)))
    case 0xCC...0xCE: return .integer(Int64(try count(head - 0xCC)))
    case 0xCF: return StoredValue(digits: String(try cursor.big(UInt64.self)))
    case 0xD0: return .integer(Int64(Int8(truncatingIfNeeded: try cursor.byte())))
    case 0xD1: return .integer(Int64(try cursor.big(Int16.self)))
    case 0xD2: return .integer(Int64(try cursor.big(Int32.self)))
    case 0xD3: return .integer(try cursor.big(Int64.self))
    case 0xD4...0xD8: return try typed(1 << Int(head - 0xD4))
    case 0xD9...0xDB: return try text(try count(head - 0xD9))
    case 0xDC, 0xDD: return try array(try count(head - 0xDC + 1))
    case 0xDE, 0xDF: return try map(try count(head - 0xDE + 1))
    case 0xE0...0xFF: return .integer(Int64(Int8(truncatingIfNeeded: head)))
    default: throw FormatError.unknownCode(0xC1)
    }
  }

  /// Reads an unsigned integer of 1, 2 or 4 bytes.
  private mutating func count(_ width: UInt8) throws(FormatError) -> Int {
    switch width {
    case 0: Int(try cursor.byte())
    case 1: Int(try cursor.big(UInt16.self))
    default: Int(try cursor.big(UInt32.self))
    }
  }

  private mutating func text(_ count: Int) throws(FormatError) -> StoredValue {
    let value = StoredValue(textBytes: try cursor.take(count))
    guard case .text(let text) = value else { throw FormatError.notUTF8 }
    evidence.note(text: text)
    return value
  }

  private mutating func array(_ count: Int) throws(FormatError) -> StoredValue {
    try cursor.enter()
    defer { cursor.leave() }
    var values: [StoredValue] = []
    for _ in 0..<count { values.append(try value()) }
    return .array(values)
  }

  private mutating func map(_ count: Int) throws(FormatError) -> StoredValue {
    try cursor.enter()
    defer { cursor.leave() }
    var fields: [StoredValue.Field] = []
    for _ in 0..<count {
      let key = try value()
      evidence.note(key: key)
      fields.append(.init(key.memberName, try value()))
    }
    return .dictionary(fields)
  }

  private mutating func typed(_ count: Int) throws(FormatError) -> StoredValue {
    let type = Int8(truncatingIfNeeded: try cursor.byte())
    let bytes = try cursor.take(count)
    var data = ByteCursor(bytes)
    if type == -1 {
      switch count {
      case 4: return Self.date(Int64(try data.big(UInt32.self)), 0)
      case 8:
        let number = try data.big(UInt64.self)
        return Self.date(Int64(number & 0x3_FFFF_FFFF), UInt32(number >> 34))
      case 12:
        let nanoseconds = try data.big(UInt32.self)
        return Self.date(try data.big(Int64.self), nanoseconds)
      default: break
      }
    }
    return .dictionary([
      .init("type", .integer(Int64(type))), .init("data", .data(Array(bytes))),
    ])
  }

  private static func date(_ seconds: Int64, _ nanoseconds: UInt32) -> StoredValue {
    .date(Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000))
  }
}
