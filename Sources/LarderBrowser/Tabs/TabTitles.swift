import LarderModel

/// What the line of tabs says of a tab.
package struct TabTitle: Sendable, Equatable {
  /// The number of the tab, from 1.
  package var number: Int
  /// The name of what it shows; of stores that have one name, with more of their paths.
  package var name: String
  /// Whether keys are marked in it.
  package var hasMarks: Bool
  /// Whether it is the one on screen.
  package var isShown: Bool
}

extension BrowserState {
  /// The tabs in order.
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

  /// What of its store a tab shows, where others show that store too: its scope, or its filter.
  private static func part(of tab: TabModel, among all: [TabModel]) -> String? {
    guard let keys = tab.keys,
      all.count(where: { $0.keys?.store.reference == keys.store.reference }) > 1
    else { return nil }
    if !keys.filterText.isEmpty { return "/" + keys.filterText }
    return keys.scope.isEmpty ? nil : keys.scope
  }

  /// What a tab shows, or is about to.
  private func location(of tab: TabModel) -> StoreLocation? {
    if let store = tab.keys?.store { return store.location }
    guard let awaited = tab.awaited, let item = stores.item(awaited.id) else { return nil }
    return item.summary.value.map { awaited.place(in: $0) }
      ?? StoreLocation(path: item.text, collection: awaited.collection)
  }

  /// The name of a place with as much of its path as tells it from the others.
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
