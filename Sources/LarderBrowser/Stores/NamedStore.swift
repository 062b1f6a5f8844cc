import LarderModel

/// A store that is open, with the name that distinguishes it from the others.
package struct NamedStore: Sendable, Equatable {
  package var name: String
  package var store: StoreReference
  /// Whether the user wants to be warned before it changes.
  package var isProtected = false
}

extension [NamedStore] {
  /// Returns the store with a name or, if there is one such, whose name ends with it.
  func named(_ name: String) -> NamedStore? {
    if let exact = first(where: { $0.name.hasBytes(of: name) }) { return exact }
    let ends = filter { $0.name.hasSuffix("/" + name) || $0.name.hasSuffix("#" + name) }
    if !ends.isEmpty { return ends.count == 1 ? ends.first : nil }
    // A location with a single store can be used as its name.
    let inside = filter { target in
      guard let collection = target.store.collection else { return false }
      let location = target.name.dropLast(collection.count + 1)
      return String(location).hasBytes(of: name) || location.hasSuffix("/" + name)
    }
    return inside.count == 1 ? inside.first : nil
  }
}

extension BrowserState {
  /// The open stores.
  var openStores: [NamedStore] {
    stores.items.flatMap { item -> [NamedStore] in
      guard let summary = item.summary.value else { return [] }
      let path = summary.location.path
      let references =
        summary.collections.isEmpty
        ? [StoreReference(location: item.id)]
        : summary.collections.map { StoreReference(location: item.id, collection: $0.name) }
      return references.map { reference in
        NamedStore(
          name: path + (reference.collection.map { "#\($0)" } ?? ""), store: reference,
          isProtected: isProtected(reference))
      }
    }
  }

  /// Returns the open store with a reference.
  func openStore(_ store: StoreReference) -> NamedStore? {
    openStores.first { $0.store == store }
  }

  /// The names of the open stores other than the one shown.
  var openStoreNames: [String] {
    openStores.filter { $0.store != keys?.store.reference }.map(\.name)
  }
}
