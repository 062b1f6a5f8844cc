import LarderModel
import Foundation

extension ValueFormat {
  /// CBOR (RFC 8949), as a structure.
  static let cbor = opening(
    name: "cbor", shows: "CBOR maps and arrays of up to 1 MiB",
    suits: { value in
      if case .data(let bytes) = value, bytes.starts(with: CBORReader.magic) {
        return bytes.count <= DecodedStructure.maximumSize ? 6 : 0
      }
      return MapEvidence.score(of: value, read: CBORReader.read)
    }, previewsContent: true,
    { value in
      DecodedValue("cbor", CBORReader.read(bytes(of: value)[...])?.structure, of: value)
    })
}

/// Decodes CBOR.
struct CBORReader: MapReader {
  /// The bytes of the tag that marks data as CBOR.
  static let magic: [UInt8] = [0xD9, 0xD9, 0xF7]

  /// The byte that ends a string, an array or a map of indefinite length.
  private static let end: UInt8 = 0xFF

  private(set) var cursor: ByteCursor
  var evidence = MapEvidence(structure: DecodedStructure(value: .null))

  init(cursor: ByteCursor) {
    self.cursor = cursor
  }

  /// Whether bytes begin with the magic tag, or a map or an array that is not empty.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count > 2, let first = bytes.first else { return false }
    return switch first {
    case 0x82...0x9B, 0x9F, 0xA1...0xBB, 0xBF: true
    default: bytes.starts(with: magic)
    }
  }

  private var isDamaged: Bool { evidence.structure.problem != nil }

  mutating func value() throws(FormatError) -> StoredValue {
    let head = try cursor.byte()
    let info = head & 0x1F
    switch head >> 5 {
    case 0: return StoredValue(digits: String(try number(info)))
    case 1:
      let number = try number(info)
      return Int64(exactly: number).map { .integer(-1 - $0) }
        ?? .init(magnitude: Self.bytes(of: number), isNegative: true, carry: 1)
    case 2: return .data(try string(2, info))
    case 3:
      guard let text = String(validating: try string(3, info), as: UTF8.self) else {
        throw FormatError.notUTF8
      }
      evidence.note(text: text)
      return .text(text)
    case 4: return .array(try array(info))
    case 5: return .dictionary(try map(info))
    case 6: return try tagged(try number(info))
    default: return try simple(info)
    }
  }

  /// Reads the number that the low bits of the first byte announce.
  private mutating func number(_ info: UInt8) throws(FormatError) -> UInt64 {
    switch info {
    case 0..<24: UInt64(info)
    case 24: UInt64(try cursor.byte())
    case 25: UInt64(try cursor.big(UInt16.self))
    case 26: UInt64(try cursor.big(UInt32.self))
    case 27: try cursor.big(UInt64.self)
    default: throw FormatError.invalidLength
    }
  }

  /// Reads the number of elements, or nil if the length is indefinite.
  private mutating func length(_ info: UInt8) throws(FormatError) -> UInt64? {
    info == 31 ? nil : try number(info)
  }

  private mutating func string(_ type: UInt8, _ info: UInt8) throws(FormatError) -> [UInt8] {
    if let count = try length(info) { return Array(try cursor.take(count)) }
    var bytes: [UInt8] = []
    while case let head = try cursor.byte(), head != Self.end {
      guard head >> 5 == type else { throw FormatError.mixedString }
      bytes += try cursor.take(try number(head & 0x1F))
    }
    return bytes
  }

  /// Whether an array or a map has another element; reads the end of an indefinite length.
  private mutating func hasMore(_ index: Int, of count: UInt64?) throws(FormatError) -> Bool {
    if isDamaged { return false }
    if let count { return index < count }
    guard cursor.next == Self.end else { return true }
    _ = try cursor.byte()
    return false
  }

  private mutating func array(_ info: UInt8) throws(FormatError) -> [StoredValue] {
    let count = try length(info)
    try cursor.enter()
    defer { cursor.leave() }
    var values: [StoredValue] = []
    do throws(FormatError) {
      while try hasMore(values.count, of: count) { values.append(try value()) }
    } catch {
      evidence.structure.problem = error.reason
    }
    return values
  }

  private mutating func map(_ info: UInt8) throws(FormatError) -> [StoredValue.Field] {
    let count = try length(info)
    try cursor.enter()
    defer { cursor.leave() }
    var fields: [StoredValue.Field] = []
    do throws(FormatError) {
      while try hasMore(fields.count, of: count) {
        let key = try value()
        evidence.note(key: key)
        fields.append(.init(key.memberName, try value()))
      }
    } catch {
      evidence.structure.problem = error.reason
    }
    return fields
  }

  private mutating func tagged(_ tag: UInt64) throws(FormatError) -> StoredValue {
    try cursor.enter()
    defer { cursor.leave() }
    let value = try value()
    switch (tag, value) {
    case (55_799, _): return value
    case (0, .text(let text)):
      if let date = Timestamp.date(from: text) { return .date(date) }
    case (1, .integer(let seconds)):
      return .date(Date(timeIntervalSince1970: Double(seconds)))
    case (1, .real(let seconds)) where seconds.isFinite:
      return .date(Date(timeIntervalSince1970: seconds))
    case (2, .data(let bytes)): return StoredValue(magnitude: bytes, isNegative: false)
    case (3, .data(let bytes)): return StoredValue(magnitude: bytes, isNegative: true, carry: 1)
    case (32, .text(let address)): return .url(address)
    case (37, .data(let bytes)):
      if let uuid = UUID(bytes: bytes) { return .uuid(uuid) }
    default: break
    }
    return .dictionary([
      .init("tag", StoredValue(digits: String(tag))), .init("value", value),
    ])
  }

  private mutating func simple(_ info: UInt8) throws(FormatError) -> StoredValue {
    switch info {
    case 20, 21: return .bool(info == 21)
    case 22: return .null
    case 23: return .dictionary([.init("simple", .text("undefined"))])
    case 25: return StoredValue(Self.half(try cursor.big(UInt16.self)))
    case 26: return StoredValue(Float(bitPattern: try cursor.big(UInt32.self)))
    case 27: return .real(Double(bitPattern: try cursor.big(UInt64.self)))
    case 31: throw FormatError.unmatchedEnd
    default: return .dictionary([.init("simple", .integer(Int64(try number(info))))])
    }
  }

  /// Converts a float of half precision.
  private static func half(_ bits: UInt16) -> Float {
    let fraction = Float(bits & 0x3FF)
    let exponent = Int(bits >> 10 & 0x1F)
    let magnitude: Float =
      switch exponent {
      case 0: Float(sign: .plus, exponent: -24, significand: fraction)
      case 31: fraction == 0 ? .infinity : .nan
      default: Float(sign: .plus, exponent: exponent - 25, significand: 1_024 + fraction)
      }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
