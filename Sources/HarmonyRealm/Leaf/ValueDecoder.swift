/// A decoder of values in leaves, including everything nested in them.
///
/// It is used for one traversal of objects, and limits how much the traversal may read and how many
/// elements an object may have.
struct ValueDecoder {
  let snapshot: RealmSnapshot
  var budget: ReadingBudget
  private let schema: RealmSchema
  private var depth = 0
  /// The targets of the last links by class, because links mostly lead to neighbors.
  private var targets: [UInt32: Target] = [:]

  /// A leaf of objects that links lead to.
  private struct Target {
    let leaf: Int
    let columns: LeafColumns
  }

  /// The maximum nesting of collections, which is that of Realm.
  private static let maximumDepth = 100
  private static let maximumTreeDepth = 16

  init(_ snapshot: RealmSnapshot) throws(RealmError) {
    self.snapshot = snapshot
    schema = try snapshot.schema()
    budget = ReadingBudget(snapshot)
  }

  /// Returns the target of a link, with its contents if it is an embedded object.
  mutating func link(_ table: UInt32?, _ key: Int64) throws(RealmError) -> RealmValue {
    // The object was deleted in another copy of a synchronized Realm, and may come back.
    guard key >= 0 else { return .null }
    guard let table, let target = schema.find(table) else {
      throw .danglingLink(to: "class")
    }
    guard let root = target.root,
      let (leaf, row) = try ClusterTree(snapshot, root).find(key)
    else { throw .danglingLink(to: "object") }
    if target.kind == .embedded {
      return .embedded(
        try inside { decoder throws(RealmError) in
          try decoder.budget.spend(embeddedWith: target.properties.count)
          return RealmObject(
            className: target.name, objectKey: key, primaryKey: nil,
            fields: decoder.columns(target.properties, table, leaf).fields(row, &decoder))
        })
    }
    var primary: RealmValue?
    if let property = target.primaryKey {
      let field = columns([property], table, leaf).fields(row, &self).first
      if let problem = field?.problem { throw problem }
      primary = field?.value
    }
    return .link(RealmLink(className: target.name, objectKey: key, primaryKey: primary))
  }

  /// Returns the columns of a link's target, which is often the same as that of the last link.
  private mutating func columns(
    _ properties: [RealmProperty], _ table: UInt32, _ leaf: ClusterLeaf
  ) -> LeafColumns {
    if let target = targets[table], target.leaf == leaf.ref { return target.columns }
    var budget = ReadingBudget(snapshot)
    let columns = LeafColumns(snapshot, leaf, properties, &budget)
    targets[table] = Target(leaf: leaf.ref, columns: columns)
    return columns
  }

  /// Returns a list, set or dictionary that is the value of a property.
  mutating func collection(
    _ ref: Int?, _ property: RealmProperty
  ) throws(RealmError) -> RealmValue {
    switch property.collection {
    case .dictionary:
      guard let ref else { return .dictionary([]) }
      return .dictionary(
        try inside { decoder throws(RealmError) in
          try decoder.dictionary(ref, hasIntegerKeys: property.hasIntegerKeys)
        })
    case .set: return .set(try ref.map { ref throws(RealmError) in try list(ref, property) } ?? [])
    case .list, nil:
      return .list(try ref.map { ref throws(RealmError) in try list(ref, property) } ?? [])
    }
  }

  /// Returns a list of values of any type that is nested in another value.
  mutating func mixedList(_ ref: Int) throws(RealmError) -> [RealmValue] {
    try inside { decoder throws(RealmError) in try decoder.list(ref, .ofMixed) }
  }

  /// Returns the entries of a dictionary.
  mutating func dictionary(
    _ ref: Int, hasIntegerKeys: Bool
  ) throws(RealmError) -> [RealmValue.Entry] {
    let node = try snapshot.node(ref, &budget)
    if snapshot.header.format < 23 { return try oldDictionary(ref) }
    guard node.hasRefs, !node.isInner, node.count >= 2 else {
      throw .damaged("dictionary")
    }
    let keys = try list(try node.requiredRef(0), hasIntegerKeys ? .ofIntegers : .ofTexts)
    let values = try inside { decoder throws(RealmError) in
      try decoder.list(try node.requiredRef(1), .ofMixed)
    }
    guard keys.count == values.count else { throw .damaged("dictionary") }
    return zip(keys, values).map { RealmValue.Entry(key: $0, value: $1) }
  }

  /// Returns a dictionary of format 22 or older, a tree of objects with a key and a value.
  private mutating func oldDictionary(_ ref: Int) throws(RealmError) -> [RealmValue.Entry] {
    var entries: [RealmValue.Entry] = []
    var failure: RealmError?
    let before = budget
    var rest = before
    do {
      rest = try ClusterTree(snapshot, ref).walk(after: nil, budget: before) { leaf, rows in
        do throws(RealmError) {
          try budget.spend(elements: rows.count)
          guard let keys = try leaf.column(0), let values = try leaf.column(1) else {
            throw .damaged("dictionary")
          }
          let names = try StringLeaf(
            snapshot, try snapshot.node(keys, &budget), isNullable: false)
          let mixed = try MixedLeaf(snapshot, try snapshot.node(values, &budget))
          try budget.spend(bytes: names.partSize + mixed.partSize)
          guard names.count == leaf.count, mixed.count == leaf.count else {
            throw .damaged("dictionary")
          }
          for row in rows {
            entries.append(
              RealmValue.Entry(
                key: try names.value(row, snapshot), value: try mixed.value(row, &self)))
          }
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw error as? RealmError ?? .damaged("dictionary")
    }
    if let failure { throw failure }
    try budget.spend(on: rest, of: before)
    return entries
  }

  /// Returns the elements of the list at a reference.
  private mutating func list(
    _ ref: Int, _ property: RealmProperty
  ) throws(RealmError) -> [RealmValue] {
    var elements: [RealmValue] = []
    try gather(ref, property, level: 0, &elements)
    return elements
  }

  private mutating func gather(
    _ ref: Int, _ property: RealmProperty, level: Int, _ elements: inout [RealmValue]
  ) throws(RealmError) {
    let node = try snapshot.node(ref, &budget)
    guard level < Self.maximumTreeDepth else { throw .deepTree }
    guard node.isInner else {
      let leaf = try ColumnLeaf(snapshot, elements: node, property)
      try budget.spend(bytes: leaf.partSize)
      try budget.spend(elements: leaf.count)
      elements.reserveCapacity(elements.count + leaf.count)
      for index in 0..<leaf.count {
        if let value = try leaf.value(index, &self) { elements.append(value) }
      }
      return
    }
    guard node.count >= 2 else { throw .damaged("list") }
    let total = try node.tagged(node.count - 1)
    let before = elements.count
    for place in 1..<(node.count - 1) {
      try gather(try node.requiredRef(place), property, level: level + 1, &elements)
    }
    // Dangling links are left out.
    guard UInt64(elements.count - before) <= total else { throw .damaged("list") }
  }

  /// Reads values one level deeper.
  private mutating func inside<Value>(
    _ read: (inout ValueDecoder) throws(RealmError) -> Value
  ) throws(RealmError) -> Value {
    guard depth < Self.maximumDepth else {
      throw RealmError.nested(deeperThan: Self.maximumDepth)
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }
}

extension RealmProperty {
  static let ofMixed = element(.mixed)
  static let ofIntegers = element(.int)
  static let ofTexts = element(.string)

  private static func element(_ type: RealmPropertyType) -> RealmProperty {
    RealmProperty(
      name: "", type: type, collection: .list, isNullable: type == .mixed, isIndexed: false,
      target: nil, leafIndex: 0, targetKey: nil, hasIntegerKeys: false, enumerated: nil,
      problem: nil)
  }
}

extension RealmSnapshot {
  /// Returns the values of a property in a leaf of objects; nil if the leaf has none.
  func column(_ property: RealmProperty, _ leaf: ClusterLeaf) throws(RealmError) -> ColumnLeaf? {
    if let problem = property.problem { throw problem }
    guard let ref = try leaf.column(property.leafIndex) else { return nil }
    let column = try ColumnLeaf(self, try node(ref), property)
    guard column.count == leaf.count else {
      throw .unequalCounts
    }
    return column
  }
}
