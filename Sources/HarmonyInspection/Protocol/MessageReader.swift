import Foundation

/// Cuts a stream of bytes into messages, each of which has its length before it.
///
/// The length is four bytes, big-endian, and checked before anything is kept of the message.
struct MessageReader: Sendable {
  static let headerSize = 4

  let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0

  /// - Parameter limit: The most bytes that a message may have.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether a message has begun and not ended.
  var isWithin: Bool { start < bytes.count }

  /// Takes bytes that have arrived.
  mutating func append(_ new: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += new
  }

  /// The next message, nil where it has not arrived whole.
  mutating func next() throws(InspectionError) -> Data? {
    guard bytes.count - start >= Self.headerSize else { return nil }
    let length = bytes[start..<(start + Self.headerSize)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw .tooLarge(limit: limit) }
    let first = start + Self.headerSize
    guard bytes.count - first >= length else { return nil }
    start = first + length
    return Data(bytes[first..<start])
  }

  /// A message with its length before it.
  static func frame(_ message: Data, limit: Int) throws(InspectionError) -> Data {
    guard message.count <= limit, let length = UInt32(exactly: message.count) else {
      throw .tooLarge(limit: limit)
    }
    return Data(length.bigEndianBytes) + message
  }
}
