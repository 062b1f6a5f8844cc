/// What a hit reads and writes of a cache's entry, close together in memory.
@usableFromInline
struct CacheItem<T: Sendable>: Sendable {
  @usableFromInline var slot: CacheSlot
  /// A complete future of the value, to be handed out; nil where there is a list, or nothing.
  @usableFromInline var value: Future<T>?
  @usableFromInline var expires: CacheTime
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

  /// Whether there is anything.
  var isTaken: Bool { value != nil || list != nil }

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
  /// To make one takes as long as all the rest of a hit. So it is the one that is kept here. Where
  /// somebody still has that from a hit before, another takes its place, for the hits that follow.
  @inlinable
  @inline(__always)
  mutating func handOut() -> Future<T>? {
    let isUnshared = isKnownUniquelyReferenced(&value)
    guard let value else { return nil }
    guard isUnshared else { return replace(value) }
    value.markUnsent()
    return value
  }

  @inlinable
  @inline(never)
  mutating func replace(_ shared: Future<T>) -> Future<T>? {
    let another = shared.settledValue.map { Future($0) }
    if let another { value = another }
    return another
  }

  /// Lets go of the content and of the key.
  @inlinable
  mutating func empty() {
    slot = CacheSlot(key: "", shape: .value)
    value = nil
    list = nil
  }
}

/// What else is known of a cache's entry.
@usableFromInline
struct CacheRecord: Sendable {
  @usableFromInline let stored: CacheTime
  @usableFromInline var timeToLive: Duration
  @usableFromInline let cost: Int
  /// What tells the entry from others before and after it.
  @usableFromInline var number = 0

  @inlinable
  init<T>(_ stamp: CacheStamp<T>) {
    stored = stamp.now
    timeToLive = stamp.timeToLive
    cost = max(stamp.cost, 0)
  }
}
