import Foundation

extension UUID {
  /// Creates a UUID from its bytes, or returns nil if there are not exactly sixteen.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    let digits = EntryKey.hex(bytes)
    let ends = [8, 12, 16, 20, 32]
    let parts = zip([0] + ends, ends).map { digits.dropFirst($0).prefix($1 - $0) }
    self.init(uuidString: parts.joined(separator: "-"))
  }
}
