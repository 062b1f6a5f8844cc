/// A field of a Protocol Buffers message, without the name and type that only its schema has.
package struct ProtobufField {
  /// The content of a field, by its wire type.
  package enum Content {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case groupStart
    case groupEnd
    case fixed32(UInt32)
  }

  /// The number of the field in its schema.
  package let number: UInt64
  /// The content of the field.
  package let content: Content
}

extension ByteCursor {
  /// Reads a field of a message; the fields of a group follow as fields of their own.
  package mutating func field() throws(FormatError) -> ProtobufField {
    let tag = try varint()
    let content: ProtobufField.Content =
      switch tag & 7 {
      case 0: .varint(try varint())
      case 1: .fixed64(try little(UInt64.self))
      case 2: .bytes(try counted())
      case 3: .groupStart
      case 4: .groupEnd
      case 5: .fixed32(try little(UInt32.self))
      default: throw FormatError.unknownType
      }
    return ProtobufField(number: tag >> 3, content: content)
  }

  /// Reads bytes after their number.
  package mutating func counted() throws(FormatError) -> ArraySlice<UInt8> {
    try take(try varint())
  }

  /// Reads an integer of seven bits a byte, the least significant first.
  @inlinable package mutating func varint() throws(FormatError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { break }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        // Writers use as few bytes as possible.
        guard byte > 0 || shift == 0 else { break }
        return number
      }
    }
    throw FormatError.longNumber
  }
}

extension [UInt8] {
  /// Appends an integer of seven bits a byte, the least significant first.
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends bytes after their number.
  package mutating func append(counted bytes: some Collection<UInt8>) {
    append(varint: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
