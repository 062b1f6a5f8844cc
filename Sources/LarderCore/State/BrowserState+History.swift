extension BrowserState {
  /// Selects the key that is typed, or the one after it where it is not there.
  ///
  /// - Parameter typed: The key as it is written, without what the scope says of it.
  /// - Returns: The effects.
  mutating func goToKey(_ typed: String) -> [BrowserEffect] {
    typed.isEmpty ? [] : goTo(key(typed))
  }

  /// Selects a key, or the one after it where it is not there.
  mutating func goTo(_ key: EntryKey) -> [BrowserEffect] {
    guard let model = keys else { return [] }
    let key = listedKey(of: key)
    leaveMark()
    keys?.tree?.open(around: key, below: model.scope)
    keys?.filterText = ""
    focus = .keys
    let effects = seekKeys(key)
    keys?.wanted = key
    return effects
  }

  /// The key that the list has for an entry: of what lies in a value of a document, that of the
  /// whole value.
  func listedKey(of key: EntryKey) -> EntryKey {
    guard keys?.store.kind.keysArePaths == true, let path = key.documentPath, path.count > 1,
      let first = path.first
    else { return key }
    return EntryKey(path: [first])
  }

  /// Selects a key, also one of another branch than the one that is listed.
  mutating func goToAnyKey(_ key: EntryKey) -> [BrowserEffect] {
    if keys?.scope.isEmpty == false, key.hasPrefix(keys?.scope ?? "") == false {
      leaveMark()
      return change(scope: "") + goTo(key)
    }
    return goTo(key)
  }

  /// The key that a text means where it is typed: in a scope, one that begins with it.
  func key(_ typed: String) -> EntryKey {
    let scope = keys?.scope ?? ""
    guard scope.isEmpty else { return .text(scope + typed) }
    return EntryKey(notation: typed, style: keys?.store.keyStyle ?? .typed)
  }

  /// Remembers where the person is, who is about to go somewhere else.
  mutating func leaveMark() {
    guard let model = keys else { return }
    jumps.leave(JumpList.Place(model))
  }

  /// Goes back to where the person was, or forward again.
  mutating func travel(isBack: Bool) -> [BrowserEffect] {
    guard let model = keys else { return [] }
    let here = JumpList.Place(model)
    guard let place = isBack ? jumps.goBack(from: here) : jumps.goForward(from: here) else {
      say(isBack ? "there is nothing to go back to" : "there is nothing to go forward to")
      return []
    }
    focus = .keys
    guard place.store != model.store.reference else { return show(place.visit) }
    open(place)
    return [.openStore(place.store)]
  }

  /// Shows of the present store what was shown before.
  mutating func show(_ visit: JumpList.Visit) -> [BrowserEffect] {
    guard keys != nil else { return [] }
    let cancels = change(scope: visit.scope)
    keys?.tree = visit.tree
    keys?.filterText = visit.filterText
    keys?.order = visit.order
    keys?.isUnranked = false
    let effects = seekOrReload(visit.key)
    if visit.key != nil { keys?.seeking = visit.screenRow }
    return (cancels.isEmpty ? [.cancel(.branchCount)] : cancels) + effects
  }
}
