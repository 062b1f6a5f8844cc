public import Harmony

/// One page of a store's entries in the order of their keys, after or before a given one.
///
/// Answered by `getAll`. A page is found from the key before it (keyset pagination), so the
/// ten-thousandth costs what the first does.
public struct EntryPageQuery: Query, Hashable {
  /// Which way the page extends from `after`.
  public enum Direction: Sendable, Hashable {
    /// Keys greater than `after`, smallest first; from the first key where there is no `after`.
    case forward
    /// Keys less than `after`, greatest first; from the last key where there is no `after`.
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
  /// The key that the page comes after, in the page's direction; it is not part of the page.
  public var after: EntryKey?
  /// The greatest number of entries in the page.
  public var limit: Int
  /// Which way the page extends.
  public var direction: Direction
  /// How much of each entry is read.
  public var detail: Detail
  /// Where the source reports how far it is, and where it takes its budget from; never compared.
  public var scan: Scan?

  /// Creates a query for a page.
  public init(
    prefix: String = "", filter: EntryFilter? = nil, after: EntryKey? = nil, limit: Int = 200,
    direction: Direction = .forward, detail: Detail = .keys, scan: Scan? = nil
  ) {
    self.prefix = prefix
    self.filter = filter
    self.after = after
    self.limit = limit
    self.direction = direction
    self.detail = detail
    self.scan = scan
  }
}

extension EntryPageQuery {
  /// Whether both ask for the same page, whoever watches them.
  public static func == (left: Self, right: Self) -> Bool {
    left.prefix.hasBytes(of: right.prefix) && left.filter == right.filter
      && left.after == right.after && left.limit == right.limit
      && left.direction == right.direction && left.detail == right.detail
  }

  /// Feeds what the page is to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(prefix.utf8))
    hasher.combine(filter)
    hasher.combine(after)
    hasher.combine(limit)
    hasher.combine(direction)
    hasher.combine(detail)
  }
}
