package import Foundation

/// What was open and shown when the browser was left, as it is kept for a later start.
package struct Session: Sendable, Equatable, Codable {
  /// What was shown of a store.
  package struct Place: Sendable, Equatable, Codable {
    /// Which of the locations the store is in, from 0.
    package var location: Int
    /// The collection, or nil where the location is a store by itself.
    package var collection: String?
    /// What the listed keys begin with.
    package var scope: String
    /// What the list was filtered by.
    package var filter: String
    /// What parts keys into branches, where the list was a tree.
    package var delimiter: String?
    /// The selected key, as the journal writes keys; nil in an empty list.
    package var key: Data?
    /// The row of the screen that it was on.
    package var row: Int

    package init(
      location: Int, collection: String?, scope: String, filter: String, delimiter: String?,
      key: Data?, row: Int
    ) {
      self.location = location
      self.collection = collection
      self.scope = scope
      self.filter = filter
      self.delimiter = delimiter
      self.key = key
      self.row = row
    }
  }

  /// The locations, in the order they were opened in.
  package var locations: [String]
  /// The stores that were looked at; the one that was shown comes last.
  package var places: [Place]
  /// The theme; nil for the one that suits the terminal.
  package var theme: String?

  package init(locations: [String], places: [Place], theme: String?) {
    self.locations = locations
    self.places = places
    self.theme = theme
  }
}

extension BrowserState {
  /// What is open and shown; nil where nothing is.
  package var session: Session? {
    // A location of which nobody knows yet what it is stays as it was typed.
    let items = stores.items
    guard !items.isEmpty else { return nil }
    let locations = items.map { $0.summary.value?.resolvedPath ?? $0.text }
    let numbers = Dictionary(
      items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
    var places = visits.filter { $0.key != keys?.store.reference }
      .compactMap { place($0.key, $0.value, numbers) }
      .sorted { ($0.location, $0.collection ?? "") < ($1.location, $1.collection ?? "") }
    if let model = keys,
      let shown = place(model.store.reference, JumpList.Visit(model), numbers)
    {
      places.append(shown)
    }
    return Session(locations: locations, places: places, theme: theme)
  }

  private func place(
    _ store: StoreReference, _ visit: JumpList.Visit, _ numbers: [LocationID: Int]
  ) -> Session.Place? {
    guard let number = numbers[store.location] else { return nil }
    return Session.Place(
      location: number, collection: store.collection, scope: visit.scope,
      filter: visit.filterText, delimiter: visit.tree?.delimiter,
      key: visit.key.map { Data(EntryCoding.encode($0)) }, row: visit.screenRow)
  }

  /// Opens what was open, and shows it as it was left.
  package mutating func resume(_ session: Session) -> [BrowserEffect] {
    var effects: [BrowserEffect] = []
    var ids: [LocationID] = []
    for (number, text) in session.locations.enumerated() {
      let shown = session.places.last.flatMap { $0.location == number ? $0 : nil }
      let id = stores.add(text)
      ids.append(id)
      if let shown {
        awaited = id
        awaitedCollection = shown.collection
      }
      effects.append(.openLocation(id, text: text))
    }
    for place in session.places where ids.indices.contains(place.location) {
      let store = StoreReference(location: ids[place.location], collection: place.collection)
      visits[store] = JumpList.Visit(place)
    }
    if let theme = session.theme, theme != self.theme { effects.append(.useTheme(theme)) }
    return effects
  }
}

extension JumpList.Visit {
  /// What was shown when the browser was left.
  fileprivate init(_ place: Session.Place) {
    scope = place.scope
    filterText = place.filter
    tree = place.delimiter.map { TreeModel(delimiter: $0) }
    key = place.key.flatMap { EntryCoding.key(Array($0)) }
    screenRow = max(0, place.row)
    // Else the branch around the key would be closed, and the key not in the list.
    if let key { tree?.open(around: key, below: scope) }
  }
}
