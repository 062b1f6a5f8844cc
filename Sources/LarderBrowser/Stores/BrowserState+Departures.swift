import LarderModel

extension BrowserState {
  /// Waits for the store on screen to go away, where it may.
  mutating func attendStore() -> [BrowserEffect] {
    guard let store = keys?.store, store.capabilities.contains(.departs),
      let item = stores.item(store.reference.location)
    else { return [] }
    let token = newToken()
    keys?.attending = token
    return [.attend(store.reference, text: item.text, isAway: keys?.isAway == true, token: token)]
      + follow()
  }

  /// Says that the store on screen has gone; what is shown of it stays, and what is typed.
  mutating func storeLeft(token: Int, _ reason: String) -> [BrowserEffect] {
    guard keys?.attending == token else { return [] }
    keys?.isAway = true
    keys?.load = nil
    keys?.seeking = nil
    say("\(reason); its keys stay on screen, and it is opened again once it is back", .warning)
    return [.cancel(.page), .cancel(.watch)]
  }

  /// Shows the store as it is now that it is there again; the selected key stays where it is.
  mutating func storeReturned(
    token: Int, _ location: LocationSummary, _ store: StoreSummary
  ) -> [BrowserEffect] {
    guard keys?.attending == token else { return [] }
    stores.receive(store.reference.location, .success(location))
    keys?.store = store
    keys?.isAway = false
    keys?.failure = nil
    keys?.isSilent = false
    say("\(store.location.title()) is back, and is read again")
    var effects = readAgain()
    if let watch = keys?.watch {
      let token = newToken()
      keys?.watch = watch.again(token)
      effects.append(.watch(store.reference, token: token))
    }
    return effects + countKeys()
  }
}
