/// The amount of data that a traversal of a file may still read.
///
/// Each node of a file is referenced once, so a traversal never reads more than the size of the
/// file. Otherwise, a file with cyclic or repeated references could take forever. Nodes that claim
/// millions of elements without any bytes are limited by the number of elements.
struct ReadingBudget {
  /// The maximum number of elements, which exceeds that of usable lists and still fits into memory.
  static let maximumElements = 4_000_000
  /// The number of elements that are charged like one byte.
  private static let elementsOfByte = 64

  private var bytes: Int
  private var elements: Int
  private let mostElements: Int

  init(_ snapshot: RealmSnapshot) {
    bytes = snapshot.limit
    // Many small numbers share a byte, but a small file never has millions of them in one value.
    mostElements = min(Self.maximumElements, max(1 << 16, 4 * snapshot.limit))
    elements = mostElements
  }

  /// Resets the number of elements for the next object.
  mutating func beginObject() { elements = mostElements }

  /// Charges a node.
  mutating func spend(_ node: RealmNode) throws(RealmError) {
    try spend(bytes: max(node.size, node.count / Self.elementsOfByte))
  }

  /// Charges bytes of the file.
  mutating func spend(bytes count: Int) throws(RealmError) {
    bytes -= count
    guard bytes >= 0 else { throw .repeatedPart }
  }

  /// Charges elements that are about to be read.
  mutating func spend(elements count: Int) throws(RealmError) {
    elements -= count
    guard elements >= 0 else {
      throw RealmError.tooManyParts
    }
  }

  /// Charges a string or data, which may be shared by several values.
  mutating func spend(text count: Int) throws(RealmError) { try spend(elements: count >> 6) }

  /// Charges an embedded object with a number of properties.
  ///
  /// It cannot be shared, and 256 objects with missing values need 16 bytes for each property.
  mutating func spend(embeddedWith count: Int) throws(RealmError) {
    try spend(elements: count + 1)
    try spend(bytes: count / 16 + 1)
  }

  /// Charges the bytes that another traversal with a copy of this budget has read.
  mutating func spend(on other: ReadingBudget, of before: ReadingBudget) throws(RealmError) {
    try spend(bytes: before.bytes - other.bytes)
  }
}

extension RealmSnapshot {
  /// Reads a node and charges it to a budget.
  func node(_ ref: Int, _ budget: inout ReadingBudget) throws(RealmError) -> RealmNode {
    let node = try node(ref)
    try budget.spend(node)
    return node
  }
}
