public import Foundation

/// Keeps the times of a cache in step with what is written to its backing store.
@usableFromInline
final class CacheTimesKeeper: Sendable {
  private let store: any CacheTimesStore
  private let date: @Sendable () -> Date
  private let writing = Locked(Writing())

  private struct Writing {
    var keys: [StoredKey: Int] = [:]
    /// Writes of which nobody knows the keys.
    var all = 0

    func mayConcern(_ key: StoredKey) -> Bool { all > 0 || keys[key] != nil }
  }

  @usableFromInline
  init(_ store: any CacheTimesStore, _ date: @escaping @Sendable () -> Date) {
    self.store = store
    self.date = date
  }

  /// Forgets the times of keys that are about to be written, nil for any, until the write has ended.
  ///
  /// - Throws: What the store throws; then a time could be taken for that of what is written.
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

  /// Ends a write, and keeps the times of what was written.
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

  /// The times of a key that still counts: how old what was read of it is, and how old it may become.
  ///
  /// Of a key whose time has passed, or is not known, what was read begins its life now.
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
      // Whoever writes it at the moment says what its time is.
      if !writing.mayConcern(key) { keep([(key, fresh)]) }
      return (.zero, fresh)
    }
  }

  /// Says how long a key still counts; nil for ever.
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

  /// Says the times of a key: how old what is cached of it is, and how long it still counts; nil for
  /// ever.
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

  /// Forgets the times of a key, nil for all.
  @usableFromInline
  func forget(_ key: StoredKey?) {
    writing.withLock { _ in
      if let key { try? store.setTimes(nil, of: key.text) } else { try? store.forgetTimes() }
    }
  }

  private func keep(_ lives: [(StoredKey, Duration)]) {
    guard !lives.isEmpty else { return }
    let now = date()
    // A time that cannot be kept is one that is not known.
    try? store.setTimes(
      lives.map { key, life in
        let end = life >= .endless ? nil : now.addingTimeInterval(life.inSeconds)
        return (key.text, CacheTimes(stored: now, expires: end))
      })
  }
}
