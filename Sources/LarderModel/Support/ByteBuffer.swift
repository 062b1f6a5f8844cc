import Foundation

/// Bytes that are collected for output, in memory that grows and is used again.
///
/// Lists of millions of entries are written into one, so nothing is allocated for a part of a line.
package struct ByteBuffer: ~Copyable {
  /// How many bytes it holds.
  package private(set) var count = 0
  private var start: UnsafeMutableRawPointer
  private var capacity: Int

  /// Creates a buffer without bytes.
  ///
  /// - Parameter capacity: For how many there is room at first.
  package init(capacity: Int = 1 << 12) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    start.deallocate()
  }

  /// All bytes, copied.
  package var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The bytes as text, in which what is no UTF-8 is replaced.
  package var text: String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Lends the bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Forgets the bytes behind the first so many; the room stays.
  package mutating func truncate(to count: Int) {
    self.count = min(max(0, count), self.count)
  }

  /// Adds a byte.
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Adds bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let address = bytes.baseAddress else { return }
    if capacity &- count < bytes.count { grow(by: bytes.count) }
    memcpy(start + count, address, bytes.count)
    count &+= bytes.count
  }

  /// Adds bytes, with another one before and behind them.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, between byte: UInt8) {
    if capacity &- count < bytes.count &+ 2 { grow(by: bytes.count &+ 2) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    if let address = bytes.baseAddress { memcpy(start + (count &+ 1), address, bytes.count) }
    count &+= bytes.count &+ 2
    start.storeBytes(of: byte, toByteOffset: count &- 1, as: UInt8.self)
  }

  /// Adds bytes.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Adds a text as UTF-8.
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a text of the program as UTF-8.
  package mutating func append(literal text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  /// Adds the digits of a number.
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
