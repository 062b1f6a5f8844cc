import LarderModel

extension BrowserState {
  /// Starts observing whether the current store becomes unavailable, if that is possible.
  mutating func attendStore() -> Effects {
    guard let store = keys?.store, store.capabilities.contains(.departs),
      let item = stores.item(store.reference.location)
    else { return [] }
    let ticket = ticket { $0.keys?.attending }
    keys?.attending = ticket.token
    return [
      MonitorStore(
        store: store.reference, text: item.text, isAway: keys?.isAway == true, ticket: ticket)
    ] + follow()
  }

  /// Reports that the current store is unavailable; its keys and any typed text stay on screen.
  mutating func storeLeft(_ reason: String) -> Effects {
    keys?.isAway = true
    keys?.load = nil
    keys?.seeking = nil
    say(Messages.away(reason), .warning)
    return [Cancel(.page), Cancel(.watch)]
  }

  /// Reloads the store now that it is available again, and keeps the selection.
  mutating func storeReturned(
    _ location: LocationSummary, _ store: StoreSummary
  ) -> Effects {
    stores.receive(store.reference.location, .success(location))
    keys?.store = store
    keys?.isAway = false
    keys?.failure = nil
    keys?.isSilent = false
    say(Messages.available(store.location.title()))
    return readAgain() + watchAgain() + countKeys()
  }
}
