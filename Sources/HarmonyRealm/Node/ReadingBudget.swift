/// How much one walk over a file may still read.
///
/// Each node of a file is referred to once, so that a walk reads no more than the file has. A file
/// in which references lead back, or many to one place, would otherwise take for ever; and nodes
/// that claim millions of elements in no bytes are stopped by their number.
struct ReadingBudget {
  /// More than lists that an app can still use have, and few enough to be held in memory.
  static let maximumElements = 4_000_000
  /// The elements of the fullest node that takes no more than its header does.
  private static let elementsOfByte = 64

  private var bytes: Int
  private var elements: Int
  private let mostElements: Int

  init(_ snapshot: RealmSnapshot) {
    bytes = snapshot.limit
    // Many small numbers share a byte, but no small file has millions of them in one value.
    mostElements = min(Self.maximumElements, max(1 << 16, 4 * snapshot.limit))
    elements = mostElements
  }

  /// Begins with the next object, whose values may have as many elements as those of the last.
  mutating func beginObject() { elements = mostElements }

  /// Takes account of a node.
  mutating func spend(_ node: RealmNode) throws(RealmError) {
    try spend(bytes: max(node.size, node.count / Self.elementsOfByte))
  }

  /// Takes account of bytes of the file.
  mutating func spend(bytes count: Int) throws(RealmError) {
    bytes -= count
    guard bytes >= 0 else { throw .corrupt("a part of the file is referred to more than once") }
  }

  /// Takes account of elements that are going to be read.
  mutating func spend(elements count: Int) throws(RealmError) {
    elements -= count
    guard elements >= 0 else {
      throw RealmError(.tooLarge, "a value has more parts than are read at once")
    }
  }

  /// Takes account of a text or bytes, which may be those of a value that was there before.
  mutating func spend(text count: Int) throws(RealmError) { try spend(elements: count >> 6) }

  /// Takes account of an object with so many properties that belongs to another.
  ///
  /// It belongs to no second one, and 256 with as many missing values take 16 bytes a property.
  mutating func spend(embeddedWith count: Int) throws(RealmError) {
    try spend(elements: count + 1)
    try spend(bytes: count / 16 + 1)
  }

  /// Takes account of what another walk has read that began with this account.
  mutating func spend(on other: ReadingBudget, of before: ReadingBudget) throws(RealmError) {
    try spend(bytes: before.bytes - other.bytes)
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
