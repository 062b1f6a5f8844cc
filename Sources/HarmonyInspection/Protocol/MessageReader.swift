import Foundation

/// A parser that splits a stream of bytes into length-prefixed messages.
///
/// The length has four bytes in big-endian order, and is checked before the message is buffered.
struct MessageReader: Sendable {
  static let headerSize = 4

  let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates a parser.
  ///
  /// - Parameter limit: The maximum size of a message, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether a message has arrived in part.
  var isWithin: Bool { start < bytes.count }

  /// Adds bytes that have arrived.
  mutating func append(_ new: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += new
  }

  /// Returns the next message; nil if it is not complete.
  mutating func next() throws(InspectionError) -> Data? {
    guard bytes.count - start >= Self.headerSize else { return nil }
    let length = bytes[start..<(start + Self.headerSize)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw .tooLarge(limit: limit) }
    let first = start + Self.headerSize
    guard bytes.count - first >= length else { return nil }
    start = first + length
    return Data(bytes[first..<start])
  }

  /// Returns a message with its length prefix.
  static func frame(_ message: Data, limit: Int) throws(InspectionError) -> Data {
    guard message.count <= limit, let length = UInt32(exactly: message.count) else {
      throw .tooLarge(limit: limit)
    }
    return Data(length.bigEndianBytes) + message
  }
}
