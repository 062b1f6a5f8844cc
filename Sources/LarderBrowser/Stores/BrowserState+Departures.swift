import LarderModel

extension BrowserState {
  /// Waits for the store on screen to go away, where it may.
  mutating func attendStore() -> Effects {
    guard let store = keys?.store, store.capabilities.contains(.departs),
      let item = stores.item(store.reference.location)
    else { return [] }
    let ticket = ticket { $0.keys?.attending }
    keys?.attending = ticket.token
    return [
      AttendStore(
        store: store.reference, text: item.text, isAway: keys?.isAway == true, ticket: ticket)
    ] + follow()
  }

  /// Says that the store on screen has gone; what is shown of it stays, and what is typed.
  mutating func storeLeft(_ reason: String) -> Effects {
    keys?.isAway = true
    keys?.load = nil
    keys?.seeking = nil
    say("\(reason); its keys stay on screen, and it is opened again once it is back", .warning)
    return [Cancel(.page), Cancel(.watch)]
  }

  /// Shows the store as it is now that it is there again; the selected key stays where it is.
  mutating func storeReturned(
    _ location: LocationSummary, _ store: StoreSummary
  ) -> Effects {
    stores.receive(store.reference.location, .success(location))
    keys?.store = store
    keys?.isAway = false
    keys?.failure = nil
    keys?.isSilent = false
    say("\(store.location.title()) is back and was reloaded")
    return readAgain() + watchAgain() + countKeys()
  }
}
