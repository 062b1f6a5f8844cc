/// A digest of a source's set of keys.
///
/// Two digests are equal if no key was added or removed, and almost certainly differ otherwise. A
/// digest does not cover values and is meaningless in another process.
public struct KeyDigest: Sendable, Hashable {
  private var count = 0
  private var sum: UInt64 = 0

  init() {}

  /// Adds a key; the order does not matter.
  mutating func take(_ key: StoredKey) {
    count &+= 1
    sum &+= key.hash
  }

  /// Adds the digest of other keys.
  mutating func take(_ other: KeyDigest) {
    count &+= other.count
    sum &+= other.sum
  }
}
