/// The objects of a table, in leaves of up to 256 objects with their columns.
struct ClusterTree {
  /// The maximum number of objects in a leaf.
  static let maximumLeaf = 256
  private static let maximumDepth = 7

  private let snapshot: RealmSnapshot
  private let root: Int

  init(_ snapshot: RealmSnapshot, _ root: Int) {
    self.snapshot = snapshot
    self.root = root
  }

  /// Returns the number of objects.
  ///
  /// - Throws: ``RealmError`` if the number is too large for the file.
  func count() throws(RealmError) -> Int {
    let node = try snapshot.node(root)
    guard node.isInner else { return try ClusterLeaf(snapshot, node, at: root, offset: 0).count }
    let count = Int(clamping: try node.tagged(2))
    // A leaf of 256 objects with equal values has at least 16 bytes.
    guard count <= snapshot.limit / 16 * Self.maximumLeaf else {
      throw .tooManyObjects
    }
    return count
  }

  /// Returns the leaf and row of an object; nil if there is none.
  func find(_ key: Int64) throws(RealmError) -> (leaf: ClusterLeaf, row: Int)? {
    var ref = root
    var node = try snapshot.node(ref)
    var rest = UInt64(bitPattern: key)
    var offset: UInt64 = 0
    var depth: Int?
    while node.isInner {
      let inner = try InnerCluster(snapshot, node, depth: depth)
      guard let place = try inner.child(for: rest) else { return nil }
      let start = try inner.offset(place)
      rest &-= start
      offset &+= start
      depth = inner.depth - 1
      ref = try inner.ref(place)
      node = try snapshot.node(ref)
    }
    if let depth, depth != 0 { throw .unbalancedTree }
    let leaf = try ClusterLeaf(snapshot, node, at: ref, offset: offset)
    let row = try leaf.firstRow(notBefore: rest)
    guard row < leaf.count, try leaf.relativeKey(row) == rest else { return nil }
    return (leaf, row)
  }

  /// Traverses the leaves in ascending or descending order of keys, until `body` returns false.
  ///
  /// - Parameters:
  ///   - after: The key to start after, in the direction of the traversal; nil for the first one.
  ///   - isBackward: Whether the order is descending.
  ///   - budget: The budget for reading; nil for the size of the file.
  ///   - body: Processes rows of a leaf and returns whether to continue.
  /// - Returns: The remaining budget.
  /// - Throws: ``RealmError`` if the tree is damaged; any error of `body`.
  @discardableResult
  func walk(
    after: Int64?, isBackward: Bool = false, budget: ReadingBudget? = nil,
    _ body: (ClusterLeaf, Range<Int>) throws -> Bool
  ) throws -> ReadingBudget {
    var walk = Walk(
      snapshot: snapshot, isBackward: isBackward, budget: budget ?? ReadingBudget(snapshot))
    _ = try walk.go(root, offset: 0, depth: nil, after: after.map { UInt64(bitPattern: $0) }, body)
    return walk.budget
  }

  private struct Walk {
    let snapshot: RealmSnapshot
    let isBackward: Bool
    var budget: ReadingBudget

    /// Traverses a node and returns whether to continue.
    mutating func go(
      _ ref: Int, offset: UInt64, depth: Int?, after: UInt64?,
      _ body: (ClusterLeaf, Range<Int>) throws -> Bool
    ) throws -> Bool {
      let node = try snapshot.node(ref, &budget)
      guard node.isInner else {
        guard depth ?? 0 == 0 else {
          throw RealmError.unbalancedTree
        }
        let leaf = try ClusterLeaf(snapshot, node, at: ref, offset: offset)
        var rows = 0..<leaf.count
        if let after {
          let place = try leaf.firstRow(notBefore: after)
          let isThere = try place < leaf.count && leaf.relativeKey(place) == after
          rows = isBackward ? 0..<place : (isThere ? place + 1 : place)..<leaf.count
        }
        return rows.isEmpty ? true : try body(leaf, rows)
      }
      let inner = try InnerCluster(snapshot, node, depth: depth)
      guard inner.count > 0 else { return true }
      let bound = try after.map { after throws(RealmError) in try inner.child(for: after) }
      let first: Int
      switch bound {
      case nil: first = isBackward ? inner.count - 1 : 0
      case .some(nil):
        // Before the first child.
        if isBackward { return true }
        first = 0
      case .some(.some(let place)): first = place
      }
      var place = first
      while place >= 0, place < inner.count {
        let start = try inner.offset(place)
        let isBound = place == first && bound != nil && bound != .some(nil)
        let goesOn = try go(
          try inner.ref(place), offset: offset &+ start, depth: inner.depth - 1,
          after: isBound ? after.map { $0 &- start } : nil, body)
        guard goesOn else { return false }
        place += isBackward ? -1 : 1
      }
      return true
    }
  }

  /// An inner node of the tree.
  private struct InnerCluster {
    let node: RealmNode
    let keys: RealmNode?
    let depth: Int
    let count: Int

    init(_ snapshot: RealmSnapshot, _ node: RealmNode, depth: Int?) throws(RealmError) {
      self.node = node
      count = node.count - 3
      guard count >= 0, count <= maximumLeaf else {
        throw .damaged("node")
      }
      self.depth = Int(clamping: try node.tagged(1))
      guard (1...maximumDepth).contains(self.depth), depth ?? self.depth == self.depth else {
        throw .unbalancedTree
      }
      keys = try node.ref(0).map { ref throws(RealmError) in try snapshot.node(ref) }
      if let keys, keys.count != count { throw .unequalCounts }
    }

    func ref(_ place: Int) throws(RealmError) -> Int { try node.requiredRef(place + 3) }

    func offset(_ place: Int) throws(RealmError) -> UInt64 {
      guard let keys else { return UInt64(place) << UInt64(8 * depth) }
      return try keys.unsigned(place)
    }

    /// Returns the last child that does not start after a key; nil if all of them do.
    func child(for key: UInt64) throws(RealmError) -> Int? {
      guard count > 0 else { return nil }
      guard let keys else {
        return Int(min(key >> UInt64(8 * depth), UInt64(count - 1)))
      }
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if try keys.unsigned(middle) <= key { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? nil : low - 1
    }
  }
}

/// A leaf of objects, stored column by column.
struct ClusterLeaf {
  let node: RealmNode
  /// The reference of the leaf, which identifies it.
  let ref: Int
  let count: Int
  private let keys: RealmNode?
  private let offset: UInt64

  init(
    _ snapshot: RealmSnapshot, _ node: RealmNode, at ref: Int, offset: UInt64
  ) throws(RealmError) {
    self.node = node
    self.ref = ref
    self.offset = offset
    guard node.hasRefs, node.count > 0 else { throw .damaged("node") }
    let first = try node.integer(0)
    if first & 1 == 1 {
      keys = nil
      count = Int(clamping: UInt64(bitPattern: first) >> 1)
    } else {
      let keys = try snapshot.node(try node.requiredRef(0))
      self.keys = keys
      count = keys.count
    }
    guard count <= ClusterTree.maximumLeaf else {
      throw .tooManyObjects
    }
  }

  /// Returns the key of an object.
  func key(_ row: Int) throws(RealmError) -> Int64 {
    Int64(bitPattern: offset &+ (try relativeKey(row)))
  }

  func relativeKey(_ row: Int) throws(RealmError) -> UInt64 {
    try keys?.unsigned(row) ?? UInt64(row)
  }

  /// Returns the first row whose relative key is not less.
  func firstRow(notBefore key: UInt64) throws(RealmError) -> Int {
    guard let keys else { return Int(min(key, UInt64(count))) }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if try keys.unsigned(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the reference of a column's values; nil if there are none.
  func column(_ leafIndex: Int) throws(RealmError) -> Int? {
    try node.optionalRef(leafIndex + 1)
  }
}
