public import Foundation

/// A cache in front of another source, whose entries expire.
///
/// A read by a ``KeyQuery`` is answered from memory while the entry is younger than its TTL. Writes
/// go through to the backing store and update the entry. If the capacity is limited, the least
/// recently used entries are evicted. Reads of one key that miss at the same time share one read of
/// the backing store. An error of the backing store is returned and removes the entries of the key.
/// Writing or removing a key discards every cached list, because the list may contain it; a write
/// by a query without a key discards everything.
///
/// The future that a hit returns belongs to the cache: it is returned again once no caller holds
/// it, and until then other callers get new ones. A weak reference to it therefore lasts as long as
/// the entry, and its identity has no meaning.
///
/// Expired entries stay until they are replaced or evicted, so that they can be inspected. An
/// instance may be used by several threads; no callback runs while a lock is held.
///
/// - Note: Upstream's entries never expire, and deleting all objects leaves them readable.
public final class TimedCacheDataSource<T: Sendable, D>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  /// Returns whether the answer to a query may be cached; nil if it always may.
  @usableFromInline let condition: (@Sendable (any Query) -> Bool)?
  @usableFromInline let secrets = KeySecrets.ofProcess
  @usableFromInline let clock: any CacheClock
  /// Whether the clock is the system's, which can be read directly.
  @usableFromInline let isSystemClock: Bool
  @usableFromInline let tickingClock: (any TickingClock)?
  /// The initial reading of the clock, as its times can start anywhere.
  @usableFromInline let origin: Duration
  @usableFromInline let state: Locked<CacheState<T>>
  @usableFromInline let expiryInterval: Duration
  @usableFromInline let timeToLive: @Sendable (String) -> TimeInterval?
  @usableFromInline let cost: @Sendable (CachedContent<T>) -> Int
  /// Persists the times of entries; nil if they are not persisted.
  @usableFromInline let keeper: CacheTimesKeeper?

  @inlinable
  init(
    _ dataSource: D, _ shelf: LRUStorage<T>, _ expiryInterval: TimeInterval,
    _ cost: @escaping @Sendable (CachedContent<T>) -> Int,
    _ timeToLive: @escaping @Sendable (String) -> TimeInterval?,
    condition: (@Sendable (any Query) -> Bool)?, _ clock: any CacheClock,
    _ keeper: CacheTimesKeeper? = nil
  ) {
    self.keeper = keeper
    self.dataSource = dataSource
    self.condition = condition
    self.clock = clock
    isSystemClock = clock is MonotonicClock
    tickingClock = clock as? any TickingClock
    origin = clock.now
    self.expiryInterval = Duration(interval: expiryInterval)
    self.timeToLive = timeToLive
    self.cost = cost
    state = Locked(CacheState(shelf: shelf))
  }

  /// Answers from memory, or reads the backing store and caches its answer.
  ///
  /// - Parameter query: The query to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the value, or of the backing store's error.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey, condition == nil || isCacheable(query) else {
      return dataSource.get(query)
    }
    let slot = CacheSlot.value(key, secrets)
    let tick = self.tick
    // Two separate closures, because the compiler inlines a closure only if it is used once.
    if let future = hit(slot, in: tick, { $0.handOut() }) { return future }
    if let future = hit(slot, after: tick, { $0.handOut() }) { return future }
    return getValue(query, key, isForced: false)
  }

  /// Answers from memory, or reads the backing store and caches its answer.
  ///
  /// - Parameter query: The query to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the values, or of the backing store's error.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    guard isCacheable(query), Self.hasListOfItsOwn(query), let query = query as? any KeyQuery else {
      return dataSource.getAll(query)
    }
    return getList(query, isForced: false)
  }

  /// Whether the key of a query identifies its list, which the key of a key selection does not.
  @inlinable
  static func hasListOfItsOwn(_ query: any Query) -> Bool {
    query is AllObjectsQuery || query.keySelection == nil
  }

  /// The time since the clock's initial reading.
  @inlinable var now: CacheTime { CacheTime(clock.now - origin) }

  @inlinable
  func isCacheable(_ query: any Query) -> Bool {
    condition?(query) ?? true
  }

  /// The current tick of the clock, if it has ticks: reading the time takes as long as the rest of
  /// a hit.
  @inlinable var tick: Int64? {
    isSystemClock ? MonotonicClock.tick : tickingClock?.tick
  }

  /// Returns the result of `take` for the entry of a slot, if the tick alone proves it fresh.
  @inlinable
  @inline(__always)
  func hit<Answer: Sendable>(
    _ slot: CacheSlot, in tick: Int64?, _ take: (inout CacheItem<T>) -> Answer?
  ) -> Answer? {
    guard let tick else { return nil }
    return state.withLock { $0.hit(slot, in: tick, take) }
  }

  /// Returns the result of `take` for the entry of a slot, if the entry is fresh now.
  @inlinable
  @inline(never)
  func hit<Answer: Sendable>(
    _ slot: CacheSlot, after tick: Int64?, _ take: (inout CacheItem<T>) -> Answer?
  ) -> Answer? {
    let now = self.now
    return state.withLock { state in
      state.tick = tick.map { ($0, now) }
      return state.hit(slot, at: now, take)
    }
  }

  @inlinable
  func getValue(_ query: any Query, _ key: String, isForced: Bool) -> Future<T> {
    read(.value(key), isForced: isForced) { [dataSource] in
      dataSource.get(query).map { .value($0) }
    } part: { content in
      guard case .value(let value) = content else { throw CoreError.NotFound() }
      return value
    }
  }

  @inlinable
  func getList(_ query: any KeyQuery, isForced: Bool) -> Future<[T]> {
    read(.list(query), isForced: isForced) { [dataSource] in
      dataSource.getAll(query).map { .list($0) }
    } part: { content in
      guard case .list(let values) = content else { throw CoreError.NotFound() }
      return values
    }
  }

  /// Answers from the cache, joins a read in progress, or starts one.
  @inlinable
  func read<Part>(
    _ slot: CacheSlot, isForced: Bool, fetch: () -> Future<CachedContent<T>>,
    part: @escaping @Sendable (CachedContent<T>) throws -> Part
  ) -> Future<Part> {
    while true {
      let now = self.now
      switch withState({ $0.beginRead(slot, at: now, isForced: isForced) }) {
      case .hit(let content):
        return Future(value: { try part(content) })
      case .join(let flight):
        if let result = join(flight, slot, part) { return result }
        // All callers of this read have just canceled it.
        withState { _ = $0.endRead(slot, flight) }
      case .start(let flight):
        // A forced read starts with a new age, so the saved times are discarded.
        if isForced { keeper?.forget(slot.storedKey) }
        let result = join(flight, slot, part)
        flight.follow(fetch()) { [self] result in finish(flight, slot, result) }
        if let result { return result }
      }
    }
  }

  @inlinable
  func join<Part>(
    _ flight: CacheFlight<CachedContent<T>>, _ slot: CacheSlot,
    _ part: @escaping @Sendable (CachedContent<T>) throws -> Part
  ) -> Future<Part>? {
    flight.join(
      onAbandon: { [weak self] in
        self?.withState { _ = $0.endRead(slot, flight) }
      }, part)
  }

  @inlinable
  func finish(
    _ flight: CacheFlight<CachedContent<T>>, _ slot: CacheSlot,
    _ result: Future<CachedContent<T>>.Result
  ) {
    // A read that a write overtook must not save any times.
    guard keeper == nil || withState({ $0.flights[slot] === flight }) else { return }
    let stamp = (try? result.get()).map { known(self.stamp($0, slot.key), slot) }
    let counts = withState { state in
      guard state.endRead(slot, flight) else { return false }
      if let stamp { state.store(stamp, in: slot) } else { state.shelf.removeAll(slot.storedKey) }
      return true
    }
    // Overtaken by a write: no saved time is better than the time of another value.
    if !counts, stamp != nil { keeper?.forget(slot.storedKey) }
  }

  /// Returns a stamp with the saved times of its value, if those have not expired.
  @inlinable
  func known(_ stamp: CacheStamp<T>, _ slot: CacheSlot) -> CacheStamp<T> {
    guard let keeper, slot.shape == .value else { return stamp }
    var stamp = stamp
    let life = keeper.life(stamp.timeToLive, of: slot.storedKey)
    stamp.timeToLive = life.timeToLive
    stamp.now = stamp.now.advanced(by: CacheTime(.zero - life.age))
    return stamp
  }

  /// Accesses the state, and releases removed values after unlocking: they may be the last
  /// references to objects that run code in their deinitializer.
  @inlinable
  func withState<Answer: Sendable>(_ body: @Sendable (inout CacheState<T>) -> Answer) -> Answer {
    let (answer, removed) = state.withLock { state in
      (body(&state), state.shelf.takeRemoved())
    }
    withExtendedLifetime(removed) {}
    return answer
  }

  /// Returns content with its cost and TTL, whose closures must not be called under a lock.
  @inlinable
  func stamp(_ content: CachedContent<T>, _ key: String) -> CacheStamp<T> {
    CacheStamp(
      content: content, cost: cost(content),
      timeToLive: timeToLive(key).map(Duration.init(interval:)) ?? expiryInterval,
      now: now)
  }
}

extension Duration {
  /// Creates a duration from seconds, to the nearest nanosecond, clamped to what a duration can
  /// represent.
  @inlinable
  package init(interval: TimeInterval) {
    let seconds = interval.isNaN ? 0 : min(max(interval, -1e12), 1e12)
    // Rounded, because most fractions are not exact: truncated, 0.3 would lack a nanosecond.
    let whole = seconds.rounded(.towardZero)
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(((seconds - whole) * 1e9).rounded()))
  }
}
