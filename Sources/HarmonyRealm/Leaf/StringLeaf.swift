/// A leaf of strings: short ones in fixed-size cells, longer ones concatenated, long ones in
/// separate nodes, or indices of strings that are stored only once.
struct StringLeaf {
  let count: Int
  private let form: Form
  private let isNullable: Bool

  private indirect enum Form {
    case short(RealmNode)
    case medium(MediumLeaf)
    case big(RealmNode)
    case enumerated(RealmNode, StringLeaf)
  }

  /// Opens a leaf.
  ///
  /// - Parameters:
  ///   - snapshot: The state of the file.
  ///   - node: The leaf.
  ///   - isNullable: Whether a string may be missing; otherwise a missing one is empty.
  ///   - values: The reference of the strings that indices refer to.
  /// - Throws: ``RealmError`` if the leaf is damaged.
  init(
    _ snapshot: RealmSnapshot, _ node: RealmNode, isNullable: Bool, values: Int? = nil
  ) throws(RealmError) {
    self.isNullable = isNullable
    guard !node.isInner else { throw .misplaced("strings") }
    if node.hasRefs {
      if node.isMarked {
        form = .big(node)
        count = node.count
      } else {
        let leaf = try MediumLeaf(snapshot, node)
        form = .medium(leaf)
        count = leaf.count
      }
    } else if node.layout == .bytes {
      form = .short(node)
      count = node.count
    } else {
      guard node.layout == .bits, let values else {
        throw .misplaced("strings")
      }
      form = .enumerated(
        node,
        try StringLeaf(snapshot, try snapshot.node(values), isNullable: isNullable))
      count = node.count
    }
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int {
    if case .medium(let leaf) = form { leaf.partSize } else { 0 }
  }

  /// Returns the bytes of a string; nil if it is missing.
  func bytes(_ index: Int, _ snapshot: RealmSnapshot) throws(RealmError) -> ArraySlice<UInt8>? {
    try stored(index, snapshot) ?? (isNullable ? nil : [])
  }

  private func stored(
    _ index: Int, _ snapshot: RealmSnapshot
  ) throws(RealmError) -> ArraySlice<UInt8>? {
    switch form {
    case .short(let node):
      let element = try node.element(index)
      guard let last = element.last else { return nil }
      let padding = Int(last)
      guard padding <= element.count else { throw .outsideNode }
      return padding == element.count ? nil : element.dropLast(padding + 1)
    case .medium(let leaf): return try leaf.bytes(index)?.dropLast()
    case .big(let node):
      guard let ref = try node.ref(index) else { return nil }
      return try BigValue.bytes(ref, snapshot).dropLast()
    case .enumerated(let node, let values):
      return try values.stored(Int(clamping: try node.unsigned(index)), snapshot)
    }
  }

  /// Returns a string value.
  func value(_ index: Int, _ snapshot: RealmSnapshot) throws(RealmError) -> RealmValue {
    try bytes(index, snapshot).map(RealmValue.init(textBytes:)) ?? .null
  }
}

/// A leaf of concatenated values.
struct MediumLeaf {
  let count: Int
  private let offsets: RealmNode
  private let data: RealmNode
  private let nulls: RealmNode?

  init(_ snapshot: RealmSnapshot, _ node: RealmNode) throws(RealmError) {
    guard node.count >= 2, node.count <= 4 else { throw .damaged("node") }
    offsets = try snapshot.node(try node.requiredRef(0))
    data = try snapshot.node(try node.requiredRef(1))
    nulls = try node.optionalRef(2).map { ref throws(RealmError) in try snapshot.node(ref) }
    count = offsets.count
    if let nulls, nulls.count != count { throw .damaged("node") }
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int { offsets.size + data.size + (nulls?.size ?? 0) }

  func bytes(_ index: Int) throws(RealmError) -> ArraySlice<UInt8>? {
    let end = try offsets.integer(index)
    let start = index == 0 ? 0 : try offsets.integer(index - 1)
    if let nulls, try nulls.integer(index) != 0 { return nil }
    guard start >= 0, start <= end, end <= Int64(data.payload.count) else {
      throw .outsideNode
    }
    return data.payload[Int(start)..<Int(end)]
  }
}

/// A value in a separate node.
enum BigValue {
  static func bytes(_ ref: Int, _ snapshot: RealmSnapshot) throws(RealmError) -> ArraySlice<UInt8> {
    if let bytes = try snapshot.plainBytes(ref) { return bytes }
    let node = try snapshot.node(ref)
    guard node.isMarked else {
      guard !node.hasRefs else { throw .damaged("long value") }
      return node.payload[...]
    }
    var budget = ReadingBudget(snapshot)
    var bytes: [UInt8] = []
    for index in 0..<node.count {
      let part = try snapshot.node(try node.requiredRef(index), &budget)
      guard !part.hasRefs else { throw .damaged("long value") }
      bytes += part.payload
    }
    return bytes[...]
  }
}

/// A leaf of binary data, in the format of strings but without terminating zeros.
struct BinaryLeaf {
  let count: Int
  private let medium: MediumLeaf?
  private let big: RealmNode

  init(_ snapshot: RealmSnapshot, _ node: RealmNode) throws(RealmError) {
    guard node.hasRefs, !node.isInner else { throw .damaged("node") }
    big = node
    medium = node.isMarked ? nil : try MediumLeaf(snapshot, node)
    count = medium?.count ?? node.count
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int { medium?.partSize ?? 0 }

  /// Returns the bytes of a value; nil if it is missing.
  func bytes(_ index: Int, _ snapshot: RealmSnapshot) throws(RealmError) -> ArraySlice<UInt8>? {
    if let medium { return try medium.bytes(index) }
    return try big.ref(index).map { ref throws(RealmError) in try BigValue.bytes(ref, snapshot) }
  }
}
