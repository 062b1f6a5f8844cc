/// What a timed cache guards: its entries, the reads and the writes that are under way.
struct CacheState<T: Sendable>: Sendable {
  typealias Flight = CacheFlight<CachedContent<T>>

  enum Answer: Sendable {
    case hit(CachedContent<T>)
    case join(Flight)
    case start(Flight)
  }

  private struct Writes {
    var running = 0
    /// Whether two of them overlapped, so that nobody knows whose value stayed.
    var isContended = false
  }

  var shelf: CacheShelf<T>
  private(set) var hits = 0
  private(set) var misses = 0
  private var flights: [CacheSlot: Flight] = [:]
  private var writes: [String: Writes] = [:]

  init(shelf: CacheShelf<T>) {
    self.shelf = shelf
  }

  mutating func beginRead(_ slot: CacheSlot, at now: Duration, isForced: Bool) -> Answer {
    if !isForced {
      if let content = shelf.use(slot, at: now) {
        hits += 1
        return .hit(content)
      }
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

  /// Ends a read, and tells whether its answer is still worth keeping.
  mutating func endRead(_ slot: CacheSlot, _ flight: Flight) -> Bool {
    guard flights[slot] === flight else { return false }
    flights[slot] = nil
    return true
  }

  mutating func store(_ stamp: CacheStamp<T>, in slot: CacheSlot) {
    shelf.store(
      stamp.content, in: slot, cost: stamp.cost, timeToLive: stamp.timeToLive, at: stamp.now)
  }

  /// Forgets what a write to some keys makes stale, also in the answers still under way.
  mutating func invalidate(_ keys: Set<String>) {
    let isStale = { (slot: CacheSlot) in slot.shape != .value || keys.contains(slot.key) }
    shelf.remove(where: isStale)
    for slot in flights.keys.filter(isStale) { flights[slot] = nil }
  }

  /// Forgets everything, also the answers still under way.
  mutating func invalidateAll() {
    shelf.remove { _ in true }
    flights = [:]
    for key in writes.keys { writes[key]?.isContended = true }
  }

  mutating func beginWrite(_ keys: Set<String>) {
    invalidate(keys)
    for key in keys {
      var running = writes[key] ?? Writes()
      running.running += 1
      running.isContended = running.isContended || running.running > 1
      writes[key] = running
    }
  }

  /// Ends a write, and tells whether what it stored is certain to be what is there.
  mutating func endWrite(_ keys: Set<String>) -> Bool {
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

/// Content, with what is needed to put it on the shelf.
struct CacheStamp<T: Sendable>: Sendable {
  let content: CachedContent<T>
  let cost: Int
  let timeToLive: Duration
  let now: Duration
}
