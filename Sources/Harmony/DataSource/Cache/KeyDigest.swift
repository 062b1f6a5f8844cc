/// What tells whether the keys of a source are those that they were.
///
/// Two are equal where nothing came or went, and as good as never otherwise. It says nothing of values,
/// and nothing in another process.
public struct KeyDigest: Sendable, Hashable {
  private var count = 0
  private var sum: UInt64 = 0

  init() {}

  /// Takes in a key, in any order.
  mutating func take(_ key: StoredKey) {
    count &+= 1
    sum &+= key.hash
  }

  /// Takes in what tells other keys apart.
  mutating func take(_ other: KeyDigest) {
    count &+= other.count
    sum &+= other.sum
  }
}
