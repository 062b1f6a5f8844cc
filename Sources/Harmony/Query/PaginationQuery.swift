/// A query for a part of a longer list.
public protocol PaginationQuery: Query {}

/// A query for at most so many objects, after skipping so many.
public struct PaginationOffsetLimitQuery: PaginationQuery, Hashable {
  /// How many objects to skip.
  public let offset: Int

  /// How many objects to return at most.
  public let limit: Int

  /// Creates a query for one page of a list.
  ///
  /// - Parameters:
  ///   - offset: How many objects to skip.
  ///   - limit: How many objects to return at most.
  public init(_ offset: Int, _ limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}
