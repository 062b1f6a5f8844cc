public import Harmony

/// Sample queries for tests.
public enum QueryMother {
  /// A query that no source supports.
  public static let unknown: any Query = UnknownQuery()

  /// Returns queries of single entries with different keys.
  ///
  /// - Parameter count: The number of queries.
  /// - Returns: The queries.
  public static func keyed(_ count: Int = 3) -> [any KeyQuery] {
    (0..<max(count, 0)).map { IdQuery("key \($0)") }
  }

  /// Queries that select entries by key: all entries, a prefix, a range and pages.
  public static let selections: [any KeySelectionQuery] = [
    AllObjectsQuery(), KeyPrefixQuery("key"), KeyRangeQuery(from: "key", upTo: "kez"),
    KeyPageQuery(limit: 2), KeyPageQuery(after: "key 0", limit: 2, isDescending: true),
  ]

  /// A query of each kind, and an unknown one at the end.
  public static let all: [any Query] =
    [
      IdQuery("key 0"), IdQuery(1), IdsQuery(["key 0", "key 1"]), ObjectQuery("key 0"),
      ObjectsQuery(["key 0", "key 1"]), PaginationOffsetLimitQuery(0, 2), VoidQuery(),
    ] + selections + [unknown]

  private struct UnknownQuery: Query {}
}
