public import Harmony

/// One page of a store's entries in the order of their keys, or in another, after or before a
/// given one.
///
/// Answered by `getAll`. A page is found from the entry before it (keyset pagination), so the
/// ten-thousandth costs what the first does; in another order than that of the keys each page costs
/// a look at all entries. Sources refuse an order that they do not know with
/// ``StoreError/notSupported(_:)``.
public struct EntryPageQuery: Query, Hashable {
  /// Which way the page extends from `after`.
  public enum Direction: Sendable, Hashable {
    /// What follows `after` in the order; from the first entry where there is no `after`.
    case forward
    /// What comes before `after`, the last first; from the last entry where there is no `after`.
    case backward
  }

  /// How much of each entry a page holds.
  public enum Detail: Sendable, Hashable {
    /// The key alone: the cheapest list a store can make.
    case keys
    /// The key, and type, size, modification and expiry where the store knows them.
    case summary
    /// Everything, values whole, with fingerprints.
    case values
  }

  /// Only keys whose text starts with these bytes.
  public var prefix: String
  /// Only entries that match.
  public var filter: EntryFilter?
  /// Only entries that expire in a span of time; of meaning where the store can do
  /// ``StoreCapabilities/expiry``.
  public var expiring: ExpirySpan?
  /// The order of the entries.
  public var order: EntryOrder
  /// The key that the page comes after, in the page's direction; it is not part of the page.
  ///
  /// In other orders than that of the keys an entry has to have it, or the future fails with
  /// ``StoreError/notFound(_:)``, unless `afterRank` says where it was.
  public var after: EntryKey?
  /// What the entry under `after` was ordered by when it was listed; nil for what it is by now.
  ///
  /// Of no meaning in the orders of keys and of matches, where the key itself says it.
  public var afterRank: EntryOrder.Rank?
  /// The maximum number of entries in the page.
  public var limit: Int
  /// Which way the page extends.
  public var direction: Direction
  /// How much of each entry is read.
  public var detail: Detail
  /// The largest value that is read, in bytes; nil for any.
  ///
  /// What is larger fails before it is read, in stores that can tell; pages without values hold it
  /// all the same.
  public var maximumSize: Int?
  /// Where the source reports how far it is, and where it takes its budget from; never compared.
  public var scan: Scan?

  /// Creates a query for a page.
  public init(
    prefix: String = "", filter: EntryFilter? = nil, expiring: ExpirySpan? = nil,
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
  /// The same page as one of keys that ascend, going the other way where they were to descend; nil
  /// in other orders.
  package var inKeyOrder: EntryPageQuery? {
    guard order.field == .key else { return nil }
    guard order.isDescending else { return self }
    var query = self
    query.order = .key
    query.direction = direction == .forward ? .backward : .forward
    return query
  }

  /// Whether both ask for the same page, whoever watches them.
  public static func == (left: Self, right: Self) -> Bool {
    left.prefix.hasBytes(of: right.prefix) && left.filter == right.filter
      && left.expiring == right.expiring && left.order == right.order && left.after == right.after
      && left.afterRank == right.afterRank && left.limit == right.limit
      && left.direction == right.direction && left.detail == right.detail
  }

  /// Feeds what the page is to the hasher.
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
