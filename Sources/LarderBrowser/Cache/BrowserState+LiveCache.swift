import LarderModel

extension BrowserState {
  /// Whether commands for caches apply to the store itself, which is a cache, rather than to
  /// larder's own.
  package var meansStoreCache: Bool {
    cache == nil && isStoreCache
  }

  /// Whether the store is the cache of a program, which writes through to the backing store.
  var isStoreCache: Bool { keys?.store.capabilities.contains(.cache) == true }

  /// Returns whether another program's version of an entry is only in the backing store, and not in
  /// the cache that is shown.
  ///
  /// Such an entry has no times.
  func isInBackingStore(_ theirs: Entry?) -> Bool {
    isStoreCache && theirs != nil && theirs?.modified == nil
  }

  /// Returns a clause that reports a change by another program, with the time since when if `since`
  /// is given.
  func changedByOthers(_ what: String, _ theirs: Entry?, _ since: String = "") -> String {
    isInBackingStore(theirs)
      ? Messages.differsInBackingStore(what) : Messages.changed(what, since: since)
  }

  /// Returns the advice to refresh an entry that was changed in the backing store, as the end of a
  /// sentence, or an empty string if it does not apply.
  func refreshAdvice(_ theirs: Entry?) -> String {
    isInBackingStore(theirs) && meansStoreCache
      ? Messages.refreshAdvice(refresh: settings.bindings.call("refresh")) : ""
  }

  /// Refreshes or evicts the chosen entries of a store that is a cache.
  mutating func changeCache(_ change: CacheChange) -> Effects {
    guard let model = keys, let chosen = chosenEntries else { return [] }
    let token = newToken()
    let title = title(of: chosen)
    let count: Int? = if case .keys(let keys) = chosen { keys.count } else { nil }
    guard
      begin(BulkChangeModel(token: token, total: count, change == .refresh ? .refresh : .eviction))
    else { return [] }
    keys?.changingCache = .init(
      token: token, change: change, title: title, isPrefix: count == nil)
    return [
      ChangeCache(store: model.store.reference, chosen: chosen, change: change, token: token)
    ]
  }

  /// Reports the result of a refresh or eviction.
  mutating func cacheChanged(
    token: Int, _ result: Answer<CacheChange.Outcome>
  ) -> Effects {
    if work?.report.token == token { work = nil }
    guard let order = keys?.changingCache, order.token == token,
      let store = keys?.store.reference
    else { return [] }
    keys?.changingCache = nil
    switch result {
    case .success(let outcome) where outcome.isStopped:
      let back = outcome.done > 0 && outcome.canBeUndone ? undoHint : ""
      say(order.text(stoppedAfter: outcome.done) + back)
    case .success(let outcome):
      keys?.clearMarks()
      say(order.text(of: outcome) + (outcome.canBeUndone ? undoHint : ""))
    case .failure(.cancelled): say(order.text(stoppedAfter: 0))
    case .failure(let error): say(error.message, .error)
    }
    return listChanged(store) + readSelected(through: .fresh)
  }
}

/// A change of a cache that leaves the backing store unchanged.
package enum CacheChange: Sendable, Equatable {
  /// Reads entries again from the backing store.
  case refresh
  /// Removes entries from the cache only.
  case evict

  /// The result of a change of a cache.
  package struct Outcome: Sendable, Equatable {
    package var done: Int
    /// The number of entries that are no longer in the backing store.
    package var missing: Int
    /// Whether the previous contents of the cache can be restored.
    package var canBeUndone: Bool
    /// Whether the change was stopped before its end.
    package var isStopped = false

    package init(done: Int, missing: Int = 0, canBeUndone: Bool = true) {
      self.done = done
      self.missing = missing
      self.canBeUndone = canBeUndone
    }
  }

  /// A change of a cache in progress.
  package struct Order: Sendable, Equatable {
    package var token: Int
    package var change: CacheChange
    /// The description of the entries in messages.
    package var title: String
    /// Whether the entries are chosen by prefix, so that their number is known only to the store.
    package var isPrefix = false

    /// Returns a message for a change that was stopped after a number of entries.
    func text(stoppedAfter count: Int) -> String {
      Messages.cacheStopped(after: count, change == .refresh ? "refreshed" : "evicted")
    }

    /// Returns a message for a completed change.
    func text(of outcome: Outcome) -> String {
      let count = outcome.done + outcome.missing
      let title = isPrefix ? "\(title), \(Messages.entries(count))" : title
      return switch change {
      case .refresh: Messages.refreshed(title, missing: outcome.missing)
      case .evict: Messages.evicted(title)
      }
    }
  }
}
