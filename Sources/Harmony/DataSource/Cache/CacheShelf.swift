/// The entries of a cache, bounded in number and cost.
///
/// A plain value; the cache guards it.
struct CacheShelf<T: Sendable>: Sendable {
  private struct Item {
    let content: CachedContent<T>
    let stored: Duration
    let timeToLive: Duration
    let cost: Int
    var hits = 0
    var used: Duration
  }

  let capacity: Int?
  let costLimit: Int?

  private var items: [CacheSlot: Item] = [:]
  private var order = RecencyList<CacheSlot>()
  private var totalCost = 0
  private var removed: [CachedContent<T>] = []
  private(set) var evictions = 0

  init(capacity: Int?, costLimit: Int?) {
    self.capacity = capacity
    self.costLimit = costLimit
  }

  /// The content of a slot that has not expired, whose use this is.
  mutating func use(_ slot: CacheSlot, at now: Duration) -> CachedContent<T>? {
    guard let item = items[slot], now - item.stored < item.timeToLive else { return nil }
    items[slot]?.hits += 1
    items[slot]?.used = now
    order.use(slot)
    return item.content
  }

  /// Stores content, and lets the least recently used entries make room for it.
  mutating func store(
    _ content: CachedContent<T>, in slot: CacheSlot, cost: Int, timeToLive: Duration,
    at now: Duration
  ) {
    remove(slot)
    // One that can never fit must not drive out all the others first.
    guard cost <= costLimit ?? .max, capacity ?? 1 > 0 else { return }
    items[slot] = Item(
      content: content, stored: now, timeToLive: timeToLive, cost: cost, used: now)
    order.use(slot)
    totalCost += cost
    while items.count > capacity ?? .max || totalCost > costLimit ?? .max,
      let oldest = order.oldest
    {
      remove(oldest)
      evictions += 1
    }
  }

  @discardableResult
  mutating func remove(_ slot: CacheSlot) -> Bool {
    guard let item = items.removeValue(forKey: slot) else { return false }
    order.remove(slot)
    totalCost -= item.cost
    removed.append(item.content)
    return true
  }

  /// What was removed since the last call, for the caller to let go of.
  mutating func takeRemoved() -> [CachedContent<T>] {
    guard !removed.isEmpty else { return [] }
    defer { removed = [] }
    return removed
  }

  /// Removes every slot that a condition is true of, and tells whether there was one.
  @discardableResult
  mutating func remove(where isGone: (CacheSlot) -> Bool) -> Bool {
    let slots = items.keys.filter(isGone)
    for slot in slots { remove(slot) }
    return !slots.isEmpty
  }

  /// The entries with a key, or all of them, sorted by key with values before lists.
  func entries(_ key: String? = nil, at now: Duration) -> [CachedEntry<T>] {
    items.filter { key == nil || $0.key.key == key }
      .sorted { left, right in
        (left.key.key, left.key.shape == .value ? 0 : 1)
          < (right.key.key, right.key.shape == .value ? 0 : 1)
      }
      .map { slot, item in
        CachedEntry(
          key: slot.key, content: item.content, age: now - item.stored,
          timeToLive: item.timeToLive, hits: item.hits, lastUsed: now - item.used,
          cost: item.cost)
      }
  }
}
