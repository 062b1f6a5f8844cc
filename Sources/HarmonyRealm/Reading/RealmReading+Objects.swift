extension RealmReading {
  /// Traverses the objects of a class, in ascending or descending order of their object keys.
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
  ///   - properties: The names of the properties to read; nil for all.
  ///   - after: The object key to start after; nil for the first object.
  ///   - isBackward: Whether the order is descending.
  ///   - body: Processes an object and returns whether to continue.
  /// - Throws: ``RealmError``; any error of `body`.
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

  /// Traverses the object keys of a class, without reading anything else.
  ///
  /// - Parameters:
  ///   - found: The class.
  ///   - after: The object key to start after; nil for the first object.
  ///   - isBackward: Whether the order is descending.
  ///   - body: Processes an object key and returns whether to continue.
  /// - Throws: ``RealmError``; any error of `body`.
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

  /// Returns the object with an object key.
  ///
  /// - Parameters:
  ///   - key: The object key, which is internal to Realm.
  ///   - found: The class.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``RealmError``.
  public func object(_ key: Int64, of found: RealmClass) throws(RealmError) -> RealmObject? {
    guard key >= 0, let root = found.root,
      let (leaf, row) = try ClusterTree(snapshot, root).find(key)
    else { return nil }
    var decoder = try ValueDecoder(snapshot)
    return try LeafObjects(found, leaf, found.properties, &decoder).object(row, &decoder)
  }

  /// Returns whether there is an object with an object key.
  ///
  /// - Parameters:
  ///   - key: The object key.
  ///   - found: The class.
  /// - Returns: Whether the object exists.
  /// - Throws: ``RealmError``.
  public func hasObject(_ key: Int64, in found: RealmClass) throws(RealmError) -> Bool {
    guard key >= 0, let root = found.root else { return false }
    return try ClusterTree(snapshot, root).find(key) != nil
  }

  /// Returns the value of a property of an object.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - key: The object key.
  ///   - found: The class.
  /// - Returns: The value; nil if there is no such object.
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

  /// Returns the object with a primary key.
  ///
  /// - Parameters:
  ///   - key: The value of the primary key.
  ///   - found: The class, which must have a primary key.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``RealmError``.
  public func object(
    primaryKey key: RealmValue, of found: RealmClass
  ) throws -> RealmObject? {
    guard let objectKey = try objectKey(primaryKey: key, of: found) else { return nil }
    return try object(objectKey, of: found)
  }

  /// Returns the object key of the object with a primary key.
  ///
  /// The lookup is fast if Realm has an index of the primary key, as it does for every class that
  /// has one. If there is no index or no such object, the keys of all objects are searched.
  ///
  /// - Parameters:
  ///   - key: The value of the primary key.
  ///   - found: The class.
  /// - Returns: The object key; nil if there is no such object or the class has no primary key.
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

  /// Traverses the values of a property, without reading anything else.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - found: The class of the property.
  ///   - after: The object key to start after; nil for the first object.
  ///   - isBackward: Whether the order is descending.
  ///   - body: Processes an object key and value, and returns whether to continue.
  /// - Throws: ``RealmError``, also if a value cannot be read; any error of `body`.
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

  /// Returns all objects of a class.
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

  /// Returns the properties with the given names.
  func properties(
    _ names: [String], of found: RealmClass
  ) throws(RealmError) -> [RealmProperty] {
    var properties: [RealmProperty] = []
    for name in names {
      guard let property = found.property(name) else {
        throw RealmError.noProperty(name, of: found.name)
      }
      // The budget allows reading each property only once.
      if !properties.contains(property) { properties.append(property) }
    }
    return properties
  }
}

extension RealmValue {
  /// Whether two values are the same key; strings are compared by their bytes.
  func isKey(_ other: RealmValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: self == other
    }
  }
}
