/// How many entries to read at once with their values, so that these take about a mebibyte.
struct PageLimit {
  /// The limit of the next page.
  private(set) var count = 4
  private static let size = 1 << 20
  private static let greatest = 1_000

  /// Learns how many bytes the values of the last page took.
  mutating func adapt(to size: Int) {
    count = size < Self.size ? min(2 * count, Self.greatest) : max(1, count / 2)
  }
}
