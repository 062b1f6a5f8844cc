package import LarderModel

extension BrowserState {
  /// Marks all keys in the list, with its filter and scope, including those that are not loaded.
  mutating func markAll() -> Effects {
    // A selection of expired entries must include those that have expired since.
    renewChoice()
    guard let model = keys else { return [] }
    let ticket = ticket { $0.keys?.markingAll }
    keys?.markingAll = ticket.token
    keys?.rangeStart = nil
    // In the order of the list, so that the keys that exceed the maximum are the last ones.
    var query = model.page(.forward, after: nil)
    query.limit = KeysModel.maximumMarkCount
    return [ListKeys(store: model.store.reference, query: query, ticket: ticket)]
  }

  mutating func keysListed(_ result: Answer<KeyListing>) -> Effects {
    keys?.markingAll = nil
    switch result {
    case .success(let listing):
      keys?.lostMarks = nil
      // The user has not seen the values, so there are no fingerprints to compare them with.
      keys?.marked.formUnion(listing.keys)
      let count = listing.keys.count
      if listing.isWhole {
        say(count == 0 ? Messages.noKeyToMark : Messages.marked(count))
      } else {
        say(Messages.markedFirst(count), .warning)
      }
    case .failure(.cancelled): break
    case .failure(let error): say(error.message, .error)
    }
    return []
  }

  /// Stops marking all keys; none of them are marked.
  mutating func stopMarkingAll() -> Effects {
    keys?.markingAll = nil
    say(Messages.noMoreMarked)
    return [Cancel(.marking)]
  }
}

/// A list of keys to mark.
package struct KeyListing: Sendable, Equatable {
  package var keys: [EntryKey]
  /// Whether these are all keys.
  package var isWhole: Bool

  package init(keys: [EntryKey], isWhole: Bool) {
    self.keys = keys
    self.isWhole = isWhole
  }
}
