import LarderModel

extension BrowserState {
  /// The location to close, which is the selected one in the list of stores, or else the one on
  /// screen.
  var locationToClose: LocationID? {
    guard focus == .stores else { return keys?.store.reference.location }
    return stores.place?.reference.location
  }

  /// The names of the open locations as the list of stores shows them, or as they were typed if
  /// several have the same name.
  var locationNames: [String] {
    let counts = Dictionary(grouping: stores.items, by: \.title)
    return stores.items.map { counts[$0.title]?.count == 1 ? $0.title : $0.text }
  }

  /// Closes a location, by default ``locationToClose``, and the tabs that show it.
  mutating func closeLocation(_ typed: String) -> Effects {
    let items = stores.items
    let places = zip(items, locationNames).filter { $1 == typed || $0.text == typed }
    let named = places.count == 1 ? places.first?.0.id : nil
    guard typed.isEmpty || named != nil else {
      let advice = SpellingSuggestion.advice(
        for: typed, in: locationNames, otherwise: locationNames.joined(separator: ", "))
      say(Messages.notOpen(typed, advice), .warning)
      return []
    }
    guard let id = named ?? locationToClose, let item = stores.item(id) else { return [] }
    let name = item.title
    let isHere: (TabModel) -> Bool = { tab in
      tab.keys?.store.reference.location == id || tab.awaited?.id == id
        || tab.opening?.location == id
    }
    let isShown = isHere(shownTab)
    let closed = tabs.removeAll(where: isHere)
    stores.remove(id, height: viewport.stores)
    tab.forget(id)
    tabs.changeAll { $0.forget(id) }
    let effects = isShown ? leaveClosed() : []
    say(Messages.closed(name, tabs: closed, open: settings.bindings.call("open-store")))
    return effects + [ForgetLocation(id: id)]
  }

  /// Shows another store in place of a closed one.
  private mutating func leaveClosed() -> Effects {
    if tabs.count > 1 { return leaveShownTab() }
    comparing = nil
    let cancels = [Cancel.ofTab]
    var empty = TabModel(focus: .stores, visits: visits)
    // A user who closes several stores stays in the list of stores.
    empty.isPaneChosen = isPaneChosen
    empty.isListEntered = isListEntered
    shownTab = empty
    guard let (id, summary) = stores.firstToShow else { return cancels }
    return cancels + show(id, wanting: summary.location)
  }
}

extension StoresModel.Item {
  /// The name of the location in the list of stores.
  fileprivate var title: String { summary.value?.location.title() ?? text }
}
