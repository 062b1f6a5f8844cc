/// An adaptive page size, so that a page of entries with their values takes about 1 MiB.
package struct PageLimit: Sendable {
  /// The limit of the next page.
  ///
  /// The first page is small, because values may be large.
  package private(set) var count = 4
  private static let size = 1 << 20
  /// The maximum number of entries per page, however small they are.
  package static let maximum = 1_000

  /// Creates a limit.
  package init() {}

  /// Adjusts the limit to the size in bytes of the last page's values.
  package mutating func adapt(to size: Int) {
    count = size < Self.size ? min(2 * count, Self.maximum) : max(1, count / 2)
  }

  /// Adjusts the limit to the last page.
  package mutating func adapt(to page: [Entry]) {
    adapt(to: page.reduce(0) { $0 + ($1.value?.storedSize ?? 0) })
  }
}
