import LarderModel

/// The preferences of a DataStore file as editable values, by their positions.
struct DataStoreSource: EditSource {
  /// The position of the whole file.
  static let root = -1

  let items: [DataStoreItem]

  func value(of place: Int) throws(DocumentError) -> StoredValue {
    if items.indices.contains(place) { return items[place].value }
    return .dictionary(items.map { StoredValue.Field($0.name, $0.value) })
  }

  func members(of place: Int) throws(DocumentError) -> EditMembers<Int, Never>? {
    guard place != Self.root else {
      return EditMembers(
        hasNames: true,
        members: items.enumerated().map { .init(name: $0.element.name, value: .kept($0.offset)) })
    }
    guard case .array(let values) = try value(of: place) else { return nil }
    return EditMembers(
      hasNames: false, members: values.map { .init(value: .new($0, replacing: nil)) })
  }

  /// Returns the preferences after changes.
  ///
  /// - Parameters:
  ///   - root: The changed values.
  ///   - forms: The names of the types of some preferences, by path.
  /// - Returns: The preferences, in their order.
  /// - Throws: ``DocumentError`` if DataStore has no type for a value.
  func items(
    of root: EditNode<Int, Never>, forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [DataStoreItem] {
    if case .kept = root { return items }
    guard case .container(let container) = root, container.hasNames else {
      throw DocumentError.unnamed
    }
    var changed: [DataStoreItem] = []
    for item in container.items where !item.isRemoved {
      guard let name = item.name else { continue }
      let value = try value(of: item.value)
      let old = item.value.place.flatMap { items.indices.contains($0) ? items[$0].type : nil }
      let form = forms[[.name(name)]].flatMap(DataStoreType.init(rawValue:))
      guard let type = form ?? DataStoreType(for: value, replacing: old) else {
        throw DocumentError.noDataStoreValue(value.type)
      }
      changed.append(DataStoreItem(name, type, value))
    }
    return changed
  }

  private func value(of node: EditNode<Int, Never>) throws(DocumentError) -> StoredValue {
    switch node {
    case .kept(let place): return try value(of: place)
    case .new(let value, _): return value
    case .container(let container):
      if let value = container.newValue { return value }
      var values: [StoredValue] = []
      for item in container.items where !item.isRemoved { values.append(try value(of: item.value)) }
      return .array(values)
    }
  }
}
