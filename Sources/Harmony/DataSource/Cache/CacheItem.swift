/// What a hit reads and writes of a cache's entry, close together in memory.
@usableFromInline
struct CacheItem<T: Sendable>: Sendable {
  @usableFromInline let slot: CacheSlot
  /// A complete future of the value, to be handed out; nil where there is a list, or nothing.
  @usableFromInline var value: Future<T>?
  @usableFromInline let expires: CacheTime
  @usableFromInline var used: CacheTime
  @usableFromInline var hits = 0
  /// Nil where there is a value, or nothing.
  @usableFromInline var list: [T]?

  @inlinable
  init(_ slot: CacheSlot, _ stamp: CacheStamp<T>) {
    self.slot = slot
    value = stamp.value
    list = stamp.list
    expires = stamp.now.advanced(by: CacheTime(stamp.timeToLive))
    used = stamp.now
  }

  /// The content; nil if the place of this item is free.
  @inlinable var content: CachedContent<T>? {
    value?.settledValue.map { .value($0) } ?? list.map { .list($0) }
  }

  /// What is taken from this item, whose use this is; nil where it has expired or may have.
  @inlinable
  @inline(__always)
  mutating func use<Answer>(
    at now: CacheTime, within span: CacheTime, _ take: (inout Self) -> Answer?
  ) -> Answer? {
    guard now.advanced(by: span) < expires else { return nil }
    hits &+= 1
    if used < now { used = now }
    return take(&self)
  }

  /// A future of the value, which nobody else holds.
  ///
  /// To make one takes as long as all the rest of a hit. So it is the one that is kept here, unless
  /// somebody still has it from a hit before.
  @inlinable
  @inline(__always)
  mutating func handOut() -> Future<T>? {
    let isUnshared = isKnownUniquelyReferenced(&value)
    guard let value else { return nil }
    guard isUnshared else { return anotherFuture() }
    value.markUnsent()
    return value
  }

  @inlinable
  @inline(never)
  func anotherFuture() -> Future<T>? {
    value?.settledValue.map { Future($0) }
  }

  /// Lets go of the content.
  @inlinable
  mutating func empty() {
    value = nil
    list = nil
  }
}

/// What else is known of a cache's entry.
@usableFromInline
struct CacheRecord: Sendable {
  @usableFromInline let stored: CacheTime
  @usableFromInline let timeToLive: Duration
  @usableFromInline let cost: Int

  @inlinable
  init<T>(_ stamp: CacheStamp<T>) {
    stored = stamp.now
    timeToLive = stamp.timeToLive
    cost = max(stamp.cost, 0)
  }
}
