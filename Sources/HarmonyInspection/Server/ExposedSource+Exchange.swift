import Harmony

extension ExposedSource {
  /// Says how long an entry of a cache still counts, if it is what it is expected to be.
  ///
  /// - Returns: The entry as it is then.
  func expire(_ key: String, _ request: InspectionRequest) async throws -> InspectedEntry {
    let cache = try theCache()
    return try await turns.take {
      let entry = try await entry(key)
      guard request.expected.map({ $0.isMet(by: entry) }) ?? true else {
        throw InspectionError.conflict
      }
      guard try cache.expire(key, request), let entry = try await self.entry(key)
      else { throw CoreError.NotFound() }
      return entry
    }
  }

  /// Puts something else, or nothing, in the place of what a cache holds of an entry that is what it
  /// is expected to be.
  ///
  /// - Returns: The entry as it is then, nil where nothing is cached.
  func exchange(_ key: String, _ request: InspectionRequest) async throws -> InspectedEntry? {
    let cache = try theCache()
    return try await turns.take {
      try cache.exchange(key, request)
      return try await entry(key)
    }
  }
}

extension InspectableCache {
  /// How often an entry is looked at again that the program itself writes meanwhile.
  private static var attempts: Int { 8 }

  /// Sets when an entry expires, as a request says it.
  ///
  /// - Returns: Whether there is one.
  func expire(
    _ key: String, _ request: InspectionRequest, _ clock: CacheCalendar
  ) throws -> Bool {
    guard let expires = request.expires else {
      return try setRemaining(request.remaining.map(Duration.init(interval:)), of: key)
    }
    return try setExpires(clock.time(expires), of: key)
  }

  /// Puts what a request says in the place of what is cached, if that is as the request expects.
  func exchange(
    _ key: String, _ request: InspectionRequest, _ coder: ValueCoder<T>, _ clock: CacheCalendar
  ) throws {
    let content = try request.value.map(coder.content)
    let times = request.times(clock)
    for _ in 0..<Self.attempts {
      let entry = inspect(key)
      if let expected = request.expected {
        let found = try entry.map { entry in
          InspectedEntry(
            key: key, value: try coder.encoded(entry.content), size: 0,
            cached: InspectedEntry.CachedState(entry, clock))
        }
        guard expected.isMet(by: found) else { throw InspectionError.conflict }
      }
      if try exchange(key, expecting: entry, for: content, times: times) { return }
    }
    throw InspectionError.conflict
  }
}

extension InspectionRequest {
  /// The times that what is to be cached has; nil as if it were read now.
  fileprivate func times(_ clock: CacheCalendar) -> CachedTimes? {
    guard let expires else { return nil }
    let end = clock.time(expires)
    return CachedTimes(stored: stored.flatMap(clock.time) ?? clock.now, expires: end)
  }
}

extension InspectionRequest.Expectation {
  /// How far two ways of saying one time may come apart, in seconds.
  private static let precision = 0.001
  /// What ends then or later is as good as what never does, in seconds since 1970: the year 2121.
  private static let distant = 4_765_132_800.0

  /// Whether an entry is this.
  func isMet(by entry: InspectedEntry?) -> Bool {
    guard entry?.value == value else { return false }
    guard let expires, let found = entry?.cached?.expires else { return true }
    return abs(found - expires) <= Self.precision || min(found, expires) >= Self.distant
  }
}

extension ValueCoder {
  /// What is cached, as it goes to another process.
  func encoded(_ content: CachedContent<T>) throws -> InspectedValue {
    switch content {
    case .value(let value): try encode(value)
    case .list(let values): .list(try values.map(encode))
    }
  }

  /// What is to be cached, as it came from another process.
  func content(_ value: InspectedValue) throws -> CachedContent<T> {
    guard case .list(let values) = value else { return .value(try decode(value)) }
    return .list(try values.map(decode))
  }
}
