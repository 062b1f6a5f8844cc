extension RealmReading {
  /// Walks over the objects of a class, in the order of their object keys or its reverse.
  ///
  /// ```swift
  /// try reading.forEach(of: person, after: nil) { object in
  ///   print(object["name"] ?? .null)
  ///   return true
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - found: The class.
  ///   - properties: The names of those that are read; nil for all.
  ///   - after: The object key behind which the walk begins; nil for the first object.
  ///   - isBackward: Whether the last object comes first.
  ///   - body: What to do with each object; says whether to go on.
  /// - Throws: ``RealmError``, and what the closure throws.
  public func forEach(
    of found: RealmClass, properties: [String]? = nil, after: Int64? = nil,
    isBackward: Bool = false, _ body: (RealmObject) throws -> Bool
  ) throws {
    guard let root = found.root else { return }
    let wanted = try properties.map { names throws(RealmError) in
      try self.properties(names, of: found)
    }
    let snapshot = snapshot
    try ClusterTree(snapshot, root).walk(after: after, isBackward: isBackward) { leaf, rows in
      let columns = LeafColumns(snapshot, found, leaf, wanted ?? found.properties)
      let primary = LeafColumns(snapshot, found, leaf, found.primaryKey.map { [$0] } ?? [])
      for step in 0..<rows.count {
        let row = isBackward ? rows.upperBound - 1 - step : rows.lowerBound + step
        let object = try Self.object(found, leaf, row, columns, primary, snapshot)
        guard try body(object) else { return false }
      }
      return true
    }
  }

  /// The object with an object key.
  ///
  /// - Parameters:
  ///   - key: The key, which Realm never shows.
  ///   - found: The class.
  /// - Returns: The object; nil where there is none.
  /// - Throws: ``RealmError``.
  public func object(_ key: Int64, of found: RealmClass) throws(RealmError) -> RealmObject? {
    guard key >= 0, let root = found.root,
      let (leaf, row) = try ClusterTree(snapshot, root).find(key)
    else { return nil }
    return try Self.object(
      found, leaf, row, LeafColumns(snapshot, found, leaf, found.properties),
      LeafColumns(snapshot, found, leaf, found.primaryKey.map { [$0] } ?? []), snapshot)
  }

  /// The object with a primary key, which is looked for in all objects.
  ///
  /// - Parameters:
  ///   - key: The value of the primary key.
  ///   - found: The class, which has to have one.
  /// - Returns: The object; nil where there is none.
  /// - Throws: ``RealmError``.
  public func object(
    primaryKey key: RealmValue, of found: RealmClass
  ) throws -> RealmObject? {
    guard let objectKey = try objectKey(primaryKey: key, of: found) else { return nil }
    return try object(objectKey, of: found)
  }

  /// The object key of the object with a primary key, which is looked for in all objects.
  ///
  /// - Parameters:
  ///   - key: The value of the primary key.
  ///   - found: The class.
  /// - Returns: The object key; nil where there is no such object, and where the class has no
  ///   primary key.
  /// - Throws: ``RealmError``.
  public func objectKey(primaryKey key: RealmValue, of found: RealmClass) throws -> Int64? {
    guard let property = found.primaryKey else { return nil }
    var result: Int64?
    try forEachValue(of: property, in: found) { objectKey, value in
      guard value.isKey(key) else { return true }
      result = objectKey
      return false
    }
    return result
  }

  /// Walks over the values of one property, and reads nothing else.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - found: Its class.
  ///   - after: The object key behind which the walk begins; nil for the first object.
  ///   - isBackward: Whether the last object comes first.
  ///   - body: What to do with each object key and value; says whether to go on.
  /// - Throws: ``RealmError``, also for a value that cannot be read, and what the closure throws.
  public func forEachValue(
    of property: RealmProperty, in found: RealmClass, after: Int64? = nil,
    isBackward: Bool = false, _ body: (Int64, RealmValue) throws -> Bool
  ) throws {
    guard let root = found.root else { return }
    let snapshot = snapshot
    try ClusterTree(snapshot, root).walk(after: after, isBackward: isBackward) { leaf, rows in
      let column = try snapshot.column(property, leaf)
      // A whole leaf of single values takes no more than one object's share of memory.
      var decoder = try ValueDecoder(snapshot)
      for step in 0..<rows.count {
        let row = isBackward ? rows.upperBound - 1 - step : rows.lowerBound + step
        if property.collection != nil { decoder = try ValueDecoder(snapshot) }
        let value = try column?.value(row, &decoder) ?? .null
        guard try body(try leaf.key(row), value) else { return false }
      }
      return true
    }
  }

  /// The objects of a class, all of them.
  ///
  /// - Parameter name: The name of the class.
  /// - Returns: The objects, in the order of their object keys.
  /// - Throws: ``RealmError``.
  public func objects(of name: String) throws -> [RealmObject] {
    var objects: [RealmObject] = []
    try forEach(of: try requireClass(name)) {
      objects.append($0)
      return true
    }
    return objects
  }

  /// The properties of those names.
  func properties(
    _ names: [String], of found: RealmClass
  ) throws(RealmError) -> [RealmProperty] {
    try names.map { name throws(RealmError) in
      guard let property = found.property(name) else {
        throw RealmError(
          .noSuchName, "\(found.name) has no property \"\(name)\"")
      }
      return property
    }
  }

  private static func object(
    _ found: RealmClass, _ leaf: ClusterLeaf, _ row: Int, _ columns: LeafColumns,
    _ primary: LeafColumns, _ snapshot: RealmSnapshot
  ) throws(RealmError) -> RealmObject {
    var decoder = try ValueDecoder(snapshot)
    let key = primary.fields(row, &decoder).first
    if let problem = key?.problem { throw problem }
    return RealmObject(
      className: found.name, objectKey: try leaf.key(row), primaryKey: key?.value,
      fields: columns.fields(row, &decoder))
  }
}

extension RealmValue {
  /// Whether two values are the same key: text by its bytes.
  func isKey(_ other: RealmValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: self == other
    }
  }
}
