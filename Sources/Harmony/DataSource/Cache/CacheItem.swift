/// The parts of a cache entry that a hit reads and writes, close together in memory.
@usableFromInline
struct CacheItem<T: Sendable>: Sendable {
  @usableFromInline var slot: CacheSlot
  /// A completed future of the value, ready to be handed out; nil for a list or an empty item.
  @usableFromInline var value: Future<T>?
  @usableFromInline var expires: CacheTime
  @usableFromInline var used: CacheTime
  @usableFromInline var hits = 0
  /// The list; nil for a value or an empty item.
  @usableFromInline var list: [T]?

  @inlinable
  init(_ slot: CacheSlot, _ stamp: CacheStamp<T>) {
    self.slot = slot
    value = stamp.value
    list = stamp.list
    expires = stamp.now.advanced(by: CacheTime(stamp.timeToLive))
    used = stamp.now
  }

  /// The content; nil if this item is empty.
  @inlinable var content: CachedContent<T>? {
    value?.settledValue.map { .value($0) } ?? list.map { .list($0) }
  }

  /// Whether this item holds an entry.
  var isTaken: Bool { value != nil || list != nil }

  /// Records a hit and returns the result of `take`; nil if the entry has or may have expired.
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

  /// Returns a future of the value that no other caller holds.
  ///
  /// Creating a future takes as long as the rest of a hit, so the stored one is handed out. If an
  /// earlier caller still holds it, a new future replaces it for the hits that follow.
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

  /// Releases the content and the key.
  @inlinable
  mutating func empty() {
    slot = CacheSlot(key: "", shape: .value)
    value = nil
    list = nil
  }
}

/// The parts of a cache entry that a hit does not need.
@usableFromInline
struct CacheRecord: Sendable {
  @usableFromInline let stored: CacheTime
  @usableFromInline var timeToLive: Duration
  @usableFromInline let cost: Int
  /// A number that distinguishes the entry from earlier and later ones under its key.
  @usableFromInline var number = 0

  @inlinable
  init<T>(_ stamp: CacheStamp<T>) {
    stored = stamp.now
    timeToLive = stamp.timeToLive
    cost = max(stamp.cost, 0)
  }
}
