/// The entries of a cache, limited in number and total cost.
///
/// A plain value, which the cache guards with a lock.
@usableFromInline
struct LRUStorage<T: Sendable>: Sendable {
  @usableFromInline
  typealias Item = CacheItem<T>

  @usableFromInline let capacity: Int
  @usableFromInline let costLimit: Int
  /// Whether entries may be evicted, so that the order of their use matters.
  @usableFromInline let isBounded: Bool

  /// The index of each slot's entry in `items`, `records` and `order`.
  @usableFromInline var places = PlaceIndex()
  @usableFromInline var items: [Item] = []
  @usableFromInline var records: [CacheRecord] = []
  @usableFromInline var order = RecencyList()
  @usableFromInline var freePlaces: [Int] = []

  /// The slots of everything except single values, which any write may make stale.
  @usableFromInline var listSlots: Set<CacheSlot> = []
  @usableFromInline var totalCost = 0
  @usableFromInline var removed: [Item] = []
  @usableFromInline var evictions = 0
  /// The number of the entry that was last stored or given another expiry.
  @usableFromInline var lastNumber = 0

  @inlinable
  init(capacity: Int?, costLimit: Int?) {
    self.capacity = min(capacity ?? .max, PlaceIndex.limit)
    self.costLimit = costLimit ?? .max
    isBounded = capacity != nil || costLimit != nil
  }

  /// Uses the entry of a slot, if it has not expired.
  ///
  /// - Parameters:
  ///   - slot: The slot.
  ///   - now: The current time, or an earlier one.
  ///   - span: The longest time that may have passed since `now`.
  ///   - take: Extracts the result from the entry.
  /// - Returns: The result of `take`; nil if the entry is missing or has or may have expired.
  @inlinable
  @inline(__always)
  mutating func use<Answer>(
    _ slot: CacheSlot, at now: CacheTime, within span: CacheTime = .zero,
    _ take: (inout Item) -> Answer?
  ) -> Answer? {
    guard let place = place(of: slot),
      let answer = items[place].use(at: now, within: span, take)
    else { return nil }
    if isBounded { order.use(place) }
    return answer
  }

  /// Returns the index of a slot's entry; nil if there is none.
  @inlinable
  @inline(__always)
  func place(of slot: CacheSlot) -> Int? {
    places.place(slot.storedKey.hash) { items[$0].slot == slot }
  }

  /// Stores content, evicting the least recently used entries to make room.
  @inlinable
  mutating func store(_ stamp: CacheStamp<T>, in slot: CacheSlot) {
    remove(slot)
    // Content that can never fit must not evict the other entries first.
    let record = CacheRecord(stamp)
    guard record.cost <= costLimit, capacity > 0 else { return }
    // If the sum would overflow, it is over the limit in any case.
    while costLimit < .max, totalCost > .max - record.cost, makeRoom() {}
    insert(Item(slot, stamp), record)
    while places.count > capacity || totalCost > costLimit, makeRoom() {}
  }

  /// Evicts the least recently used entry; returns false if there is none.
  @inlinable
  mutating func makeRoom() -> Bool {
    guard let oldest = order.oldest else { return false }
    remove(items[oldest].slot)
    evictions += 1
    return true
  }

  @inlinable
  mutating func insert(_ item: Item, _ record: CacheRecord) {
    lastNumber &+= 1
    var record = record
    record.number = lastNumber
    let place = freePlaces.popLast() ?? items.count
    if place == items.count {
      items.append(item)
      records.append(record)
    } else {
      (items[place], records[place]) = (item, record)
    }
    places.add(place, item.slot.storedKey.hash)
    if item.slot.shape != .value { listSlots.insert(item.slot) }
    order.add(place)
    // The sum is used only if there is a cost limit, so it may overflow without one.
    totalCost &+= record.cost
  }

  @inlinable
  @discardableResult
  mutating func remove(_ slot: CacheSlot) -> Bool {
    guard let place = place(of: slot) else { return false }
    places.remove(place, slot.storedKey.hash)
    removed.append(items[place])
    items[place].empty()
    freePlaces.append(place)
    if slot.shape != .value { listSlots.remove(slot) }
    order.remove(place)
    totalCost &-= records[place].cost
    return true
  }

  /// Returns the items removed since the last call, for the caller to release.
  @inlinable
  mutating func takeRemoved() -> [Item] {
    guard !removed.isEmpty else { return [] }
    defer { removed = [] }
    return removed
  }

  /// Removes the values of the given keys and every list that may contain them.
  @inlinable
  mutating func removeStale(_ keys: Set<StoredKey>) {
    for key in keys { remove(CacheSlot(key, shape: .value)) }
    for slot in listSlots { remove(slot) }
  }

  /// Removes every entry with a key and returns whether there was one.
  @inlinable
  @discardableResult
  mutating func removeAll(_ key: StoredKey) -> Bool {
    CacheSlot.all(key).reduce(false) { remove($1) || $0 }
  }

  /// Removes everything.
  @inlinable
  mutating func removeAll() {
    // Swapping avoids a copy.
    if removed.isEmpty { swap(&removed, &items) } else { removed += items }
    places = PlaceIndex()
    items = []
    records = []
    order = RecencyList()
    freePlaces = []
    listSlots = []
    totalCost = 0
  }

  /// Returns the keys of a range of entries.
  ///
  /// An entry keeps its index while it is stored.
  ///
  /// - Returns: The keys and the index to continue from; nil at the end.
  func keys(from place: Int, atMost count: Int) -> (keys: [StoredKey], next: Int)? {
    guard place < items.count else { return nil }
    let part = items[place..<min(items.count, place + count)]
    return (part.filter(\.isTaken).map(\.slot.storedKey), part.endIndex)
  }

  /// The number of keys; nil if some keys may have several entries.
  var keyCount: Int? { listSlots.isEmpty ? places.count : nil }

  /// Returns a digest of the keys of a range of entries.
  ///
  /// - Returns: The digest and the index to continue from; nil at the end.
  func hashes(from place: Int, atMost count: Int) -> (sum: KeyDigest, next: Int)? {
    guard place < items.count else { return nil }
    let end = min(items.count, place + count)
    var digest = KeyDigest()
    for place in place..<end where items[place].isTaken { digest.take(items[place].slot.storedKey) }
    return (digest, end)
  }

  /// Sets when the entries under a key expire; nil for never.
  ///
  /// - Returns: Whether there was an entry.
  mutating func setExpires(_ expires: CacheTime?, of key: StoredKey) -> Bool {
    let places = CacheSlot.all(key).compactMap { place(of: $0) }
    for place in places {
      records[place].timeToLive = expires.map { $0.since(records[place].stored) } ?? .endless
      items[place].expires = expires ?? .distant
      lastNumber &+= 1
      records[place].number = lastNumber
    }
    return !places.isEmpty
  }

  /// Returns all entries, sorted by key with values before lists.
  func entries(at now: CacheTime) -> [CachedEntry<T>] {
    zip(items, records).sorted { left, right in
      let (left, right) = (left.0.slot, right.0.slot)
      return left.storedKey == right.storedKey
        ? left.shape == .value && right.shape != .value
        : left.key.isOrderedBefore(right.key)
    }
    .compactMap { CachedEntry($0, $1, at: now) }
  }

  /// Returns the entry with a key; the value if there are both a value and lists.
  func entry(_ key: StoredKey, at now: CacheTime) -> CachedEntry<T>? {
    firstPlace(of: key).flatMap { CachedEntry(items[$0], records[$0], at: now) }
  }

  private func firstPlace(of key: StoredKey) -> Int? {
    CacheSlot.all(key).lazy.compactMap { place(of: $0) }.first
  }

  /// Replaces or removes the entry with a key if it has the expected number.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - number: The expected number of the current entry; nil if there must be none.
  ///   - stamp: The replacement; nil to remove everything under the key.
  /// - Returns: Whether the number matched.
  mutating func exchange(
    _ key: StoredKey, expecting number: Int?, for stamp: CacheStamp<T>?
  ) -> Bool {
    let place = firstPlace(of: key)
    guard place.map({ records[$0].number }) == number else { return false }
    guard let stamp else {
      removeAll(key)
      return true
    }
    var shape = stamp.list == nil ? CacheSlot.Shape.value : .list
    if let found = place.map({ items[$0].slot }) {
      // A list replaces the list that is stored, whichever query asked for that one.
      if shape == .list, found.shape != .value { shape = found.shape }
      remove(found)
    }
    store(stamp, in: CacheSlot(key, shape: shape))
    return true
  }
}

extension CachedEntry {
  init?(_ item: CacheItem<T>, _ record: CacheRecord, at now: CacheTime) {
    guard let content = item.content else { return nil }
    self.init(
      key: item.slot.key, content: content, age: now.since(record.stored),
      timeToLive: record.timeToLive, hits: item.hits,
      lastUsed: max(now.since(item.used), .zero), cost: record.cost,
      stored: record.stored.since(.zero), expires: item.expires.since(.zero), number: record.number)
  }
}
