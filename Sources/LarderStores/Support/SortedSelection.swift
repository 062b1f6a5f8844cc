import LarderModel

/// Picks a page in another order than that of the keys out of entries that come one by one.
///
/// Holds about twice as many as the page has, so it costs one look at all entries, and no memory for
/// them. A value, as the scan is that it is a part of.
struct SortedSelection: Sendable {
  private typealias Place = (rank: EntryOrder.Rank, key: EntryKey)

  private let order: EntryOrder
  private let limit: Int
  private let isBackward: Bool
  private let after: Place?
  private var kept: [(place: Place, entry: Entry)] = []
  /// The last of a full page: nothing behind it is wanted.
  private var last: Place?
  /// How many are kept before those that no page has room for go.
  private var room: Int
  /// Whether there was an entry behind those of the page.
  private(set) var hasMore = false

  /// Prepares for a page.
  ///
  /// - Parameters:
  ///   - query: The page, whose order is not that of the keys.
  ///   - rank: What the entry is ordered by that the page comes after.
  init(_ query: EntryPageQuery, after rank: EntryOrder.Rank) {
    order = query.order
    limit = max(query.limit, 0)
    isBackward = query.direction == .backward
    after = query.after.map { (rank, $0) }
    room = Self.room(for: limit)
  }

  /// Looks at an entry.
  ///
  /// - Parameters:
  ///   - rank: What it is ordered by.
  ///   - key: Its key; read where what it is ordered by does not decide.
  ///   - entry: Makes the entry from the key; called where it may belong to the page.
  mutating func take(
    _ rank: EntryOrder.Rank, _ key: @autoclosure () -> EntryKey,
    _ entry: (EntryKey) throws -> Entry
  ) rethrows {
    // Of millions most are left out by this alone.
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
    // The next page begins where this entry stood, whatever became of it.
    if order.needsValues { entry.rank = rank }
    kept.append((place, entry))
    if kept.count >= room { shrink() }
  }

  /// Looks at the entries that another selection for the same page has picked.
  mutating func take(_ other: SortedSelection) {
    if other.hasMore { hasMore = true }
    for (place, entry) in other.kept { take(place.rank, place.key) { _ in entry } }
  }

  /// The entries of the page, once all were looked at.
  mutating func takePage() -> [Entry] {
    shrink()
    return kept.map(\.entry)
  }

  /// Lets those go that the page has no room for; of equal ones, all or none.
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
  /// What the entry is ordered by that the page comes after.
  ///
  /// - Parameters:
  ///   - matcher: What says how well a key matches.
  ///   - entry: Finds the entry under a key, nil where there is none.
  /// - Returns: Its rank; of no meaning where the page comes after none.
  /// - Throws: What the closure throws, and ``StoreError/notFound(_:)``.
  func rankAfter(
    _ matcher: KeyMatcher?, _ entry: (EntryKey) throws -> Entry?
  ) throws -> EntryOrder.Rank {
    guard let after else { return .unknown }
    if let afterRank { return afterRank }
    guard order.needsFacts else { return matcher?.rank(of: after) ?? .unknown }
    guard let entry = try entry(after) else {
      throw StoreError.notFound(
        "there is no \(after.spoken), so nothing comes after it by \(order.field.title)")
    }
    return order.rank(of: entry)
  }

  /// Refuses an order that a store cannot list its entries in.
  ///
  /// - Throws: ``StoreError/notSupported(_:)``.
  func checkOrder(_ capabilities: StoreCapabilities) throws(StoreError) {
    if let obstacle = order.obstacle(in: capabilities) { throw .notSupported(obstacle) }
  }
}
