/// The entries of a cache, bounded in number and cost.
///
/// A plain value; the cache guards it.
@usableFromInline
struct CacheShelf<T: Sendable>: Sendable {
  @usableFromInline
  typealias Item = CacheItem<T>

  @usableFromInline let capacity: Int
  @usableFromInline let costLimit: Int
  /// Whether entries may have to make room, so that the order of their use matters.
  @usableFromInline let isBounded: Bool

  /// Where the entry of a slot is, in `items`, in `records` and in `order`.
  @usableFromInline var places = PlaceIndex()
  @usableFromInline var items: [Item] = []
  @usableFromInline var records: [CacheRecord] = []
  @usableFromInline var order = RecencyList()
  @usableFromInline var freePlaces: [Int] = []

  /// The slots of everything but single values, which any write may make stale.
  @usableFromInline var listSlots: Set<CacheSlot> = []
  @usableFromInline var totalCost = 0
  @usableFromInline var removed: [Item] = []
  @usableFromInline var evictions = 0
  /// The number of the entry that was stored or given another end last.
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
  ///   - now: The time, or one that has passed.
  ///   - span: How long ago that may have been.
  ///   - take: What to take from the entry.
  /// - Returns: What was taken, nil where the entry has expired or may have.
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

  /// Where the entry of a slot is, nil if there is none.
  @inlinable
  @inline(__always)
  func place(of slot: CacheSlot) -> Int? {
    places.place(slot.storedKey.hash) { items[$0].slot == slot }
  }

  /// Stores content, and lets the least recently used entries make room for it.
  @inlinable
  mutating func store(_ stamp: CacheStamp<T>, in slot: CacheSlot) {
    remove(slot)
    // One that can never fit must not drive out all the others first.
    let record = CacheRecord(stamp)
    guard record.cost <= costLimit, capacity > 0 else { return }
    // A sum of costs that is no number any more is over every limit, where there is one.
    while costLimit < .max, totalCost > .max - record.cost, makeRoom() {}
    insert(Item(slot, stamp), record)
    while places.count > capacity || totalCost > costLimit, makeRoom() {}
  }

  /// Lets the least recently used entry go; false where there is none.
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
    // Without a limit nobody asks for the sum.
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

  /// What was removed since the last call, for the caller to let go of.
  @inlinable
  mutating func takeRemoved() -> [Item] {
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
    // Not copied where that can be helped.
    if removed.isEmpty { swap(&removed, &items) } else { removed += items }
    places = PlaceIndex()
    items = []
    records = []
    order = RecencyList()
    freePlaces = []
    listSlots = []
    totalCost = 0
  }

  /// The keys of some of the entries, by their places, which are theirs as long as they are here.
  ///
  /// - Returns: The keys and the place to go on from, nil where there are no more.
  func keys(from place: Int, atMost count: Int) -> (keys: [StoredKey], next: Int)? {
    guard place < items.count else { return nil }
    let part = items[place..<min(items.count, place + count)]
    return (part.filter(\.isTaken).map(\.slot.storedKey), part.endIndex)
  }

  /// How many keys there are; nil where some may have several entries.
  var keyCount: Int? { listSlots.isEmpty ? places.count : nil }

  /// What tells the keys of some of the entries from others, by their places.
  ///
  /// - Returns: That and the place to go on from, nil where there are no more.
  func hashes(from place: Int, atMost count: Int) -> (sum: KeyDigest, next: Int)? {
    guard place < items.count else { return nil }
    let end = min(items.count, place + count)
    var digest = KeyDigest()
    for place in place..<end where items[place].isTaken { digest.take(items[place].slot.storedKey) }
    return (digest, end)
  }

  /// Sets when what is kept under a key expires; nil for ever.
  ///
  /// - Returns: Whether there is anything.
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

  /// All entries, sorted by key with values before lists.
  func entries(at now: CacheTime) -> [CachedEntry<T>] {
    zip(items, records).sorted { left, right in
      let (left, right) = (left.0.slot, right.0.slot)
      return left.storedKey == right.storedKey
        ? left.shape == .value && right.shape != .value
        : left.key.isOrderedBefore(right.key)
    }
    .compactMap { CachedEntry($0, $1, at: now) }
  }

  /// The entry with a key; the value if there are a value and lists.
  func entry(_ key: StoredKey, at now: CacheTime) -> CachedEntry<T>? {
    firstPlace(of: key).flatMap { CachedEntry(items[$0], records[$0], at: now) }
  }

  private func firstPlace(of key: StoredKey) -> Int? {
    CacheSlot.all(key).lazy.compactMap { place(of: $0) }.first
  }

  /// Puts something else, or nothing, in the place of the entry with a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - number: The number of the entry that has to be there; nil for none.
  ///   - stamp: What takes its place; nil for nothing, then all goes that is kept under the key.
  /// - Returns: Whether it was there.
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
      // A list comes into the place of the list that was there, whatever query had asked for it.
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
