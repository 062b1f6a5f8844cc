package import LarderModel

/// A selection of the entries for a page that is not sorted by key, from entries in any order.
///
/// It holds about twice as many entries as the page has, so a page requires one pass over all
/// entries, but no memory for them. It is a value type because scans, which contain it, are copied.
package struct SortedSelection: Sendable {
  private typealias Place = (rank: EntryOrder.Rank, key: EntryKey)

  private let order: EntryOrder
  private let limit: Int
  private let isBackward: Bool
  private let after: Place?
  private var kept: [(place: Place, entry: Entry)] = []
  /// The last place of a full page; entries after it are not needed.
  private var last: Place?
  /// The number of entries to hold before those that do not fit on the page are discarded.
  private var room: Int
  /// Whether there was an entry after those of the page.
  package private(set) var hasMore = false

  /// Creates a selection for a page.
  ///
  /// - Parameters:
  ///   - query: The page, whose order is not by key.
  ///   - rank: The rank of the entry that precedes the page.
  package init(_ query: EntryPageQuery, after rank: EntryOrder.Rank) {
    order = query.order
    limit = max(query.limit, 0)
    isBackward = query.direction == .backward
    after = query.after.map { (rank, $0) }
    room = Self.room(for: limit)
  }

  /// Processes an entry.
  ///
  /// - Parameters:
  ///   - rank: The rank of the entry.
  ///   - key: The key of the entry; only evaluated if the rank is not decisive.
  ///   - entry: A closure that creates the entry from its key; only called if it may be on the
  ///     page.
  package mutating func take(
    _ rank: EntryOrder.Rank, _ key: @autoclosure () -> EntryKey,
    _ entry: (EntryKey) throws -> Entry
  ) rethrows {
    // This check alone excludes most of millions of entries.
    if let last, comesBefore((last.rank, .null), (rank, .null)) {
      hasMore = true
      return
    }
    let key = key()
    let place = (rank, key)
    if let after, !comesBefore(after, place) { return }
    if let last, comesBefore(last, place) {
      hasMore = true
      return
    }
    var entry = try entry(key)
    // The next page starts at this rank, even if the entry changes.
    if order.needsValues { entry.rank = rank }
    kept.append((place, entry))
    if kept.count >= room { shrink() }
  }

  /// Returns the entries of the page, once all entries have been processed.
  package mutating func takePage() -> [Entry] {
    shrink()
    return kept.map(\.entry)
  }

  /// Discards entries that do not fit on the page; of those with equal places, all or none.
  private mutating func shrink() {
    let comesBefore = comesBefore
    kept.sort { comesBefore($0.place, $1.place) }
    guard kept.count > limit else { return }
    guard limit > 0 else {
      hasMore = true
      kept = []
      return
    }
    let end = kept[limit - 1].place
    last = end
    if let rest = kept[limit...].firstIndex(where: { comesBefore(end, $0.place) }) {
      kept.removeSubrange(rest...)
      hasMore = true
    }
    room = Self.room(for: kept.count)
  }

  private static func room(for count: Int) -> Int {
    count > Int.max / 2 ? .max : max(256, count * 2)
  }

  private var comesBefore: (Place, Place) -> Bool {
    let (order, isBackward) = (order, isBackward)
    return { isBackward ? order.precedes($1, $0) : order.precedes($0, $1) }
  }
}

extension EntryPageQuery {
  /// Returns the rank of the entry that precedes the page.
  ///
  /// - Parameters:
  ///   - matcher: The matcher that ranks keys.
  ///   - entry: A closure that returns the entry for a key, or nil if there is none.
  /// - Returns: The rank; meaningless for the first page.
  /// - Throws: Errors of the closure, and ``StoreError/notFound(_:)``.
  package func rankAfter(
    _ matcher: KeyMatcher?, _ entry: (EntryKey) throws -> Entry?
  ) throws -> EntryOrder.Rank {
    guard let after else { return .unknown }
    if let afterRank { return afterRank }
    guard order.needsFacts else { return matcher?.rank(of: after) ?? .unknown }
    guard let entry = try entry(after) else { throw StoreError.noneAfter(after, by: order) }
    return order.rank(of: entry)
  }

  /// Throws an error if a store cannot list its entries in the requested order.
  ///
  /// - Throws: ``StoreError/notSupported(_:)``.
  package func checkOrder(_ capabilities: StoreCapabilities) throws(StoreError) {
    if let obstacle = order.obstacle(in: capabilities) { throw .notSupported(obstacle) }
  }
}
