/// Content, with what is needed to put it on the shelf.
@usableFromInline
struct CacheStamp<T: Sendable>: Sendable {
  /// A future made for the shelf; nil where there is a list.
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
    // As it is counted, so that the record of an entry and the next read agree about its end.
    let counted = CacheTime(timeToLive)
    let isCountable =
      counted > CacheTime(nanoseconds: .min) && counted < CacheTime(nanoseconds: .max)
    self.timeToLive = isCountable ? counted.since(.zero) : timeToLive
    self.now = now
  }
}
