public import Harmony

/// A page of a store's entries in key order or another order, after or before a given key.
///
/// It is answered by `getAll`. Pages use keyset pagination, so the ten-thousandth page costs no
/// more than the first; in any order other than the key order, each page requires a pass over all
/// entries. Sources reject an order that they do not support with ``StoreError/notSupported(_:)``.
public struct EntryPageQuery: Query, Hashable {
  /// The direction of a page.
  public enum Direction: Sendable, Hashable {
    /// The entries after `after` in order, or from the first entry if `after` is nil.
    case forward
    /// The entries before `after` in reverse order, or from the last entry if `after` is nil.
    case backward
  }

  /// The level of detail of the entries.
  public enum Detail: Sendable, Hashable {
    /// The key alone, which is the cheapest list.
    case keys
    /// The key, with type, size, modification time and expiry where the store knows them.
    case summary
    /// All data, including complete values and fingerprints.
    case values
  }

  /// The prefix of the keys to include, compared by bytes.
  public var prefix: String
  /// The filter that the entries must match.
  public var filter: EntryFilter?
  /// The range of expiries to include, for stores with ``StoreCapabilities/expiry``.
  public var expiring: ExpiryRange?
  /// The order of the entries.
  public var order: EntryOrder
  /// The key after which the page starts, in its direction; it is not part of the page.
  ///
  /// In any order other than the key order, the entry must exist, or the future fails with
  /// ``StoreError/notFound(_:)``, unless `afterRank` is set.
  public var after: EntryKey?
  /// The rank of the `after` entry when it was listed; nil to use its current rank.
  ///
  /// It is ignored in the key order and the match order, where the key determines the rank.
  public var afterRank: EntryOrder.Rank?
  /// The maximum number of entries.
  public var limit: Int
  /// The direction.
  public var direction: Direction
  /// The level of detail.
  public var detail: Detail
  /// The maximum size of a value to read, in bytes; nil for no limit.
  ///
  /// A larger value fails before it is read, if the store can tell; a page without values still
  /// includes the entry.
  public var maximumSize: Int?
  /// The scan that receives progress and sets a time budget; ignored by equality.
  public var scan: Scan?

  /// Creates a query for a page.
  public init(
    prefix: String = "", filter: EntryFilter? = nil, expiring: ExpiryRange? = nil,
    order: EntryOrder = .key,
    after: EntryKey? = nil, afterRank: EntryOrder.Rank? = nil, limit: Int = 200,
    direction: Direction = .forward, detail: Detail = .keys, scan: Scan? = nil
  ) {
    self.prefix = prefix
    self.filter = filter
    self.expiring = expiring
    self.order = order
    self.after = after
    self.afterRank = afterRank
    self.limit = limit
    self.direction = direction
    self.detail = detail
    self.scan = scan
  }
}

extension EntryPageQuery {
  /// The same page in ascending key order, with its direction reversed if it was descending; nil
  /// for other orders.
  package var inKeyOrder: EntryPageQuery? {
    guard order.field == .key else { return nil }
    guard order.isDescending else { return self }
    var query = self
    query.order = .key
    query.direction = direction == .forward ? .backward : .forward
    return query
  }

  /// Whether both queries request the same page, regardless of their scans.
  public static func == (left: Self, right: Self) -> Bool {
    left.prefix.hasBytes(of: right.prefix) && left.filter == right.filter
      && left.expiring == right.expiring && left.order == right.order && left.after == right.after
      && left.afterRank == right.afterRank && left.limit == right.limit
      && left.direction == right.direction && left.detail == right.detail
      && left.maximumSize == right.maximumSize
  }

  /// Feeds the query, without its scan, to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(prefix.utf8))
    hasher.combine(filter)
    hasher.combine(expiring)
    hasher.combine(order)
    hasher.combine(after)
    hasher.combine(afterRank)
    hasher.combine(limit)
    hasher.combine(direction)
    hasher.combine(detail)
  }
}
