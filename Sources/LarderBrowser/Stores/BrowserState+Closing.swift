import LarderModel

extension BrowserState {
  /// The location that is meant by closing one: the selected one of the list, or the one on screen.
  var locationToClose: LocationID? {
    guard focus == .stores else { return keys?.store.reference.location }
    return stores.place?.reference.location
  }

  /// Closes a location, with the tabs that show it.
  mutating func closeLocation() -> Effects {
    guard let id = locationToClose, let item = stores.item(id) else { return [] }
    let name = item.summary.value?.location.title() ?? item.text
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
    let tabsToo = closed == 0 ? "" : ", and \(closed == 1 ? "a tab" : "\(closed) tabs") with it"
    say("closed \(name)\(tabsToo); \(settings.bindings.call("open-store")) opens it again")
    return effects + [ForgetLocation(id: id)]
  }

  /// Shows something else than a location that was closed.
  private mutating func leaveClosed() -> Effects {
    if tabs.count > 1 { return leaveShownTab() }
    comparing = nil
    let cancels = [Cancel.ofTab]
    var empty = TabModel(focus: .stores, visits: visits)
    // Whoever closes one store after the other stays in their list.
    empty.isPaneChosen = isPaneChosen
    empty.isListEntered = isListEntered
    shownTab = empty
    guard let (id, summary) = stores.firstToShow else { return cancels }
    return cancels + show(id, wanting: summary.location)
  }
}
