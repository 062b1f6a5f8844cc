/// The open locations and their collections, as one list.
package struct StoresModel: Sendable, Equatable {
  /// A location that was asked for.
  package struct Item: Sendable, Equatable {
    package let id: LocationID
    /// The location as it was typed.
    package let text: String
    package var summary: Loading<LocationSummary> = .running
  }

  /// A row of the list: a location, or a collection under it.
  package struct Row: Sendable, Equatable {
    package var reference: StoreReference
    package var title: String
    package var note: String
    package var isLocation: Bool
    package var isFailed: Bool
  }

  package private(set) var items: [Item] = []
  package var cursor = ListCursor()

  package init() {}

  /// Adds a location that is about to be opened.
  package mutating func add(_ text: String) -> LocationID {
    let id = LocationID(items.count)
    items.append(Item(id: id, text: text))
    return id
  }

  /// Takes in what a location is, or why it cannot be opened.
  package mutating func receive(_ id: LocationID, _ result: Result<LocationSummary, StoreError>) {
    guard let place = items.firstIndex(where: { $0.id == id }) else { return }
    switch result {
    case .success(let summary): items[place].summary = .loaded(summary)
    case .failure(let error): items[place].summary = .failed(error)
    }
  }

  /// The first location that can be shown, once it is known that none before it can.
  package var firstToShow: (id: LocationID, summary: LocationSummary)? {
    for item in items {
      switch item.summary {
      case .loaded(let summary): return (item.id, summary)
      case .failed: continue
      case .idle, .running: return nil
      }
    }
    return nil
  }

  /// A location and what it is, once it is open.
  package func loaded(_ id: LocationID) -> (id: LocationID, summary: LocationSummary)? {
    item(id)?.summary.value.map { (id, $0) }
  }

  /// The location with an id.
  package func item(_ id: LocationID) -> Item? {
    items.first { $0.id == id }
  }

  /// The rows of the list from the top.
  package var rows: [Row] {
    items.flatMap { item in
      let summary = item.summary.value
      var isFailed = false
      if case .failed = item.summary { isFailed = true }
      let path = summary?.location.path ?? item.text
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let head = Row(
        reference: StoreReference(location: item.id), title: name,
        note: summary?.kind.name ?? (isFailed ? "cannot be opened" : "opening…"),
        isLocation: true, isFailed: isFailed)
      let rest = summary?.collections ?? []
      return [head]
        + rest.map { collection in
          Row(
            reference: StoreReference(location: item.id, collection: collection.name),
            title: collection.name, note: collection.form, isLocation: false, isFailed: false)
        }
    }
  }
}
