import Harmony

/// Which entries a request is about.
struct InspectionQuery: Codable, Sendable, Hashable {
  /// One entry.
  var key: String?
  /// Several, in this order.
  var keys: [String]?
  /// Those from a key on.
  var from: String?
  /// Those up to and without a key.
  var upTo: String?
  /// Those behind a key.
  var after: String?
  /// So many at most.
  var limit: Int?
  /// The last key first.
  var descending: Bool?

  private init() {}

  /// What a query of Harmony says, nil where it says nothing of keys.
  init?(_ query: any Query) {
    self.init()
    if let selection = query.keySelection {
      self = InspectionQuery(selection)
    } else if let keys = query.entryKeys {
      self.keys = keys
    } else if let key = query.entryKey {
      self.key = key
    } else {
      return nil
    }
  }

  init(key: String) {
    self.key = key
  }

  init(_ selection: KeySelection) {
    from = selection.range.lowerBound
    upTo = selection.range.upperBound
    after = selection.after
    limit = selection.limit
    descending = selection.isDescending ? true : nil
  }

  /// What is selected, where neither one key nor several are named.
  var selection: KeySelection? {
    guard key == nil, keys == nil else { return nil }
    return KeySelection(
      KeyRange(from: from, upTo: upTo), after: after, limit: limit,
      isDescending: descending ?? false)
  }

  /// The same as a query of Harmony.
  var query: any Query {
    if let key { return IdQuery(key) }
    guard let selection else { return IdsQuery(keys ?? []) }
    return selection == KeySelection() ? AllObjectsQuery() : SelectionQuery(selection: selection)
  }
}

/// A query for any selection of keys.
struct SelectionQuery: KeySelectionQuery {
  let selection: KeySelection
}
