package import LarderModel

/// What a timed cache holds under one key.
package struct CacheStatus: Sendable, Equatable {
  /// The key of the entry.
  package var key: EntryKey
  /// When the value was fetched, on the clock of the cache.
  package var fetchedAt: Duration
  /// How long it is fresh from then.
  package var timeToLive: Duration
  /// How often it was answered from the cache.
  package var hits: Int

  package init(key: EntryKey, fetchedAt: Duration, timeToLive: Duration, hits: Int) {
    self.key = key
    self.fetchedAt = fetchedAt
    self.timeToLive = timeToLive
    self.hits = hits
  }

  /// How long ago the value was fetched.
  package func age(at now: Duration) -> Duration { now - fetchedAt }

  /// How long it is still fresh; zero or less once it is expired.
  package func remaining(at now: Duration) -> Duration { timeToLive - age(at: now) }

  /// What the entry is at a moment.
  package func state(at now: Duration) -> State {
    let remaining = remaining(at: now)
    if remaining <= .zero { return .expired }
    return remaining * 10 <= timeToLive ? .soon : .fresh
  }

  /// How far an entry of a cache is through its life.
  package enum State: Sendable, Equatable {
    /// More than a tenth of its life is left.
    case fresh
    /// The last tenth.
    case soon
    /// Still there, no longer answered.
    case expired
  }
}

/// The timed cache over the store on screen.
package struct CacheModel: Sendable, Equatable {
  /// What is cached, by key.
  package private(set) var statuses: [EntryKey: CacheStatus] = [:]
  /// The time on the clock of the cache.
  package var now: Duration = .zero

  package init() {}

  /// Takes over what the cache said.
  package mutating func update(_ list: [CacheStatus], now: Duration) {
    statuses = Dictionary(list.map { ($0.key, $0) }) { _, last in last }
    self.now = now
  }

  /// Whether something on screen changes with time: an entry that is not yet expired.
  package var isCounting: Bool {
    statuses.values.contains { $0.state(at: now) != .expired }
  }

  /// The cached entries in words, such as "3 cached: 2 fresh, 1 expired".
  package var summary: String {
    guard !statuses.isEmpty else { return "nothing cached" }
    let expired = statuses.values.count { $0.state(at: now) == .expired }
    let fresh = statuses.count - expired
    return "\(statuses.count) cached: \(fresh) fresh, \(expired) expired"
  }
}
