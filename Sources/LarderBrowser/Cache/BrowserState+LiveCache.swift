import LarderModel

extension BrowserState {
  /// Whether a command about the cache means the one that the store itself is, and not larder's own.
  package var meansStoreCache: Bool {
    cache == nil && isStoreCache
  }

  /// Whether the store is a cache of its program, which writes through to the backing store.
  var isStoreCache: Bool { keys?.store.capabilities.contains(.cache) == true }

  /// Whether what others have made of an entry is only in the backing store of the cache that the store is, and not
  /// cached: then it has no times.
  func isInBackingStore(_ theirs: Entry?) -> Bool {
    isStoreCache && theirs != nil && theirs?.modified == nil
  }

  /// That others have changed what is named, as a clause, with since when where that is to be said.
  func changedByOthers(_ what: String, _ theirs: Entry?, _ since: String = "") -> String {
    isInBackingStore(theirs)
      ? "in the backing store, \(what) is not what is cached"
      : "\(what) was changed by someone else\(since.isEmpty ? "" : " " + since)"
  }

  /// How what others have made of an entry in the backing store of a cache can be seen, as the rest of a sentence;
  /// nothing elsewhere.
  func refreshAdvice(_ theirs: Entry?) -> String {
    isInBackingStore(theirs) && meansStoreCache
      ? "; \(settings.bindings.call("refresh")) reads it again" : ""
  }

  /// Has what is chosen read again into the cache that the store is, or taken out of it.
  mutating func changeCache(_ change: CacheChange) -> Effects {
    guard let model = keys, let chosen = chosenEntries else { return [] }
    let token = newToken()
    let title = title(of: chosen)
    let count: Int? = if case .keys(let keys) = chosen { keys.count } else { nil }
    guard begin(WorkModel(token: token, total: count, change == .refresh ? .refresh : .eviction))
    else { return [] }
    keys?.changingCache = .init(
      token: token, change: change, title: title, isPrefix: count == nil)
    return [
      ChangeCache(store: model.store.reference, chosen: chosen, change: change, token: token)
    ]
  }

  /// Says what became of that.
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

/// A change of what a timed cache holds, which leaves the backing store as it is.
package enum CacheChange: Sendable, Equatable {
  /// Read again from the backing store.
  case refresh
  /// Taken out of the cache alone.
  case evict

  /// How many entries it was done to.
  package struct Outcome: Sendable, Equatable {
    package var done: Int
    /// How many were not in the backing store any more.
    package var missing: Int
    /// Whether the cache can be given back what it held.
    package var canBeUndone: Bool
    /// Whether it was stopped after these.
    package var isStopped = false

    package init(done: Int, missing: Int = 0, canBeUndone: Bool = true) {
      self.done = done
      self.missing = missing
      self.canBeUndone = canBeUndone
    }
  }

  /// A change that is under way.
  package struct Order: Sendable, Equatable {
    package var token: Int
    package var change: CacheChange
    /// What the entries are called in a sentence.
    package var title: String
    /// Whether they are all below a prefix, so that only the store knows how many there are.
    package var isPrefix = false

    /// What became of it where it was stopped, as a sentence.
    func text(stoppedAfter count: Int) -> String {
      let done = change == .refresh ? "refreshed" : "evicted"
      let entries =
        count == 0 ? "nothing" : PrefixDeletionModel.entries(count)
      return "stopped: \(entries) \(count > 1 ? "were" : "was") \(done)"
    }

    /// What became of it, as a sentence.
    func text(of outcome: Outcome) -> String {
      let gone =
        outcome.missing == 0
        ? ""
        : "; \(PrefixDeletionModel.entries(outcome.missing)) not there any more, and not cached"
      let count = outcome.done + outcome.missing
      let title = isPrefix ? "\(title), \(PrefixDeletionModel.entries(count))" : title
      return switch change {
      case .refresh: "\(title): refreshed from the backing store\(gone)"
      case .evict: "\(title): evicted; the backing store is unchanged"
      }
    }
  }
}
