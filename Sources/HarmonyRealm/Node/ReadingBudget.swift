/// How much one walk over a file may still read.
///
/// Each node of a file is referred to once, so that a walk reads no more than the file has. A file
/// in which references lead back, or many to one place, would otherwise take for ever; and nodes
/// that claim millions of elements in no bytes are stopped by their number.
struct ReadingBudget {
  /// More than lists that an app can still use have, and few enough to be held in memory.
  static let greatestElements = 4_000_000

  private var bytes: Int
  private var elements: Int

  init(_ snapshot: RealmSnapshot) {
    bytes = snapshot.limit
    // Many small numbers share a byte, but no small file has millions of them in one value.
    elements = min(Self.greatestElements, max(1 << 16, 4 * snapshot.limit))
  }

  /// Takes account of a node.
  mutating func spend(_ node: RealmNode) throws(RealmError) {
    bytes -= RealmNode.headerSize + node.payload.count
    guard bytes >= 0 else { throw .corrupt("a part of the file is referred to more than once") }
  }

  /// Takes account of elements that are going to be read.
  mutating func spend(elements count: Int) throws(RealmError) {
    elements -= count
    guard elements >= 0 else {
      throw RealmError(.tooLarge, "a value has more parts than are read at once")
    }
  }
}

extension RealmSnapshot {
  /// Reads a node on account of a walk.
  func node(_ ref: Int, _ budget: inout ReadingBudget) throws(RealmError) -> RealmNode {
    let node = try node(ref)
    try budget.spend(node)
    return node
  }
}
