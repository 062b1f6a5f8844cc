import Foundation

/// The greeting at the start of a connection: eight bytes in each direction.
///
/// The client sends the oldest and the newest version that it supports; the answer is the newest
/// common version, or 0. Numbers are big-endian.
enum InspectionVersion {
  static let size = 8
  /// The oldest supported version.
  static let oldest: UInt16 = 1
  /// The newest version: version 2 added the action `expire`, version 3 also `exchange`.
  static let current: UInt16 = 3
  private static let magic = Array("HINS".utf8)

  /// The greeting of the client.
  static var greeting: Data { Data(magic) + [oldest, current].flatMap(\.bigEndianBytes) }

  /// Returns the answer to a greeting.
  ///
  /// - Returns: The answer, and the version to use; nil if there is no common version.
  static func answer(_ greeting: Data) throws(InspectionError) -> (bytes: Data, version: UInt16?) {
    let (oldest, newest) = try numbers(greeting)
    let common = min(newest, current)
    let version = common >= max(oldest, self.oldest) ? common : nil
    return (Data(magic) + [version ?? 0, 0].flatMap(\.bigEndianBytes), version)
  }

  /// Parses the answer to the greeting.
  ///
  /// - Returns: The version to use.
  static func check(_ answer: Data) throws(InspectionError) -> UInt16 {
    let version = try numbers(answer).0
    guard (oldest...current).contains(version) else { throw .otherVersion }
    return version
  }

  private static func numbers(_ bytes: Data) throws(InspectionError) -> (UInt16, UInt16) {
    let bytes = Array(bytes)
    guard bytes.count == size, bytes.starts(with: magic) else {
      throw .noGreeting
    }
    return (UInt16(bytes[4]) << 8 | UInt16(bytes[5]), UInt16(bytes[6]) << 8 | UInt16(bytes[7]))
  }
}

extension FixedWidthInteger {
  /// The bytes of this number in big-endian order.
  var bigEndianBytes: [UInt8] {
    withUnsafeBytes(of: bigEndian) { Array($0) }
  }
}
