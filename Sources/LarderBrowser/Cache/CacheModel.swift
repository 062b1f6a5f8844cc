package import LarderModel

/// The status of one key in larder's own cache.
package struct CacheStatus: Sendable, Equatable {
  /// The key of the entry.
  package var key: EntryKey
  /// The time at which the value was fetched, on the clock of the cache.
  package var fetchedAt: Duration
  /// The TTL of the value, which starts when it is fetched.
  package var timeToLive: Duration
  /// The number of reads that the cache answered.
  package var hits: Int

  package init(key: EntryKey, fetchedAt: Duration, timeToLive: Duration, hits: Int) {
    self.key = key
    self.fetchedAt = fetchedAt
    self.timeToLive = timeToLive
    self.hits = hits
  }

  /// Returns the time since the value was fetched.
  package func age(at now: Duration) -> Duration { now - fetchedAt }

  /// Returns the remaining TTL, which is zero or less once the entry has expired.
  package func remaining(at now: Duration) -> Duration { timeToLive - age(at: now) }

  /// Returns the state of the entry at a time.
  package func state(at now: Duration) -> State {
    let remaining = remaining(at: now)
    if remaining <= .zero { return .expired }
    return remaining * 10 <= timeToLive ? .soon : .fresh
  }

  /// The freshness of a cached entry.
  package enum State: Sendable, Equatable {
    /// More than a tenth of the TTL remains.
    case fresh
    /// At most a tenth of the TTL remains.
    case soon
    /// The entry has expired: it is still stored, but no longer returned.
    case expired
  }
}

/// The contents of larder's own cache of the store on screen.
package struct CacheModel: Sendable, Equatable {
  /// The status of each cached key.
  package private(set) var statuses: [EntryKey: CacheStatus] = [:]
  /// The time on the clock of the cache.
  package var now: Duration = .zero

  package init() {}

  /// Replaces the statuses with those that the cache reported.
  package mutating func update(_ list: [CacheStatus], now: Duration) {
    statuses = Dictionary(list.map { ($0.key, $0) }) { _, last in last }
    self.now = now
  }

  /// Whether the display changes over time, because an entry has not expired yet.
  package var isCounting: Bool {
    statuses.values.contains { $0.state(at: now) != .expired }
  }

  /// A summary, such as "3 cached: 2 fresh, 1 expired".
  package var summary: String {
    guard !statuses.isEmpty else { return Messages.nothingCached }
    let expired = statuses.values.count { $0.state(at: now) == .expired }
    return Messages.cached(
      statuses.count, fresh: statuses.count - expired, expired: expired)
  }
}
