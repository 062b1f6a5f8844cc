/// What is known of the keys in a branch of a tree.
package struct BranchSize: Sendable, Equatable {
  /// How many keys are in it.
  package var count: Int
  /// How many bytes their values take; nil where that takes long to find, or nobody can tell.
  package var bytes: Int?

  /// Whether the bytes are still being added up.
  package var isMeasuring = false

  package init(count: Int, bytes: Int? = nil) {
    self.count = count
    self.bytes = bytes
  }
}
