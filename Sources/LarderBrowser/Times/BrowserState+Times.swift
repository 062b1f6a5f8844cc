import LarderModel
import LarderFormats
import Foundation

extension BrowserState {
  /// Shows or hides the expiry, age and hits of entries.
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

  /// Shows the times of a store with expiry when it opens, unless their meaning is in doubt.
  mutating func showUndoubtedTimes() -> Effects {
    guard keys?.store.capabilities.contains(.expiry) == true, expiryDoubt == nil, cache == nil
    else { return [] }
    return showTimes()
  }

  private mutating func showTimes() -> Effects {
    cache = nil
    keys?.times = TimesModel()
    // A grid shows expiry times only in the format of the table.
    keys?.grid?.isShown = false
    return sumTimes() + [ReportDate(isWaited: false)]
  }

  /// A clause that warns that the times may be dates of the content rather than expiries, or `nil`
  /// if there is no doubt.
  var expiryDoubt: String? { listedExpiry?.doubt }

  /// The expiry of the listed collection, with the evidence for it, if known.
  var listedExpiry: CollectionExpiry? {
    guard let reference = keys?.store.reference,
      let collections = stores.loaded(reference.location)?.summary.collections
    else { return nil }
    let name = reference.collection
    return collections.first { $0.name == name || collections.count == 1 }?.expiry
  }

  /// Summarizes the expiry times while they are shown.
  mutating func sumTimes() -> Effects {
    guard let model = keys, model.times != nil else { return [] }
    let ticket = ticket { $0.keys?.times?.counting }
    keys?.times?.counting = ticket.token
    return [SummarizeExpiries(store: model.store.reference, prefix: model.scope, ticket: ticket)]
  }

  mutating func timesSummed(_ result: Answer<TimesModel.Totals>) -> Effects {
    keys?.times?.counting = nil
    if case .success(let totals) = result { keys?.times?.totals = totals }
    return countDown()
  }

  /// Lists only the entries in an expiry state, such as fresh or expired.
  mutating func chooseTimes(_ typed: String) -> Effects {
    guard keys?.store.capabilities.contains(.expiry) == true else {
      say(Messages.noExpiry, .warning)
      return []
    }
    let state = ExpiryStatus.State(rawValue: typed)
    guard state != nil || typed == "all" else {
      say(Messages.states, .warning)
      return []
    }
    let effects = keys?.times == nil ? showTimes() : []
    if let state {
      // The list is read once the current time is known.
      keys?.times?.asked = state
      // Until then, commands wait, because the old list may have other entries.
      return effects.isEmpty ? [ReportDate(isWaited: false)] : effects
    }
    keys?.times?.asked = nil
    keys?.times?.only = nil
    keys?.clearMarks()
    return effects + reloadKeys()
  }

  /// Returns to the list of all entries, or returns `nil` if they are already listed.
  mutating func leaveChosenTimes() -> Effects? {
    guard keys?.times?.only != nil || keys?.times?.asked != nil else { return nil }
    return chooseTimes("all")
  }

  /// Moves the span of the listed state to the current time, if it is known.
  ///
  /// Other pages of the same list use the time of the first page, so that no entry is skipped.
  mutating func renewChoice() {
    guard let only = keys?.times?.only, let time = clock.time else { return }
    keys?.times?.only?.span = only.state.span(at: time)
  }

  /// Lists only the entries that have a state at the given date.
  mutating func list(_ state: ExpiryStatus.State, at now: Date) -> Effects {
    keys?.times?.asked = nil
    keys?.times?.only = TimesModel.Choice(state: state, span: state.span(at: now))
    if let doubt = expiryDoubt { say(doubt, .warning) }
    keys?.clearMarks()
    return reloadKeys()
  }

  /// Whether the displayed times change as time passes.
  var areTimesCounting: Bool {
    guard let times = keys?.times else { return false }
    guard let totals = times.totals, let time = clock.time else { return true }
    return totals.changes(after: time)
  }
}
