import LarderModel

/// Decoded objects that can refer to each other, also recursively.
struct ObjectGraph {
  /// An object; references are indices into ``nodes``.
  struct Node {
    enum Kind {
      case value
      case list
      case dictionary
      /// An instance of a class, with its members.
      case object
      /// A class or a function.
      case global
    }

    var kind = Kind.value
    var value = StoredValue.null
    /// The name of the class of an object, or of a global.
    var name = ""
    var elements: [Int] = []
    var pairs: [Pair] = []
  }

  /// A key and its value.
  struct Pair {
    let key: Int
    let value: Int
  }

  /// The maximum number of objects.
  static let maximumCount = 1 << 19

  var nodes: [Node] = []
  /// The number of references that may still be copied from one object to another.
  private var copies = 1 << 20

  /// Adds an object and returns its index.
  mutating func add(_ node: Node) throws(FormatError) -> Int {
    guard nodes.count < Self.maximumCount else { throw FormatError.tooManyObjects }
    nodes.append(node)
    return nodes.count - 1
  }

  mutating func add(_ value: StoredValue) throws(FormatError) -> Int {
    try add(Node(value: value))
  }

  /// Adds a member to an object.
  mutating func set(_ name: String, to value: Int, of object: Int) throws(FormatError) {
    nodes[object].pairs.append(Pair(key: try add(.text(name)), value: value))
  }

  /// Subtracts from the number of references or bytes that may be copied, since a few bytes can ask
  /// for many copies.
  mutating func charge(_ count: Int) throws(FormatError) {
    copies -= count
    guard copies >= 0 else { throw FormatError.repeatedObjects }
  }

  /// Returns an object and the objects that it refers to as a structure.
  ///
  /// Shared objects are repeated, and a reference to an enclosing object becomes a note. The size
  /// of the structure is limited, since objects that share others can be exponentially large.
  func structure(of root: Int) -> DecodedStructure {
    var renderer = Renderer(graph: self)
    let value = renderer.value(of: root)
    return DecodedStructure(value: value, isCut: renderer.isCut)
  }

  private struct Renderer {
    let graph: ObjectGraph
    var isCut = false
    /// The number of values that can still be added.
    private var values = ValueTree.maximumRows
    /// The number of bytes that can still be added.
    private var bytes = 16 << 20
    private var path: [Int] = []

    init(graph: ObjectGraph) {
      self.graph = graph
    }

    private var isFull: Bool { values <= 0 || bytes <= 0 }

    mutating func value(of index: Int) -> StoredValue {
      guard graph.nodes.indices.contains(index), !isFull else {
        isCut = true
        return .text("…")
      }
      let node = graph.nodes[index]
      values -= 1
      bytes -= node.name.utf8.count
      switch node.kind {
      case .value:
        bytes -= node.value.storedSize
        return node.value
      case .global: return .dictionary([.init("global", .text(node.name))])
      case .list, .dictionary, .object: break
      }
      if let level = path.lastIndex(of: index) {
        let up = path.count - level
        return .text("… recursive, \(up) \(up == 1 ? "level" : "levels") up")
      }
      guard path.count < ByteCursor.maximumDepth else {
        isCut = true
        return .text("…")
      }
      path.append(index)
      defer { path.removeLast() }
      var elements: [StoredValue] = []
      for element in node.elements {
        guard !cut() else { break }
        elements.append(value(of: element))
      }
      if node.kind == .list { return .array(elements) }
      var fields: [StoredValue.Field] = []
      if node.kind == .object { fields.append(.init("class", .text(node.name))) }
      for pair in node.pairs {
        guard !cut() else { break }
        let name = value(of: pair.key).memberName
        fields.append(.init(name, value(of: pair.value)))
      }
      if !elements.isEmpty { fields.append(.init("items", .array(elements))) }
      return .dictionary(fields)
    }

    /// Returns whether the structure has no room for the next member, and records that it is cut.
    private mutating func cut() -> Bool {
      if isFull { isCut = true }
      return isFull
    }
  }
}
