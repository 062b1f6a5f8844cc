public import Foundation

/// Synchronizes the saved times of a cache with the writes to its backing store.
@usableFromInline
final class CacheTimesKeeper: Sendable {
  private let store: any CacheTimesStore
  private let date: @Sendable () -> Date
  private let writing = Locked(Writing())

  private struct Writing {
    var keys: [StoredKey: Int] = [:]
    /// The number of writes in progress whose keys are unknown.
    var all = 0

    func mayConcern(_ key: StoredKey) -> Bool { all > 0 || keys[key] != nil }
  }

  @usableFromInline
  init(_ store: any CacheTimesStore, _ date: @escaping @Sendable () -> Date) {
    self.store = store
    self.date = date
  }

  /// Removes the times of keys that are about to be written, until the write has ended.
  ///
  /// - Parameter keys: The keys; nil for any.
  /// - Throws: The store's error, in which case old times could be mistaken for those of the new
  ///   value.
  @usableFromInline
  func beginWrite(_ keys: Set<StoredKey>?) throws {
    try writing.withLock { writing in
      guard let keys else {
        try store.forgetTimes()
        writing.all += 1
        return
      }
      try store.setTimes(keys.map { ($0.text, nil) })
      for key in keys { writing.keys[key, default: 0] += 1 }
    }
  }

  /// Ends a write and saves the times of the values that it stored.
  @usableFromInline
  func endWrite(_ keys: Set<StoredKey>?, _ lives: [(StoredKey, Duration)]) {
    writing.withLock { writing in
      guard let keys else {
        writing.all -= 1
        return
      }
      for key in keys {
        let left = (writing.keys[key] ?? 1) - 1
        writing.keys[key] = left > 0 ? left : nil
      }
      keep(lives.filter { !writing.mayConcern($0.0) })
    }
  }

  /// Returns the age and the TTL of the value of a key.
  ///
  /// If the saved times are unknown or have expired, the TTL starts now.
  @usableFromInline
  func life(_ fresh: Duration, of key: StoredKey) -> (age: Duration, timeToLive: Duration) {
    writing.withLock { writing in
      let now = date()
      if let times = (try? store.times(of: key.text)) ?? nil,
        times.expires.map({ $0 > now }) ?? true, times.stored <= now
      {
        let age = Duration(interval: now.timeIntervalSince(times.stored))
        let life = times.expires.map { Duration(interval: $0.timeIntervalSince(times.stored)) }
        return (age, life ?? .endless)
      }
      // If a write is in progress, it determines the times.
      if !writing.mayConcern(key) { keep([(key, fresh)]) }
      return (.zero, fresh)
    }
  }

  /// Sets the time that is left until a key expires; nil for never.
  @usableFromInline
  func setRemaining(_ remaining: Duration?, of key: StoredKey) {
    writing.withLock { writing in
      guard !writing.mayConcern(key) else { return }
      let now = date()
      let stored = ((try? store.times(of: key.text)) ?? nil)?.stored ?? now
      try? store.setTimes(
        CacheTimes(stored: stored, expires: remaining.map { now.addingTimeInterval($0.inSeconds) }),
        of: key.text)
    }
  }

  /// Sets the age of a key's cached value and the time left until it expires; nil for never.
  func setTimes(age: Duration, remaining: Duration?, of key: StoredKey) {
    writing.withLock { writing in
      guard !writing.mayConcern(key) else { return }
      let now = date()
      try? store.setTimes(
        CacheTimes(
          stored: now.addingTimeInterval(-age.inSeconds),
          expires: remaining.map { now.addingTimeInterval($0.inSeconds) }),
        of: key.text)
    }
  }

  /// Removes the times of a key; nil for all keys.
  @usableFromInline
  func forget(_ key: StoredKey?) {
    writing.withLock { _ in
      if let key { try? store.setTimes(nil, of: key.text) } else { try? store.forgetTimes() }
    }
  }

  private func keep(_ lives: [(StoredKey, Duration)]) {
    guard !lives.isEmpty else { return }
    let now = date()
    // Times that cannot be saved count as unknown.
    try? store.setTimes(
      lives.map { key, life in
        let end = life >= .endless ? nil : now.addingTimeInterval(life.inSeconds)
        return (key.text, CacheTimes(stored: now, expires: end))
      })
  }
}
