/// An encoder that appends numbers in little-endian order and strings with their lengths.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ part: some Collection<UInt8>) {
    write(UInt64(part.count))
    bytes.append(contentsOf: part)
  }

  mutating func write(_ text: String) {
    write(text.utf8)
  }
}

/// A decoder for the output of ``ByteWriter``, which returns nil for missing or invalid bytes.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return Number(
      littleEndian: rest.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
  }

  mutating func bytes() -> ArraySlice<UInt8>? {
    guard let length = number(UInt64.self), length <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return rest.prefix(Int(length))
  }

  mutating func text() -> String? {
    bytes().flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns the number of parts that follow; each part has at least one byte.
  mutating func count() -> Int? {
    guard let count = number(UInt64.self), count <= UInt64(rest.count) else { return nil }
    return Int(count)
  }
}
