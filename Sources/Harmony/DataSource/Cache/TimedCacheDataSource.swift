public import Foundation

/// Keeps what another source answers, for a time.
///
/// A read by a ``KeyQuery`` is answered from memory while the entry is younger than its time to
/// live. Writes go through to the inner source and update the entry. If capacity is limited the
/// least recently used entries make room. Reads of one key that miss at the same time share one
/// read of the inner source. An error of the inner source is returned and removes the entries of
/// the key. What is written or removed by one key drops every cached list, since it may be in it;
/// a write by a query without a key drops everything.
///
/// The future of a hit is one that the cache keeps: it is handed out again as soon as nobody refers
/// to it, and until then others are made for those who ask meanwhile. So a weak reference to it lasts
/// as long as the entry, and its identity says nothing.
///
/// Expired entries stay until they are replaced or make room, so that they can be inspected. One
/// instance may be used by several threads; nothing is called while a lock is held.
///
/// - Note: Upstream's entries never expire, and deleting all objects leaves them readable.
public final class TimedCacheDataSource<T: Sendable, D>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  /// Whether answers to a query may be kept; nil if they always may.
  @usableFromInline let condition: (@Sendable (any Query) -> Bool)?
  @usableFromInline let secrets = KeySecrets.ofProcess
  @usableFromInline let clock: any CacheClock
  /// Whether that is the system's, which can be asked directly.
  @usableFromInline let isSystemClock: Bool
  @usableFromInline let tickingClock: (any TickingClock)?
  /// What the clock showed at first, as its times can begin anywhere.
  @usableFromInline let origin: Duration
  @usableFromInline let state: Locked<CacheState<T>>
  @usableFromInline let expiryInterval: Duration
  @usableFromInline let timeToLive: @Sendable (String) -> TimeInterval?
  @usableFromInline let cost: @Sendable (CachedContent<T>) -> Int
  /// Keeps the times of entries for longer than this process lasts, where that is wanted.
  @usableFromInline let keeper: CacheTimesKeeper?

  @inlinable
  init(
    _ dataSource: D, _ shelf: CacheShelf<T>, _ expiryInterval: TimeInterval,
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

  /// Answers from memory, or reads the inner source and keeps its answer.
  ///
  /// - Parameter query: What to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the value, or of the inner source's error.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    guard let key = query.entryKey, condition == nil || isCacheable(query) else {
      return dataSource.get(query)
    }
    let slot = CacheSlot.value(key, secrets)
    let tick = self.tick
    // Twice, as the compiler puts a closure that is named once where it is called.
    if let future = hit(slot, in: tick, { $0.handOut() }) { return future }
    if let future = hit(slot, after: tick, { $0.handOut() }) { return future }
    return getValue(query, key, isForced: false)
  }

  /// Answers from memory, or reads the inner source and keeps its answer.
  ///
  /// - Parameter query: What to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the values, or of the inner source's error.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    guard isCacheable(query), Self.hasListOfItsOwn(query), let query = query as? any KeyQuery else {
      return dataSource.getAll(query)
    }
    return getList(query, isForced: false)
  }

  /// Whether the key of a query says what list it names: not where entries are selected by theirs.
  @inlinable
  static func hasListOfItsOwn(_ query: any Query) -> Bool {
    query is AllObjectsQuery || query.keySelection == nil
  }

  /// The time by the clock, counted from its first.
  @inlinable var now: CacheTime { CacheTime(clock.now - origin) }

  @inlinable
  func isCacheable(_ query: any Query) -> Bool {
    condition?(query) ?? true
  }

  /// The tick of the clock, if it has any: a look at the time takes as long as the rest of a hit.
  @inlinable var tick: Int64? {
    isSystemClock ? MonotonicClock.tick : tickingClock?.tick
  }

  /// What is taken from the entry of a slot, if it is certain without a look at the time that it
  /// needs no read of the inner source.
  @inlinable
  @inline(__always)
  func hit<Answer: Sendable>(
    _ slot: CacheSlot, in tick: Int64?, _ take: (inout CacheItem<T>) -> Answer?
  ) -> Answer? {
    guard let tick else { return nil }
    return state.withLock { $0.hit(slot, in: tick, take) }
  }

  /// What is taken from the entry of a slot after a look at the time, if it needs no read of the
  /// inner source.
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

  /// Answers from the shelf, joins a read that is under way, or starts one.
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
        // Everybody has given this read up just now.
        withState { _ = $0.endRead(slot, flight) }
      case .start(let flight):
        // What is read because somebody wants it again has no age.
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
    // What was overtaken by a write has no time that anybody should keep.
    guard keeper == nil || withState({ $0.flights[slot] === flight }) else { return }
    let stamp = (try? result.get()).map { known(self.stamp($0, slot.key), slot) }
    let counts = withState { state in
      guard state.endRead(slot, flight) else { return false }
      if let stamp { state.store(stamp, in: slot) } else { state.shelf.removeAll(slot.storedKey) }
      return true
    }
    // Overtaken since: no time is better than one that may be of something else.
    if !counts, stamp != nil { keeper?.forget(slot.storedKey) }
  }

  /// What was read of a value with the times that were kept of it, if they still count.
  @inlinable
  func known(_ stamp: CacheStamp<T>, _ slot: CacheSlot) -> CacheStamp<T> {
    guard let keeper, slot.shape == .value else { return stamp }
    var stamp = stamp
    let life = keeper.life(stamp.timeToLive, of: slot.storedKey)
    stamp.timeToLive = life.timeToLive
    stamp.now = stamp.now.advanced(by: CacheTime(.zero - life.age))
    return stamp
  }

  /// Works on the state, and lets go of removed values after the lock: they may be the last
  /// references to objects that run code when they end.
  @inlinable
  func withState<Answer: Sendable>(_ body: @Sendable (inout CacheState<T>) -> Answer) -> Answer {
    let (answer, removed) = state.withLock { state in
      (body(&state), state.shelf.takeRemoved())
    }
    withExtendedLifetime(removed) {}
    return answer
  }

  /// Content with all that the caller's closures say of it, which are not called under a lock.
  @inlinable
  func stamp(_ content: CachedContent<T>, _ key: String) -> CacheStamp<T> {
    CacheStamp(
      content: content, cost: cost(content),
      timeToLive: timeToLive(key).map(Duration.init(interval:)) ?? expiryInterval,
      now: now)
  }
}

extension Duration {
  /// A time in seconds, to the nearest nanosecond, cut to what a duration can say: infinity becomes
  /// ages.
  @inlinable
  package init(interval: TimeInterval) {
    let seconds = interval.isNaN ? 0 : min(max(interval, -1e12), 1e12)
    // Most fractions are a little more or less than what is meant; cut off, 0.3 would lack one.
    let whole = seconds.rounded(.towardZero)
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(((seconds - whole) * 1e9).rounded()))
  }
}
