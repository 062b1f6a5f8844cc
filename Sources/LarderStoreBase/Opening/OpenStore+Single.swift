package import LarderModel

extension OpenStore {
  /// Creates the description of a location that holds a single store, without collections.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - evidence: The reason that the location is of this kind.
  ///   - facts: Facts about the location.
  ///   - alias: The name of a collection that is the store as well.
  package init(_ store: Store, evidence: String, facts: [Fact] = [], alias: String? = nil) {
    self.init(
      kind: store.kind, location: store.location, evidence: evidence,
      readOnlyReason: store.readOnlyReason, facts: facts
    ) { collection in
      guard let collection, collection != alias else { return store }
      throw StoreError.noCollection(collection, in: store.location.path)
    }
  }
}

extension [String] {
  /// The first names, separated by commas, and the number of the others.
  package func listed(first maximum: Int = 20) -> String {
    let names = prefix(maximum).joined(separator: ", ")
    return count > maximum ? "\(names) and \(count - maximum) more" : names
  }
}
