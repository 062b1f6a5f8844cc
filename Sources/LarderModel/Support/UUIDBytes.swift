import Foundation

extension UUID {
  /// The sixteen bytes.
  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

  /// Creates a UUID from its bytes, or returns nil if there are not exactly sixteen.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    let digits = EntryKey.hex(bytes)
    let ends = [8, 12, 16, 20, 32]
    let parts = zip([0] + ends, ends).map { digits.dropFirst($0).prefix($1 - $0) }
    self.init(uuidString: parts.joined(separator: "-"))
  }

  /// Creates a UUID from bytes that have a version and the variant of RFC 9562, or returns nil if
  /// they do not.
  package init?(versionedBytes bytes: [UInt8]) {
    guard bytes.count == 16, 1...8 ~= bytes[6] >> 4, bytes[8] >> 6 == 2 else { return nil }
    self.init(bytes: bytes)
  }
}
