/// Content with the metadata needed to store it.
@usableFromInline
struct CacheStamp<T: Sendable>: Sendable {
  /// A future created for the cache; nil for a list.
  @usableFromInline let value: Future<T>?
  @usableFromInline let list: [T]?
  @usableFromInline let cost: Int
  @usableFromInline var timeToLive: Duration
  @usableFromInline var now: CacheTime

  @inlinable
  init(content: CachedContent<T>, cost: Int, timeToLive: Duration, now: CacheTime) {
    switch content {
    case .value(let value): (self.value, list) = (Future(value), nil)
    case .list(let values): (value, list) = (nil, values)
    }
    self.cost = cost
    // Rounded as `CacheTime` does, so that the record and the next read agree on the expiry.
    let counted = CacheTime(timeToLive)
    let isCountable =
      counted > CacheTime(nanoseconds: .min) && counted < CacheTime(nanoseconds: .max)
    self.timeToLive = isCountable ? counted.since(.zero) : timeToLive
    self.now = now
  }
}
