/// The entries of a cache, bounded in number and cost.
///
/// A plain value; the cache guards it.
@usableFromInline
struct CacheShelf<T: Sendable>: Sendable {
  /// What a hit reads and writes of an entry, close together in memory.
  @usableFromInline
  struct Item: Sendable {
    /// Nil if the place of this item is free.
    @usableFromInline var content: CachedContent<T>?
    @usableFromInline let expires: CacheTime
    @usableFromInline var used: CacheTime
    @usableFromInline var hits = 0

    @inlinable
    init(_ stamp: CacheStamp<T>) {
      content = stamp.content
      expires = stamp.now.advanced(by: CacheTime(stamp.timeToLive))
      used = stamp.now
    }

    /// The content, whose use this is; nil where it has expired or may have.
    @inlinable
    @inline(__always)
    mutating func use(at now: CacheTime, within span: CacheTime) -> CachedContent<T>? {
      guard now.advanced(by: span) < expires else { return nil }
      hits &+= 1
      if used < now { used = now }
      return content
    }
  }

  /// What else is known of an entry.
  @usableFromInline
  struct Record: Sendable {
    @usableFromInline let slot: CacheSlot
    @usableFromInline let stored: CacheTime
    @usableFromInline let timeToLive: Duration
    @usableFromInline let cost: Int

    @inlinable
    init(_ slot: CacheSlot, _ stamp: CacheStamp<T>) {
      self.slot = slot
      stored = stamp.now
      timeToLive = stamp.timeToLive
      // Bounded, so that the sum of all of them stays a number.
      cost = min(max(stamp.cost, 0), .max >> 24)
    }
  }

  @usableFromInline let capacity: Int?
  @usableFromInline let costLimit: Int?

  /// Where the entry of a slot is, in `items`, in `records` and in `order`.
  @usableFromInline var places: [CacheSlot: Int] = [:]
  @usableFromInline var items: [Item] = []
  @usableFromInline var records: [Record] = []
  @usableFromInline var order = RecencyList()
  @usableFromInline var freePlaces: [Int] = []

  /// The slots of everything but single values, which any write may make stale.
  @usableFromInline var listSlots: Set<CacheSlot> = []
  @usableFromInline var totalCost = 0
  @usableFromInline var removed: [CachedContent<T>] = []
  @usableFromInline var evictions = 0

  @inlinable
  init(capacity: Int?, costLimit: Int?) {
    self.capacity = capacity
    self.costLimit = costLimit
  }

  /// Whether entries may have to make room, so that the order of their use matters.
  @inlinable var isBounded: Bool { capacity != nil || costLimit != nil }

  /// The content of a slot that has not expired, whose use this is.
  ///
  /// - Parameters:
  ///   - slot: The slot.
  ///   - now: The time, or one that has passed.
  ///   - span: How long ago that may have been.
  /// - Returns: The content, nil where it has expired or may have.
  @inlinable
  @inline(__always)
  mutating func use(
    _ slot: CacheSlot, at now: CacheTime, within span: CacheTime = .zero
  ) -> CachedContent<T>? {
    guard let place = places[slot], let content = items[place].use(at: now, within: span) else {
      return nil
    }
    if isBounded { order.use(place) }
    return content
  }

  /// Stores content, and lets the least recently used entries make room for it.
  @inlinable
  mutating func store(_ stamp: CacheStamp<T>, in slot: CacheSlot) {
    remove(slot)
    // One that can never fit must not drive out all the others first.
    guard stamp.cost <= costLimit ?? .max, capacity ?? 1 > 0 else { return }
    insert(Item(stamp), Record(slot, stamp))
    while places.count > capacity ?? .max || totalCost > costLimit ?? .max,
      let oldest = order.oldest
    {
      remove(records[oldest].slot)
      evictions += 1
    }
  }

  @inlinable
  mutating func insert(_ item: Item, _ record: Record) {
    let place = freePlaces.popLast() ?? items.count
    if place == items.count {
      items.append(item)
      records.append(record)
    } else {
      (items[place], records[place]) = (item, record)
    }
    places[record.slot] = place
    if record.slot.shape != .value { listSlots.insert(record.slot) }
    order.add(place)
    totalCost += record.cost
  }

  @inlinable
  @discardableResult
  mutating func remove(_ slot: CacheSlot) -> Bool {
    guard let place = places.removeValue(forKey: slot) else { return false }
    if let content = items[place].content { removed.append(content) }
    items[place].content = nil
    freePlaces.append(place)
    if slot.shape != .value { listSlots.remove(slot) }
    order.remove(place)
    totalCost -= records[place].cost
    return true
  }

  /// What was removed since the last call, for the caller to let go of.
  @inlinable
  mutating func takeRemoved() -> [CachedContent<T>] {
    guard !removed.isEmpty else { return [] }
    defer { removed = [] }
    return removed
  }

  /// Removes the values of some keys, and all that may contain them.
  @inlinable
  mutating func removeStale(_ keys: Set<StoredKey>) {
    for key in keys { remove(CacheSlot(key, shape: .value)) }
    for slot in listSlots { remove(slot) }
  }

  /// Removes every entry with a key, and tells whether there was one.
  @inlinable
  @discardableResult
  mutating func removeAll(_ key: StoredKey) -> Bool {
    CacheSlot.all(key).reduce(false) { remove($1) || $0 }
  }

  /// Removes everything.
  @inlinable
  mutating func removeAll() {
    removed += items.compactMap(\.content)
    places = [:]
    items = []
    records = []
    order = RecencyList()
    freePlaces = []
    listSlots = []
    totalCost = 0
  }

  /// The entries with a key, or all of them, sorted by key with values before lists.
  func entries(_ key: String? = nil, at now: CacheTime) -> [CachedEntry<T>] {
    let storedKey = key.map { StoredKey($0) }
    return zip(items, records).filter { storedKey == nil || $1.slot.storedKey == storedKey }
      .sorted { left, right in
        let (left, right) = (left.1.slot, right.1.slot)
        return left.storedKey == right.storedKey
          ? left.shape == .value && right.shape != .value
          : left.key.isOrderedBefore(right.key)
      }
      .compactMap { item, record in
        item.content.map { content in
          CachedEntry(
            key: record.slot.key, content: content,
            age: now.since(record.stored),
            timeToLive: record.timeToLive, hits: item.hits,
            lastUsed: max(now.since(item.used), .zero), cost: record.cost
          )
        }
      }
  }
}
