import Foundation

/// A reusable output buffer that grows as needed.
///
/// Lists of millions of entries are written to a single buffer, without an allocation for each part
/// of a line.
package struct ByteBuffer: ~Copyable {
  /// The number of bytes in the buffer.
  package private(set) var count = 0
  private var start: UnsafeMutableRawPointer
  private var capacity: Int

  /// Creates an empty buffer.
  ///
  /// - Parameter capacity: The initial capacity in bytes.
  package init(capacity: Int = 1 << 12) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    start.deallocate()
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The bytes as text, with invalid UTF-8 replaced.
  package var text: String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Calls a closure with the bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Removes the bytes after the given count, but retains the capacity.
  package mutating func truncate(to count: Int) {
    self.count = min(max(0, count), self.count)
  }

  /// Appends a byte.
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Appends bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let address = bytes.baseAddress else { return }
    if capacity &- count < bytes.count { grow(by: bytes.count) }
    memcpy(start + count, address, bytes.count)
    count &+= bytes.count
  }

  /// Appends bytes surrounded by another byte on both sides.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, between byte: UInt8) {
    if capacity &- count < bytes.count &+ 2 { grow(by: bytes.count &+ 2) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    if let address = bytes.baseAddress { memcpy(start + (count &+ 1), address, bytes.count) }
    count &+= bytes.count &+ 2
    start.storeBytes(of: byte, toByteOffset: count &- 1, as: UInt8.self)
  }

  /// Appends bytes.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends a string as UTF-8.
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a string literal as UTF-8.
  package mutating func append(literal text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a byte, and the eight bytes of a number, the most significant first.
  package mutating func append(_ byte: UInt8, bigEndian number: UInt64) {
    if capacity &- count < 9 { grow(by: 9) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    start.storeBytes(of: number.bigEndian, toByteOffset: count &+ 1, as: UInt64.self)
    count &+= 9
  }

  /// Appends the decimal digits of an integer.
  package mutating func append(digitsOf number: Int64) {
    var digits = (UInt64(0), UInt64(0), UInt64(0))
    withUnsafeMutableBytes(of: &digits) { buffer in
      var place = buffer.count
      var rest = number.magnitude
      repeat {
        place -= 1
        buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        place -= 1
        buffer[place] = UInt8(ascii: "-")
      }
      append(UnsafeRawBufferPointer(rebasing: buffer[place...]))
    }
  }

  private mutating func grow(by count: Int) {
    let wanted = max(2 * capacity, self.count + count)
    let other = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    memcpy(other, start, self.count)
    start.deallocate()
    start = other
    capacity = wanted
  }
}
