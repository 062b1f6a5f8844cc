/// A query for a page of a list.
public protocol PaginationQuery: Query {}

/// A query for a number of objects after an offset.
public struct PaginationOffsetLimitQuery: PaginationQuery, Hashable {
  /// The number of objects to skip.
  public let offset: Int

  /// The maximum number of objects.
  public let limit: Int

  /// Creates a query for a page of a list.
  ///
  /// - Parameters:
  ///   - offset: The number of objects to skip.
  ///   - limit: The maximum number of objects.
  public init(_ offset: Int, _ limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}
