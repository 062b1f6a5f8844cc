import LarderModel
import LarderFormats
import Foundation

extension BrowserState {
  /// Shows when entries expire, their ages and their hits, or hides that.
  mutating func toggleTimes() -> Effects {
    guard let model = keys else { return [] }
    if cache != nil {
      cache = nil
      return readSelected() + (model.times == nil ? showTimes() : [])
    }
    guard let times = model.times else {
      if let doubt = expiryDoubt { say(doubt, .warning) }
      return showTimes()
    }
    keys?.times = nil
    return [Cancel(.times)] + (times.only == nil ? [] : seekOrReload(model.selected?.key))
  }

  /// Shows the times of a store that opens, where it has expiry and nobody doubts what its times are.
  mutating func showUndoubtedTimes() -> Effects {
    guard keys?.store.capabilities.contains(.expiry) == true, expiryDoubt == nil, cache == nil
    else { return [] }
    return showTimes()
  }

  private mutating func showTimes() -> Effects {
    cache = nil
    keys?.times = TimesModel()
    // A grid shows when rows expire only as the table stores it.
    keys?.grid?.isShown = false
    return sumTimes() + [TellTime(isWaited: false)]
  }

  /// That the times of the store may be dates of what its entries are about, as a clause; nil where they
  /// are ends of entries.
  var expiryDoubt: String? { listedExpiry?.doubt }

  /// Where the entries that are listed keep when they expire, and how that is known.
  var listedExpiry: CollectionExpiry? {
    guard let reference = keys?.store.reference,
      let collections = stores.loaded(reference.location)?.summary.collections
    else { return nil }
    let name = reference.collection
    return collections.first { $0.name == name || collections.count == 1 }?.expiry
  }

  /// Adds up when the entries expire, while that is shown.
  mutating func sumTimes() -> Effects {
    guard let model = keys, model.times != nil else { return [] }
    let ticket = ticket { $0.keys?.times?.counting }
    keys?.times?.counting = ticket.token
    return [SumTimes(store: model.store.reference, prefix: model.scope, ticket: ticket)]
  }

  mutating func timesSummed(_ result: Answer<TimesModel.Totals>) -> Effects {
    keys?.times?.counting = nil
    if case .success(let totals) = result { keys?.times?.totals = totals }
    return countDown()
  }

  /// Lists only entries that are fresh, expire soon or are expired.
  mutating func chooseTimes(_ typed: String) -> Effects {
    guard keys?.store.capabilities.contains(.expiry) == true else {
      say("this store has no expiry", .warning)
      return []
    }
    let state = EntryTime.State(rawValue: typed)
    guard state != nil || typed == "all" else {
      say(":show expired, soon (in a minute), fresh, never or all", .warning)
      return []
    }
    let effects = keys?.times == nil ? showTimes() : []
    if let state {
      // What is what is said of now, whenever the time was last told.
      keys?.times?.asked = state
      // Nothing acts on the list before, which may be of all entries.
      return effects.isEmpty ? [TellTime(isWaited: false)] : effects
    }
    keys?.times?.asked = nil
    keys?.times?.only = nil
    keys?.clearMarks()
    return effects + reloadKeys()
  }

  /// Lists all entries again where only those in a state are listed; nil where all are.
  mutating func leaveChosenTimes() -> Effects? {
    guard keys?.times?.only != nil || keys?.times?.asked != nil else { return nil }
    return chooseTimes("all")
  }

  /// Makes the state whose entries alone are listed that of the present, as far as it is known.
  ///
  /// Pages go on as of when the list was begun, or an entry would be skipped.
  mutating func renewChoice() {
    guard let only = keys?.times?.only, let time = clock.time else { return }
    keys?.times?.only?.span = only.state.span(at: time)
  }

  /// Lists only the entries that are in a state at a moment.
  mutating func list(_ state: EntryTime.State, at now: Date) -> Effects {
    keys?.times?.asked = nil
    keys?.times?.only = TimesModel.Choice(state: state, span: state.span(at: now))
    if let doubt = expiryDoubt { say(doubt, .warning) }
    keys?.clearMarks()
    return reloadKeys()
  }

  /// Whether times on screen change with time.
  var areTimesCounting: Bool {
    guard let times = keys?.times else { return false }
    guard let totals = times.totals, let time = clock.time else { return true }
    return totals.changes(after: time)
  }
}
