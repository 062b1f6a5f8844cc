/// The size of a branch in a key tree.
package struct BranchSize: Sendable, Equatable {
  /// The number of keys.
  package var count: Int
  /// The total size of the values in bytes, or `nil` if it is not known or takes too long to
  /// compute.
  package var bytes: Int?

  /// Whether the total size is still being computed.
  package var isMeasuring = false

  package init(count: Int, bytes: Int? = nil) {
    self.count = count
    self.bytes = bytes
  }
}
