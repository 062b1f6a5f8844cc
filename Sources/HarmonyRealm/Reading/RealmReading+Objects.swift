extension RealmReading {
  /// Walks over the objects of a class, in the order of their object keys or its reverse.
  ///
  /// ```swift
  /// try reading.forEach(of: owner, after: nil) { object in
  ///   if object["name"] != nil { count += 1 }
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
    var decoder = try ValueDecoder(snapshot)
    try ClusterTree(snapshot, root).walk(after: after, isBackward: isBackward) { leaf, rows in
      let objects = LeafObjects(found, leaf, wanted ?? found.properties, &decoder)
      for step in 0..<rows.count {
        let row = isBackward ? rows.upperBound - 1 - step : rows.lowerBound + step
        guard try body(try objects.object(row, &decoder)) else { return false }
      }
      return true
    }
  }

  /// Walks over the object keys of a class, and reads nothing else.
  ///
  /// - Parameters:
  ///   - found: The class.
  ///   - after: The object key behind which the walk begins; nil for the first object.
  ///   - isBackward: Whether the last object comes first.
  ///   - body: What to do with each object key; says whether to go on.
  /// - Throws: ``RealmError``, and what the closure throws.
  public func forEachKey(
    of found: RealmClass, after: Int64? = nil, isBackward: Bool = false,
    _ body: (Int64) throws -> Bool
  ) throws {
    guard let root = found.root else { return }
    try ClusterTree(snapshot, root).walk(after: after, isBackward: isBackward) { leaf, rows in
      for step in 0..<rows.count {
        let row = isBackward ? rows.upperBound - 1 - step : rows.lowerBound + step
        guard try body(try leaf.key(row)) else { return false }
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
    var decoder = try ValueDecoder(snapshot)
    return try LeafObjects(found, leaf, found.properties, &decoder).object(row, &decoder)
  }

  /// Whether there is an object with an object key.
  ///
  /// - Parameters:
  ///   - key: The object key.
  ///   - found: The class.
  /// - Returns: Whether there is one.
  /// - Throws: ``RealmError``.
  public func hasObject(_ key: Int64, in found: RealmClass) throws(RealmError) -> Bool {
    guard key >= 0, let root = found.root else { return false }
    return try ClusterTree(snapshot, root).find(key) != nil
  }

  /// The value of one property of an object.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - key: The object key.
  ///   - found: The class.
  /// - Returns: The value; nil where there is no such object.
  /// - Throws: ``RealmError``.
  public func value(
    of property: RealmProperty, _ key: Int64, in found: RealmClass
  ) throws(RealmError) -> RealmValue? {
    guard key >= 0, let root = found.root,
      let (leaf, row) = try ClusterTree(snapshot, root).find(key)
    else { return nil }
    var decoder = try ValueDecoder(snapshot)
    return try snapshot.column(property, leaf)?.value(row, &decoder) ?? .null
  }

  /// The object with a primary key.
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

  /// The object key of the object with a primary key.
  ///
  /// It is found at once where Realm keeps an index of the key, as it does for every class with one;
  /// else, and where there is no such object, the keys of all objects are looked at.
  ///
  /// - Parameters:
  ///   - key: The value of the primary key.
  ///   - found: The class.
  /// - Returns: The object key; nil where there is no such object, and where the class has no
  ///   primary key.
  /// - Throws: ``RealmError``.
  public func objectKey(primaryKey key: RealmValue, of found: RealmClass) throws -> Int64? {
    guard let property = found.primaryKey else { return nil }
    if let index = found.primaryIndex,
      let candidate = SearchIndex(snapshot, index).candidate(key),
      let value = try? value(of: property, candidate, in: found), value.isKey(key)
    {
      return candidate
    }
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
    var decoder = try ValueDecoder(snapshot)
    try ClusterTree(snapshot, root).walk(after: after, isBackward: isBackward) { leaf, rows in
      let column = try snapshot.column(property, leaf)
      try decoder.budget.spend(bytes: column?.size ?? 0)
      for step in 0..<rows.count {
        let row = isBackward ? rows.upperBound - 1 - step : rows.lowerBound + step
        decoder.budget.beginObject()
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
    var properties: [RealmProperty] = []
    for name in names {
      guard let property = found.property(name) else {
        throw RealmError(
          .noSuchName, "\(found.name) has no property \"\(name)\"")
      }
      // Each is read once, as the file has it once.
      if !properties.contains(property) { properties.append(property) }
    }
    return properties
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
