import Foundation

/// What both ends say first: eight bytes each.
///
/// The one who connects names the oldest and the newest version that it speaks, the other one
/// answers with the newest that both do, or 0. Numbers are big-endian.
enum InspectionVersion {
  static let size = 8
  /// The oldest version that is spoken.
  static let oldest: UInt16 = 1
  /// The newest: the second knows the action `expire`, the third also `exchange`.
  static let current: UInt16 = 3
  private static let magic = Array("HINS".utf8)

  /// What the one who connects says.
  static var greeting: Data { Data(magic) + [oldest, current].flatMap(\.bigEndianBytes) }

  /// The answer to a greeting.
  ///
  /// - Returns: The answer, and the version that is spoken from here on; nil where there is none.
  static func answer(_ greeting: Data) throws(InspectionError) -> (bytes: Data, version: UInt16?) {
    let (oldest, newest) = try numbers(greeting)
    let common = min(newest, current)
    let version = common >= max(oldest, self.oldest) ? common : nil
    return (Data(magic) + [version ?? 0, 0].flatMap(\.bigEndianBytes), version)
  }

  /// Reads the answer to the greeting.
  ///
  /// - Returns: The version that is spoken.
  static func check(_ answer: Data) throws(InspectionError) -> UInt16 {
    let version = try numbers(answer).0
    guard (oldest...current).contains(version) else { throw .otherVersion }
    return version
  }

  private static func numbers(_ bytes: Data) throws(InspectionError) -> (UInt16, UInt16) {
    let bytes = Array(bytes)
    guard bytes.count == size, bytes.starts(with: magic) else {
      throw .malformed("it does not greet")
    }
    return (UInt16(bytes[4]) << 8 | UInt16(bytes[5]), UInt16(bytes[6]) << 8 | UInt16(bytes[7]))
  }
}

extension FixedWidthInteger {
  /// The bytes of this number, the most significant first.
  var bigEndianBytes: [UInt8] {
    withUnsafeBytes(of: bigEndian) { Array($0) }
  }
}
