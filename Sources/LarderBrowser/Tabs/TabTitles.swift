import LarderModel

/// The title of a tab in the tab line.
package struct TabTitle: Sendable, Equatable {
  /// The number of the tab, from 1.
  package var number: Int
  /// The name of the store, with more of its path if other stores have the same name.
  package var name: String
  /// Whether the tab has marked keys.
  package var hasMarks: Bool
  /// Whether the tab is the current one.
  package var isShown: Bool
}

extension BrowserState {
  /// The titles of all tabs in order.
  package var tabTitles: [TabTitle] {
    let all = tabs.before + [shownTab] + tabs.after
    let places = all.map(location(of:))
    return all.enumerated().map { index, tab in
      TabTitle(
        number: index + 1,
        name: Self.name(of: places[index], among: places)
          + (Self.part(of: tab, among: all).map { " › " + $0 } ?? ""),
        hasMarks: tab.keys?.marked.isEmpty == false, isShown: index + 1 == tabs.shown)
    }
  }

  /// Returns the scope or filter of a tab, if another tab shows the same store.
  private static func part(of tab: TabModel, among all: [TabModel]) -> String? {
    guard let keys = tab.keys,
      all.count(where: { $0.keys?.store.reference == keys.store.reference }) > 1
    else { return nil }
    if !keys.filterText.isEmpty { return "/" + keys.filterText }
    return keys.scope.isEmpty ? nil : keys.scope
  }

  /// Returns the location that a tab shows, or will show once it is open.
  private func location(of tab: TabModel) -> StoreLocation? {
    if let store = tab.keys?.store { return store.location }
    guard let awaited = tab.awaited, let item = stores.item(awaited.id) else { return nil }
    return item.summary.value.map { awaited.place(in: $0) }
      ?? StoreLocation(path: item.text, collection: awaited.collection)
  }

  /// Returns the name of a location, with as much of its path as is needed to make it unique.
  private static func name(of place: StoreLocation?, among others: [StoreLocation?]) -> String {
    guard let place else { return "…" }
    let like = others.compactMap { $0 }.filter { other in
      other.title().hasBytes(of: place.title()) && !other.path.hasBytes(of: place.path)
    }
    var parts = 1
    let most = place.path.split(separator: "/").count
    while parts < most,
      like.contains(where: { $0.title(parts: parts).hasBytes(of: place.title(parts: parts)) })
    {
      parts += 1
    }
    return place.title(parts: parts)
  }
}
