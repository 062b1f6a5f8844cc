import Foundation

/// The values of a property in a leaf of objects, or the elements of a list, decoded on demand.
struct ColumnLeaf {
  let count: Int
  /// The number of bytes of its nodes in the file.
  var size: Int { ownSize + partSize }
  private let ownSize: Int
  private let form: Form
  private let isNullable: Bool

  private enum Form {
    case integers(IntegerLeaf), bools(RealmNode), floats(FloatLeaf), timestamps(TimestampLeaf)
    case objectIDs(IdentifierLeaf), uuids(IdentifierLeaf), decimals(DecimalLeaf)
    case strings(StringLeaf), binaries(BinaryLeaf), mixed(MixedLeaf)
    case links(RealmNode, target: UInt32?), keys(RealmNode, target: UInt32?)
    case typedLinks(RealmNode)
    case collections(RealmNode, RealmProperty)
  }

  /// Creates the values of a property in a leaf of objects.
  init(
    _ snapshot: RealmSnapshot, _ node: RealmNode, _ property: RealmProperty
  ) throws(RealmError) {
    if let problem = property.problem { throw problem }
    ownSize = node.size
    guard property.collection == nil else {
      guard node.hasRefs, !node.isInner else {
        throw .misplaced("collections")
      }
      form = .collections(node, property)
      count = node.count
      isNullable = false
      return
    }
    if property.type == .link {
      form = .links(node, target: property.targetKey)
      count = node.count
      isNullable = true
      return
    }
    let elements = try ColumnLeaf(snapshot, elements: node, property)
    form = elements.form
    count = elements.count
    isNullable = elements.isNullable
  }

  /// Creates the elements of a list or a set.
  init(
    _ snapshot: RealmSnapshot, elements node: RealmNode, _ property: RealmProperty
  ) throws(RealmError) {
    guard !node.isInner else { throw .misplaced("values") }
    isNullable = property.isNullable
    ownSize = node.size
    switch property.type {
    case .int:
      let leaf = try IntegerLeaf(node, isNullable: isNullable)
      form = .integers(leaf)
      count = leaf.count
    case .bool:
      form = .bools(node)
      count = node.count
    case .float:
      form = .floats(try FloatLeaf(node, width: 4))
      count = node.count
    case .double:
      form = .floats(try FloatLeaf(node, width: 8))
      count = node.count
    case .timestamp:
      let leaf = try TimestampLeaf(snapshot, node)
      form = .timestamps(leaf)
      count = leaf.count
    case .objectID:
      let leaf = try IdentifierLeaf(node, width: 12)
      form = .objectIDs(leaf)
      count = leaf.count
    case .uuid:
      let leaf = try IdentifierLeaf(node, width: 16)
      form = .uuids(leaf)
      count = leaf.count
    case .decimal:
      form = .decimals(try DecimalLeaf(node))
      count = node.count
    case .string:
      let leaf = try StringLeaf(
        snapshot, node, isNullable: isNullable,
        values: property.collection == nil ? property.enumerated : nil)
      form = .strings(leaf)
      count = leaf.count
    case .binary:
      let leaf = try BinaryLeaf(snapshot, node)
      form = .binaries(leaf)
      count = leaf.count
    case .mixed:
      let leaf = try MixedLeaf(snapshot, node)
      form = .mixed(leaf)
      count = leaf.count
    case .link:
      form = .keys(node, target: property.targetKey)
      count = node.count
    case .typedLink:
      form = .typedLinks(node)
      count = node.count / 2
    case .backlink: throw .unknownType(of: "column")
    }
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int {
    switch form {
    case .timestamps(let leaf): leaf.partSize
    case .strings(let leaf): leaf.partSize
    case .binaries(let leaf): leaf.partSize
    case .mixed(let leaf): leaf.partSize
    default: 0
    }
  }

  /// Returns a value; nil for a dangling link, which an element of a list may be.
  func value(_ index: Int, _ decoder: inout ValueDecoder) throws(RealmError) -> RealmValue? {
    switch form {
    case .integers(let leaf): return try leaf.number(index).map { .int($0) } ?? .null
    case .bools(let node):
      let bits = try node.integer(index)
      return bits == 3 ? .null : .bool(bits & 1 == 1)
    case .floats(let leaf): return try leaf.value(index, isNullable: isNullable)
    case .timestamps(let leaf): return try leaf.value(index)
    case .objectIDs(let leaf):
      return try leaf.bytes(index).flatMap(RealmObjectID.init(bytes:)).map { .objectID($0) }
        ?? .null
    case .uuids(let leaf):
      guard let bytes = try leaf.bytes(index) else { return .null }
      return .uuid(try UUID(realm: bytes))
    case .decimals(let leaf): return try leaf.value(index)
    case .strings(let leaf):
      guard let bytes = try leaf.bytes(index, decoder.snapshot) else { return .null }
      try decoder.budget.spend(text: bytes.count)
      return RealmValue(textBytes: bytes)
    case .binaries(let leaf):
      guard let bytes = try leaf.bytes(index, decoder.snapshot) else { return .null }
      try decoder.budget.spend(text: bytes.count)
      return .binary(Array(bytes))
    case .mixed(let leaf): return try leaf.value(index, &decoder)
    case .links(let node, let target):
      let key = try node.integer(index)
      return key == 0 ? .null : try decoder.link(target, key &- 1)
    case .keys(let node, let target):
      let key = try node.integer(index)
      return key < 0 ? nil : try decoder.link(target, key)
    case .typedLinks(let node):
      let table = UInt32(truncatingIfNeeded: try node.integer(2 * index)) & 0x7FFF_FFFF
      let key = try node.integer(2 * index + 1)
      return table == 0 ? .null : try decoder.link(table - 1, key &- 1)
    case .collections(let node, let property):
      return try decoder.collection(try node.ref(index), property)
    }
  }
}
