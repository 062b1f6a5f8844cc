package import LarderModel

extension BrowserState {
  /// Marks all keys that are listed, those of the filter and the scope, also where they are not
  /// loaded.
  mutating func markAll() -> Effects {
    // Whoever means all that has expired means what has done so by now.
    renewChoice()
    guard let model = keys else { return [] }
    let ticket = ticket { $0.keys?.markingAll }
    keys?.markingAll = ticket.token
    keys?.rangeStart = nil
    // In the order of the list: where there are too many, the first are those that are seen.
    var query = model.page(.forward, after: nil)
    query.limit = KeysModel.maximumMarkCount
    return [ListKeys(store: model.store.reference, query: query, ticket: ticket)]
  }

  mutating func keysListed(_ result: Answer<KeyListing>) -> Effects {
    keys?.markingAll = nil
    switch result {
    case .success(let listing):
      keys?.lostMarks = nil
      // The user has seen none of the values, so nothing is kept of them.
      keys?.marked.formUnion(listing.keys)
      let count = Self.keys(listing.keys.count)
      if listing.isWhole {
        say(listing.keys.isEmpty ? "there is no key to mark" : "marked \(count)")
      } else {
        say("marked the first \(count), and there are more", .warning)
      }
    case .failure(.cancelled): break
    case .failure(let error): say(error.message, .error)
    }
    return []
  }

  /// Stops to mark all keys; none of them is marked then.
  mutating func stopMarkingAll() -> Effects {
    keys?.markingAll = nil
    say("no further key was marked")
    return [Cancel(.marking)]
  }

  static func keys(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "key" : "keys")"
  }
}

/// Keys that were listed to be marked.
package struct KeyListing: Sendable, Equatable {
  package var keys: [EntryKey]
  /// Whether these are all.
  package var isWhole: Bool

  package init(keys: [EntryKey], isWhole: Bool) {
    self.keys = keys
    self.isWhole = isWhole
  }
}
