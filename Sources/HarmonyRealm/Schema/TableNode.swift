/// A table of the file, before the classes of its links are known.
struct TableNode {
  let name: String
  let key: UInt32
  private let node: RealmNode
  private let spec: RealmNode

  /// The attributes of a column.
  private enum Attribute {
    static let indexed: Int64 = 1
    static let nullable: Int64 = 16
    static let list: Int64 = 32
    static let dictionary: Int64 = 64
    static let set: Int64 = 128
  }

  private static let noKey: UInt64 = 0x7FFF_FFFF_FFFF_FFFF
  private static let listOfLinks = 13
  private static let backlink = RealmPropertyType.backlink.rawValue

  init(
    _ snapshot: RealmSnapshot, _ ref: Int, name: String, _ budget: inout ReadingBudget
  ) throws(RealmError) {
    self.name = name
    node = try snapshot.node(ref, &budget)
    guard node.hasRefs, !node.isInner, node.count >= 4, node.count <= 32 else {
      throw .damaged("table")
    }
    spec = try snapshot.node(try node.requiredRef(0), &budget)
    guard spec.hasRefs, spec.count >= 6, spec.count <= 8 else {
      throw .damaged("table")
    }
    key = UInt32(truncatingIfNeeded: try node.tagged(3))
  }

  /// Returns the class, given the names of the classes that its links lead to.
  func described(
    _ snapshot: RealmSnapshot, _ names: [UInt32: String], _ budget: inout ReadingBudget
  ) throws(RealmError) -> RealmClass {
    let properties = try self.properties(snapshot, names, &budget)
    let primary = try node.optionalTagged(11) ?? 0
    let root = try node.optionalRef(2)
    var count = 0
    if let root { count = try ClusterTree(snapshot, root).count() }
    let flags = try node.optionalTagged(12) ?? 0
    let primaryKey =
      primary == 0 || primary == Self.noKey
      ? nil : properties.first { $0.leafIndex == Int(primary & 0xFFFF) && $0.collection == nil }
    return RealmClass(
      name: RealmClass.shownName(name), tableName: name,
      kind: flags & 3 == 1 ? .embedded : flags & 3 == 2 ? .asymmetric : .topLevel,
      properties: properties,
      primaryKey: primaryKey, count: count, key: key, root: root,
      primaryIndex: primaryKey.flatMap { index(snapshot, $0) })
  }

  /// Returns the reference of the index of a property; nil if there is none that can be read.
  private func index(_ snapshot: RealmSnapshot, _ property: RealmProperty) -> Int? {
    guard let indexes = try? node.optionalRef(4).flatMap({ try? snapshot.node($0) }),
      property.leafIndex < indexes.count
    else { return nil }
    return try? indexes.ref(property.leafIndex)
  }

  private func properties(
    _ snapshot: RealmSnapshot, _ classNames: [UInt32: String], _ budget: inout ReadingBudget
  ) throws(RealmError) -> [RealmProperty] {
    let types = try snapshot.node(try spec.requiredRef(0), &budget)
    let attributes = try snapshot.node(try spec.requiredRef(2), &budget)
    let keys = try snapshot.node(try spec.requiredRef(5), &budget)
    try budget.spend(elements: types.count)
    guard types.count <= 1 << 16, attributes.count == types.count, keys.count == types.count else {
      throw .damaged("table")
    }
    guard types.count > 0 else { return [] }
    let names = try StringLeaf(
      snapshot, try snapshot.node(try spec.requiredRef(1), &budget), isNullable: false)
    let values = try spec.optionalRef(4).map { ref throws(RealmError) in try snapshot.node(ref) }
    let targets = try node.optionalRef(7).map { ref throws(RealmError) in try snapshot.node(ref) }
    var properties: [RealmProperty] = []
    var places: Set<Int> = []
    for index in 0..<types.count {
      let bits = try types.integer(index)
      let number = Int(bits & 0xFFFF)
      // Backlinks are columns without a name, which come last.
      if number == Self.backlink { continue }
      let flags = try attributes.integer(index)
      let column = UInt64(bitPattern: try keys.integer(index))
      let type = RealmPropertyType(rawValue: number == Self.listOfLinks ? 12 : number)
      let stated = Int(column >> 16 & 0x3F)
      let leafIndex = Int(column & 0xFFFF)
      guard places.insert(leafIndex).inserted else {
        throw .sharedColumn
      }
      var problem: RealmError?
      if type == nil { problem = .unknownType(of: "column") }
      if stated != number { problem = .twoTypes }
      var targetKey: UInt32?
      if type == .link, let targets, leafIndex < targets.count {
        targetKey = UInt32(truncatingIfNeeded: try targets.integer(leafIndex))
      }
      properties.append(
        RealmProperty(
          name: String(decoding: try names.bytes(index, snapshot) ?? [], as: UTF8.self),
          type: type ?? .mixed, collection: Self.collection(number, flags),
          isNullable: flags & Attribute.nullable != 0 || type == .mixed || type == .link,
          isIndexed: flags & Attribute.indexed != 0,
          target: targetKey.flatMap { classNames[$0] }, leafIndex: leafIndex,
          targetKey: targetKey, hasIntegerKeys: bits >> 16 == 0,
          enumerated: try values.flatMap { node throws(RealmError) in
            index < node.count ? try node.ref(index) : nil
          }, problem: problem))
    }
    return properties
  }

  private static func collection(_ type: Int, _ flags: Int64) -> RealmCollectionKind? {
    if type == listOfLinks || flags & Attribute.list != 0 { return .list }
    if flags & Attribute.set != 0 { return .set }
    return flags & Attribute.dictionary != 0 ? .dictionary : nil
  }
}
