import LarderModel
import LarderFormats
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
    /// The order of the list, such as `size down`; nil for that of the keys.
    package var order: String?
    /// What was made of the columns of a grid.
    package var columns: GridModel.Arrangement?
    /// The selected key, as the journal writes keys; nil in an empty list.
    package var key: Data?
    /// The row of the screen that it was on.
    package var row: Int

    package init(
      location: Int, collection: String?, scope: String, filter: String, delimiter: String?,
      order: String? = nil, columns: GridModel.Arrangement? = nil, key: Data?, row: Int
    ) {
      self.location = location
      self.collection = collection
      self.scope = scope
      self.filter = filter
      self.delimiter = delimiter
      self.order = order
      self.columns = columns
      self.key = key
      self.row = row
    }
  }

  /// The locations, in the order they were opened in.
  package var locations: [String]
  /// The stores that were looked at in the tab that was shown; the one on screen comes last.
  package var places: [Place]
  /// Those of the tabs before it; nil where there were none.
  package var placesBefore: [[Place]]?
  /// Those of the tabs after it; nil where there were none.
  package var placesAfter: [[Place]]?
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
    let mistyped = stores.mistyped
    let items = stores.items.filter { !mistyped.contains($0.id) }
    guard !items.isEmpty else { return nil }
    let locations = items.map { $0.summary.value?.resolvedPath ?? $0.text }
    let numbers = Dictionary(
      items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
    var missing = tabs.missing.filter { tab in
      tab.awaited.map { stores.hasFailed($0.id) && numbers[$0.id] != nil } ?? false
    }
    var shown = places(of: shownTab, numbers)
    // Where nothing is shown instead, what is missing is what the next start goes to.
    if !shown.isShown, !missing.isEmpty { shown = places(of: missing.removeFirst(), numbers) }
    var session = Session(locations: locations, places: shown.places, theme: themes.shown)
    // One that shows nothing is no place to come back to.
    func parked(_ tabs: [TabModel]) -> [[Session.Place]]? {
      let kept = tabs.map { places(of: $0, numbers) }.filter(\.isShown).map(\.places)
      return kept.isEmpty ? nil : kept
    }
    session.placesBefore = parked(tabs.before)
    session.placesAfter = parked(tabs.after + missing)
    return session
  }

  /// The stores that were looked at in a tab, and whether the last of them is on screen there.
  private func places(
    of tab: TabModel, _ numbers: [LocationID: Int]
  ) -> (places: [Session.Place], isShown: Bool) {
    // One that nobody has come back to yet is as it was.
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
      order: visit.order == .key ? nil : visit.order.name, columns: visit.columns,
      key: visit.key.map { Data(EntryCoding.encode($0)) }, row: visit.screenRow)
  }

  /// Opens what was open, and shows it as it was left.
  package mutating func resume(_ session: Session) -> Effects {
    var effects: Effects = []
    // A path that became a store of another kind was open twice, and is one store now.
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
  /// A tab that shows the last of some places once it is on screen.
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
  /// What was shown when the browser was left.
  fileprivate init(_ place: Session.Place) {
    scope = place.scope
    filterText = place.filter
    tree = place.delimiter.map { TreeModel(delimiter: $0) }
    key = place.key.flatMap { EntryCoding.key(Array($0)) }
    screenRow = max(0, place.row)
    order = place.order.flatMap { EntryOrder(name: $0) } ?? .key
    columns = place.columns
    // Else the branch around the key would be closed, and the key not in the list.
    if let key { tree?.open(around: key, below: scope) }
  }
}
