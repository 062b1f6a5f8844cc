/// The state that a timed cache guards: its entries and the reads and writes in progress.
@usableFromInline
struct CacheState<T: Sendable>: Sendable {
  @usableFromInline
  typealias Flight = CacheFlight<CachedContent<T>>

  @usableFromInline
  enum Answer: Sendable {
    case hit(CachedContent<T>)
    case join(Flight)
    case start(Flight)
  }

  @usableFromInline
  struct Writes: Sendable {
    @usableFromInline var running = 0
    /// Whether writes overlapped, so that it is unknown whose value was stored last.
    @usableFromInline var isContended = false

    @inlinable
    init() {}
  }

  @usableFromInline var shelf: LRUStorage<T>
  /// A tick of the clock, and a time in it or shortly before it.
  @usableFromInline var tick: (number: Int64, time: CacheTime)?
  @usableFromInline var hits = 0
  @usableFromInline var misses = 0
  @usableFromInline var flights: [CacheSlot: Flight] = [:]
  @usableFromInline var writes: [StoredKey: Writes] = [:]

  @inlinable
  init(shelf: LRUStorage<T>) {
    self.shelf = shelf
  }

  /// Returns the result of `take` for the entry of a slot, if the tick alone proves it fresh.
  @inlinable
  @inline(__always)
  mutating func hit<Answer>(
    _ slot: CacheSlot, in number: Int64, _ take: (inout CacheItem<T>) -> Answer?
  ) -> Answer? {
    guard let tick, tick.number == number,
      let answer = shelf.use(slot, at: tick.time, within: .second, take)
    else { return nil }
    hits &+= 1
    return answer
  }

  /// Returns the result of `take` for the entry of a slot, if the entry is fresh.
  @inlinable
  @inline(__always)
  mutating func hit<Answer>(
    _ slot: CacheSlot, at now: CacheTime, _ take: (inout CacheItem<T>) -> Answer?
  ) -> Answer? {
    guard let answer = shelf.use(slot, at: now, take) else { return nil }
    hits &+= 1
    return answer
  }

  @inlinable
  mutating func beginRead(_ slot: CacheSlot, at now: CacheTime, isForced: Bool) -> Answer {
    if !isForced {
      if let content = hit(slot, at: now, { $0.content }) { return .hit(content) }
      if let flight = flights[slot] {
        misses += 1
        return .join(flight)
      }
    }
    misses += 1
    let flight = Flight()
    flights[slot] = flight
    return .start(flight)
  }

  /// Ends a read and returns whether its result may still be stored.
  @inlinable
  mutating func endRead(_ slot: CacheSlot, _ flight: Flight) -> Bool {
    guard flights[slot] === flight else { return false }
    flights[slot] = nil
    return true
  }

  @inlinable
  mutating func store(_ stamp: CacheStamp<T>, in slot: CacheSlot) {
    shelf.store(stamp, in: slot)
  }

  /// Discards the entries that a write to the given keys makes stale, and reads of them in
  /// progress.
  @inlinable
  mutating func invalidate(_ keys: Set<StoredKey>) {
    let isStale = { (slot: CacheSlot) in slot.shape != .value || keys.contains(slot.storedKey) }
    shelf.removeStale(keys)
    guard !flights.isEmpty else { return }
    for slot in flights.keys.filter(isStale) { flights[slot] = nil }
  }

  /// Discards the reads of a key that are in progress.
  @inlinable
  mutating func dropFlights(_ key: StoredKey) {
    for slot in flights.keys.filter({ $0.storedKey == key }) { flights[slot] = nil }
  }

  /// Discards all entries and all reads in progress.
  @inlinable
  mutating func invalidateAll() {
    shelf.removeAll()
    flights = [:]
    for key in writes.keys { writes[key]?.isContended = true }
  }

  @inlinable
  mutating func beginWrite(_ keys: Set<StoredKey>) {
    invalidate(keys)
    for key in keys {
      var running = writes[key] ?? Writes()
      running.running += 1
      running.isContended = running.isContended || running.running > 1
      writes[key] = running
    }
  }

  /// Ends a write and returns whether its value is certain to be the one in the backing store.
  @inlinable
  mutating func endWrite(_ keys: Set<StoredKey>) -> Bool {
    invalidate(keys)
    var isCertain = true
    for key in keys {
      guard var running = writes[key] else { continue }
      running.running -= 1
      isCertain = isCertain && !running.isContended
      writes[key] = running.running == 0 ? nil : running
    }
    return isCertain
  }
}
