import Foundation
import LarderDocuments
package import LarderModel

extension BrowserState {
  /// Selects the typed key, or the first key that has it as a prefix.
  ///
  /// If there is no such key, the previous selection is restored.
  ///
  /// - Parameter typed: The key as typed, without the prefix of the current scope.
  /// - Returns: The effects that read the list.
  mutating func goToKey(_ typed: String) -> Effects {
    guard !typed.isEmpty, let model = keys else { return [] }
    if shownGrid != nil, model.store.fault(inTyped: typed) != nil {
      say(Messages.rowsContaining(typed))
      return filterKeys(FilterText.inValues(typed))
    }
    let jumps = jumps
    let effects = goTo(model.uuidKey(typed) ?? key(typed))
    departure = keys?.wanted.map { Departure(keys: model, jumps: jumps, wanted: $0) }
    return effects
  }

  /// The state of the list before the search for a typed key.
  package struct Departure: Sendable, Equatable {
    var keys: KeysModel
    var jumps: JumpList
    /// The key to find.
    var wanted: EntryKey
  }

  /// Restores the list from before the search for a typed key that does not exist.
  ///
  /// - Parameter wanted: The key.
  /// - Returns: The effects, or `nil` if the key was not typed.
  package mutating func restoreList(missing wanted: EntryKey) -> Effects? {
    defer { departure = nil }
    guard let departure, let found = keys, departure.wanted == wanted,
      departure.keys.store.reference == found.store.reference
    else { return nil }
    let before = departure.keys
    keys?.window = before.window
    keys?.cursor = before.cursor
    keys?.resume = before.resume
    keys?.isPaused = before.isPaused
    keys?.filterText = before.filterText
    keys?.tree?.opened = before.tree?.opened ?? []
    keys?.load = nil
    keys?.seeking = nil
    keys?.wanted = nil
    jumps = departure.jumps
    let names = (found.window.entries + before.window.entries).prefix(2 * KeysModel.pageSize)
      .filter { $0.key.branchPrefix == nil }.map { text(of: $0.key) }
      .filter { $0.utf8.count <= 200 }
    let name = text(of: wanted)
    let near = name.utf8.count > 200 ? nil : SpellingSuggestion.word(to: name, in: names)
    refuse(Messages.noKey(name, near: near))
    return [Cancel(.page)] + loadNeeded() + countBranches()
  }

  /// Selects a key, or the next one if it does not exist.
  package mutating func goTo(_ key: EntryKey) -> Effects {
    guard let model = keys else { return [] }
    let key = listedKey(of: key)
    // An earlier search for a typed key is obsolete.
    departure = nil
    leaveMark()
    keys?.tree?.open(around: key, below: model.scope)
    keys?.filterText = ""
    focus = .keys
    let effects = seekKeys(key)
    keys?.wanted = key
    return effects
  }

  /// Returns the key of the row for an entry, which is the top-level value for an entry inside a
  /// document.
  func listedKey(of key: EntryKey) -> EntryKey {
    guard keys?.store.kind.keysArePaths == true, let path = key.documentPath, path.count > 1,
      let first = path.first
    else { return key }
    return EntryKey(path: [first])
  }

  /// Selects a key even if it is outside the listed branch.
  mutating func goToAnyKey(_ key: EntryKey) -> Effects {
    if keys?.scope.isEmpty == false, key.hasPrefix(keys?.scope ?? "") == false {
      leaveMark()
      return change(scope: "") + goTo(key)
    }
    return goTo(key)
  }

  /// Returns the key for typed text, which is relative to the current scope.
  func key(_ typed: String) -> EntryKey {
    let scope = keys?.scope ?? ""
    guard scope.isEmpty else { return .text(scope + typed) }
    return keys?.store.key(typed: typed) ?? EntryKey(notation: typed, style: .typed)
  }

  /// Adds the current place to the jump list, before going to another.
  mutating func leaveMark() {
    guard let model = keys else { return }
    jumps.leave(JumpList.Place(model))
  }

  /// Goes back or forward in the jump list.
  mutating func travel(isBack: Bool) -> Effects {
    guard let model = keys else { return [] }
    let here = JumpList.Place(model)
    guard let place = isBack ? jumps.goBack(from: here) : jumps.goForward(from: here) else {
      say(isBack ? Messages.noPlaceBack : Messages.noPlaceForward)
      return []
    }
    focus = .keys
    guard place.store != model.store.reference else { return show(place.visit) }
    open(place)
    return [OpenCollection(store: place.store, key: place.visit.keyChoice)]
  }

  /// Restores an earlier view of the current store.
  mutating func show(_ visit: JumpList.Visit) -> Effects {
    guard keys != nil else { return [] }
    let cancels = change(scope: visit.scope)
    keys?.tree = visit.tree
    keys?.filterText = visit.filterText
    keys?.order = visit.order
    if let columns = visit.columns { keys?.grid?.arrangement = columns }
    keys?.grid?.selected = visit.column
    keys?.isUnranked = false
    let effects = seekOrReload(visit.key)
    if visit.isWanted { keys?.wanted = visit.key }
    if visit.key != nil { keys?.seeking = visit.screenRow }
    return (cancels.isEmpty ? [Cancel(.branchCount)] : cancels) + effects
  }
}

extension KeysModel {
  /// Returns the key for a typed UUID, in a list whose keys are the bytes of UUIDs.
  fileprivate func uuidKey(_ typed: String) -> EntryKey? {
    guard case .bytes(let bytes)? = selected?.key, bytes.count == 16,
      let uuid = UUID(uuidString: typed)
    else { return nil }
    return .bytes(uuid.bytes)
  }
}
