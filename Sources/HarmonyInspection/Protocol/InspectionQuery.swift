import Harmony

/// The entries of a request.
struct InspectionQuery: Codable, Sendable, Hashable {
  /// A single key.
  var key: String?
  /// Several keys in order.
  var keys: [String]?
  /// The lower bound, inclusive.
  var from: String?
  /// The upper bound, exclusive.
  var upTo: String?
  /// The key to start after.
  var after: String?
  /// The maximum number of entries.
  var limit: Int?
  /// Whether the order is descending.
  var descending: Bool?

  private init() {}

  /// Creates the equivalent of a Harmony query; nil if that has no keys.
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

  /// The selection of keys; nil if one or several keys are named.
  var selection: KeySelection? {
    guard key == nil, keys == nil else { return nil }
    return KeySelection(
      KeyRange(from: from, upTo: upTo), after: after, limit: limit,
      isDescending: descending ?? false)
  }

  /// The equivalent Harmony query.
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
