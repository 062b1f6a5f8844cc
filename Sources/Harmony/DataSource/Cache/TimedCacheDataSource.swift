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
/// Expired entries stay until they are replaced or make room, so that they can be inspected. One
/// instance may be used by several threads; nothing is called while a lock is held.
///
/// - Note: Upstream's entries never expire, and deleting all objects leaves them readable.
public final class TimedCacheDataSource<T: Sendable, D>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  let dataSource: D
  let isCacheable: @Sendable (any Query) -> Bool
  let clock: any CacheClock
  private let state: Locked<CacheState<T>>
  private let expiryInterval: Duration
  private let timeToLive: @Sendable (String) -> TimeInterval?
  private let cost: @Sendable (CachedContent<T>) -> Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - expiryInterval: The time to live of entries in seconds.
  ///   - capacity: How many values and lists to keep at most; nil for any number.
  ///   - costLimit: The most that all entries together may cost; nil for any cost.
  ///   - cost: What an entry costs; by default 1.
  ///   - timeToLive: The time to live in seconds for a key, or nil for `expiryInterval`.
  ///   - isCacheable: Whether answers to a query may be kept; by default to every ``KeyQuery``.
  ///   - clock: Tells the age of entries.
  public init(
    _ dataSource: D, expiryInterval: TimeInterval = 300, capacity: Int? = nil,
    costLimit: Int? = nil,
    cost: @escaping @Sendable (CachedContent<T>) -> Int = { _ in 1 },
    timeToLive: @escaping @Sendable (_ key: String) -> TimeInterval? = { _ in nil },
    isCacheable: @escaping @Sendable (any Query) -> Bool = { $0 is any KeyQuery },
    clock: any CacheClock = MonotonicClock()
  ) {
    self.dataSource = dataSource
    self.isCacheable = isCacheable
    self.clock = clock
    self.expiryInterval = Duration(interval: expiryInterval)
    self.timeToLive = timeToLive
    self.cost = cost
    state = Locked(CacheState(shelf: CacheShelf(capacity: capacity, costLimit: costLimit)))
  }

  /// Answers from memory, or reads the inner source and keeps its answer.
  ///
  /// - Parameter query: What to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the value, or of the inner source's error.
  public func get(_ query: any Query) -> Future<T> {
    guard let key = cacheableKey(of: query) else { return dataSource.get(query) }
    return getValue(query, key, isForced: false)
  }

  /// Answers from memory, or reads the inner source and keeps its answer.
  ///
  /// - Parameter query: What to read; only a cacheable ``KeyQuery`` uses the cache.
  /// - Returns: A future of the values, or of the inner source's error.
  public func getAll(_ query: any Query) -> Future<[T]> {
    guard isCacheable(query), let query = query as? any KeyQuery else {
      return dataSource.getAll(query)
    }
    return getList(query, isForced: false)
  }

  func getValue(_ query: any Query, _ key: String, isForced: Bool) -> Future<T> {
    read(.value(key), isForced: isForced) { [dataSource] in
      dataSource.get(query).map { .value($0) }
    } part: { content in
      guard case .value(let value) = content else { throw CoreError.NotFound() }
      return value
    }
  }

  func getList(_ query: any KeyQuery, isForced: Bool) -> Future<[T]> {
    read(.list(query), isForced: isForced) { [dataSource] in
      dataSource.getAll(query).map { .list($0) }
    } part: { content in
      guard case .list(let values) = content else { throw CoreError.NotFound() }
      return values
    }
  }

  func cacheableKey(of query: any Query) -> String? {
    isCacheable(query) ? query.entryKey : nil
  }

  /// Answers from the shelf, joins a read that is under way, or starts one.
  private func read<Part>(
    _ slot: CacheSlot, isForced: Bool, fetch: () -> Future<CachedContent<T>>,
    part: @escaping @Sendable (CachedContent<T>) throws -> Part
  ) -> Future<Part> {
    while true {
      let now = clock.now
      switch withState({ $0.beginRead(slot, at: now, isForced: isForced) }) {
      case .hit(let content):
        return Future(value: { try part(content) })
      case .join(let flight):
        if let result = join(flight, slot, part) { return result }
        // Everybody has given this read up just now.
        withState { _ = $0.endRead(slot, flight) }
      case .start(let flight):
        let result = join(flight, slot, part)
        flight.follow(fetch()) { [self] result in finish(flight, slot, result) }
        if let result { return result }
      }
    }
  }

  private func join<Part>(
    _ flight: CacheFlight<CachedContent<T>>, _ slot: CacheSlot,
    _ part: @escaping @Sendable (CachedContent<T>) throws -> Part
  ) -> Future<Part>? {
    flight.join(
      onAbandon: { [weak self] in
        self?.withState { _ = $0.endRead(slot, flight) }
      }, part)
  }

  private func finish(
    _ flight: CacheFlight<CachedContent<T>>, _ slot: CacheSlot,
    _ result: Future<CachedContent<T>>.Result
  ) {
    let stamp = (try? result.get()).map { self.stamp($0, slot.key) }
    withState { state in
      guard state.endRead(slot, flight) else { return }
      if let stamp { state.store(stamp, in: slot) } else { state.shelf.remove(slot) }
    }
  }

  /// Works on the state, and lets go of removed values after the lock: they may be the last
  /// references to objects that run code when they end.
  func withState<Answer: Sendable>(_ body: @Sendable (inout CacheState<T>) -> Answer) -> Answer {
    let (answer, removed) = state.withLock { state in
      (body(&state), state.shelf.takeRemoved())
    }
    withExtendedLifetime(removed) {}
    return answer
  }

  /// Content with all that the caller's closures say of it, which are not called under a lock.
  func stamp(_ content: CachedContent<T>, _ key: String) -> CacheStamp<T> {
    CacheStamp(
      content: content, cost: cost(content),
      timeToLive: timeToLive(key).map(Duration.init(interval:)) ?? expiryInterval, now: clock.now)
  }
}

extension Duration {
  /// A time in seconds, cut to what a duration can say: infinity becomes ages.
  fileprivate init(interval: TimeInterval) {
    self = .seconds(interval.isNaN ? 0 : min(max(interval, -1e12), 1e12))
  }
}
