import LarderModel
import LarderFormats
package import Foundation

/// The open stores and tabs when the browser exited, as they are stored for a later run.
package struct Session: Sendable, Equatable, Codable {
  /// A view of a store.
  package struct Place: Sendable, Equatable, Codable {
    /// The index of the location.
    package var location: Int
    /// The collection, or `nil` if the location is a single store.
    package var collection: String?
    /// The prefix of the listed keys.
    package var scope: String
    /// The filter of the list.
    package var filter: String
    /// The key separator, if the list was a tree.
    package var delimiter: String?
    /// The order of the list, such as `size down`, or `nil` for the order of keys.
    package var order: String?
    /// The columns of the chosen key, an empty string for the raw table, or `nil` for the
    /// recognized key.
    package var keyColumns: String?
    /// The arrangement of the columns of a grid.
    package var columns: GridModel.Arrangement?
    /// The selected key, encoded as in the journal, or `nil` in an empty list.
    package var key: Data?
    /// The row of the screen with the selected key.
    package var row: Int

    package init(
      location: Int, collection: String?, scope: String, filter: String, delimiter: String?,
      order: String? = nil, keyColumns: String? = nil, columns: GridModel.Arrangement? = nil,
      key: Data?, row: Int
    ) {
      self.location = location
      self.collection = collection
      self.scope = scope
      self.filter = filter
      self.delimiter = delimiter
      self.order = order
      self.keyColumns = keyColumns
      self.columns = columns
      self.key = key
      self.row = row
    }
  }

  /// The locations, in the order in which they were opened.
  package var locations: [String]
  /// The stores that were visited in the current tab; the last one is on screen.
  package var places: [Place]
  /// The stores of the tabs before the current one, or `nil` if there were none.
  package var placesBefore: [[Place]]?
  /// The stores of the tabs after the current one, or `nil` if there were none.
  package var placesAfter: [[Place]]?
  /// The theme, or `nil` to match the terminal.
  package var theme: String?

  package init(locations: [String], places: [Place], theme: String?) {
    self.locations = locations
    self.places = places
    self.theme = theme
  }
}

extension BrowserState {
  /// The current session, or `nil` if nothing is open.
  package var session: Session? {
    // A location that is not open yet is stored as typed.
    let mistyped = stores.mistyped
    let items = stores.items.filter { !mistyped.contains($0.id) }
    guard !items.isEmpty else { return nil }
    let locations = items.map {
      $0.summary.value?.resolvedPath ?? StoreLocation.withoutUser($0.text)
    }
    let numbers = Dictionary(
      items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
    var missing = tabs.missing.filter { tab in
      tab.awaited.map { stores.hasFailed($0.id) && numbers[$0.id] != nil } ?? false
    }
    var shown = places(of: shownTab, numbers)
    // If nothing else is shown, the next session starts with the location that could not be opened.
    if !shown.isShown, !missing.isEmpty { shown = places(of: missing.removeFirst(), numbers) }
    var session = Session(locations: locations, places: shown.places, theme: themes.shown)
    // Tabs that show nothing are not restored.
    func parked(_ tabs: [TabModel]) -> [[Session.Place]]? {
      let kept = tabs.map { places(of: $0, numbers) }.filter(\.isShown).map(\.places)
      return kept.isEmpty ? nil : kept
    }
    session.placesBefore = parked(tabs.before)
    session.placesAfter = parked(tabs.after + missing)
    return session
  }

  /// Returns the visited stores of a tab, and whether the last of them is on screen there.
  private func places(
    of tab: TabModel, _ numbers: [LocationID: Int]
  ) -> (places: [Session.Place], isShown: Bool) {
    // A restored tab that has not been shown yet is stored unchanged.
    let awaited = tab.awaited.map {
      StoreReference(location: $0.id, collection: $0.collection)
    }
    let shown = tab.keys?.store.reference ?? awaited
    var places = tab.visits.filter { $0.key != shown }
      .compactMap { place($0.key, $0.value, numbers) }
      .sorted { ($0.location, $0.collection ?? "") < ($1.location, $1.collection ?? "") }
    let visit = tab.keys.map { JumpList.Visit($0) } ?? shown.flatMap { tab.visits[$0] }
    guard let shown, let visit, let last = place(shown, visit, numbers) else {
      return (places, false)
    }
    places.append(last)
    return (places, true)
  }

  private func place(
    _ store: StoreReference, _ visit: JumpList.Visit, _ numbers: [LocationID: Int]
  ) -> Session.Place? {
    guard let number = numbers[store.location] else { return nil }
    return Session.Place(
      location: number, collection: store.collection, scope: visit.scope,
      filter: visit.filterText, delimiter: visit.tree?.delimiter,
      order: visit.order == .key ? nil : visit.order.name,
      keyColumns: visit.keyChoice?.text, columns: visit.columns,
      key: visit.key.map { Data(EntryCoding.encode($0)) }, row: visit.screenRow)
  }

  /// Restores a session.
  package mutating func resume(_ session: Session) -> Effects {
    var effects: Effects = []
    // A path whose kind of store has changed was open twice, but is now one store.
    var known: [ExactText: LocationID] = [:]
    let ids = session.locations.map { text in
      if let id = known[ExactText(text)] { return id }
      let id = stores.add(text)
      known[ExactText(text)] = id
      effects.append(OpenLocation(id: id, text: text))
      return id
    }
    let shown = TabModel(session.places, in: ids)
    awaited = shown.awaited
    visits = shown.visits
    func parked(_ tabs: [[Session.Place]]?, _ limit: Int) -> [TabModel] {
      let tabs = (tabs ?? []).map { TabModel($0, in: ids) }.filter { $0.awaited != nil }
      return Array(tabs.prefix(limit))
    }
    let before = parked(session.placesBefore, TabsModel.capacity - 1)
    let after = parked(session.placesAfter, TabsModel.capacity - 1 - before.count)
    tabs = TabsModel(before: before, after: after)
    if let theme = session.theme, theme != themes.shown {
      effects.append(TerminalOrder.useTheme(theme))
    }
    return effects
  }
}

extension TabModel {
  /// Creates a tab that shows the last of some places once it is on screen.
  fileprivate init(_ places: [Session.Place], in ids: [LocationID]) {
    focus = .keys
    for place in places where ids.indices.contains(place.location) {
      let store = StoreReference(location: ids[place.location], collection: place.collection)
      visits[store] = JumpList.Visit(place)
    }
    guard let last = places.last, ids.indices.contains(last.location) else { return }
    awaited = AwaitedLocation(id: ids[last.location], collection: last.collection)
  }
}

extension JumpList.Visit {
  /// Creates the view from a stored place.
  fileprivate init(_ place: Session.Place) {
    scope = place.scope
    filterText = place.filter
    tree = place.delimiter.map { TreeModel(delimiter: $0) }
    key = place.key.flatMap { EntryCoding.key(Array($0)) }
    screenRow = max(0, place.row)
    order = place.order.flatMap { EntryOrder(name: $0) } ?? .key
    keyChoice = place.keyColumns.map { KeyChoice(text: $0) }
    columns = place.columns
    // Otherwise, the branch of the key would be closed and the key would not be listed.
    if let key { tree?.open(around: key, below: scope) }
  }
}
