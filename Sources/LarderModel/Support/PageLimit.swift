/// How many entries to read at once with their values, so that these take about a mebibyte.
package struct PageLimit: Sendable {
  /// The limit of the next page.
  package private(set) var count: Int
  private static let size = 1 << 20
  /// The most that are read at once, however small they are.
  package static let maximum = 1_000

  /// Begins with a number of entries.
  ///
  /// - Parameter count: Few, where their values may be large: nobody knows yet.
  package init(_ count: Int = 4) {
    self.count = count
  }

  /// Learns how many bytes the values of the last page took.
  package mutating func adapt(to size: Int) {
    count = size < Self.size ? min(2 * count, Self.maximum) : max(1, count / 2)
  }

  /// Learns from the last page.
  package mutating func adapt(to page: [Entry]) {
    adapt(to: page.reduce(0) { $0 + ($1.value?.storedSize ?? 0) })
  }
}
