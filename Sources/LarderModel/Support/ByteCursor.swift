/// The reason why encoded data cannot be decoded.
package struct FormatError: Error {
  /// The reason, as a clause.
  package let reason: String

  /// Creates an error with a reason, as a clause.
  package init(_ reason: String) {
    self.reason = reason
  }
}

/// A position in encoded bytes.
///
/// Every read is checked: it throws at the end of the bytes, and never allocates more than they
/// contain.
package struct ByteCursor {
  /// The maximum nesting, so that hostile input cannot exhaust the stack.
  package static let maximumDepth = 128

  @usableFromInline let bytes: ArraySlice<UInt8>
  /// The index of the next byte.
  @usableFromInline package internal(set) var offset: Int
  private var depth = 0

  /// Creates a cursor at the first of the bytes.
  package init(_ bytes: ArraySlice<UInt8>, depth: Int = 0) {
    self.bytes = bytes
    self.depth = depth
    offset = bytes.startIndex
  }

  /// The number of unread bytes.
  @inlinable package var left: Int { bytes.endIndex - offset }

  /// The next byte, which stays unread, or nil at the end.
  @inlinable package var next: UInt8? { left > 0 ? bytes[offset] : nil }

  /// Reads a byte.
  @inlinable package mutating func byte() throws(FormatError) -> UInt8 {
    guard left > 0 else { throw FormatError.endsEarly }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads the given number of bytes.
  @inlinable package mutating func take(
    _ count: some BinaryInteger
  ) throws(FormatError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw FormatError.endsEarly }
    let start = offset
    offset += Int(count)
    return bytes[start..<offset]
  }

  /// Reads the bytes before a terminator, and the terminator.
  package mutating func take(until end: UInt8) throws(FormatError) -> ArraySlice<UInt8> {
    guard let place = bytes[offset...].firstIndex(of: end) else {
      throw FormatError.endsEarly
    }
    defer { offset = place + 1 }
    return bytes[offset..<place]
  }

  /// Reads a byte that the format requires here.
  package mutating func expect(_ character: Unicode.Scalar) throws(FormatError) {
    guard try byte() == UInt8(ascii: character) else {
      throw FormatError.missing(character, at: offset - 1)
    }
  }

  /// Reads an integer, the most significant byte first.
  @inlinable package mutating func big<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(FormatError) -> Number {
    try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Reads an integer, the least significant byte first.
  @inlinable package mutating func little<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(FormatError) -> Number {
    try big(type).byteSwapped
  }

  /// Counts a level of nesting, which ``leave()`` ends.
  package mutating func enter() throws(FormatError) {
    guard depth < Self.maximumDepth else { throw FormatError.tooDeep }
    depth += 1
  }

  /// Ends a level of nesting.
  package mutating func leave() {
    depth -= 1
  }

  /// A cursor for bytes inside the current value.
  package func inside(_ part: ArraySlice<UInt8>) throws(FormatError) -> ByteCursor {
    guard depth < Self.maximumDepth else { throw FormatError.tooDeep }
    return ByteCursor(part, depth: depth + 1)
  }
}
