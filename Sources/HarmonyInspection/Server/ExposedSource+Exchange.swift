import Harmony

extension ExposedSource {
  /// Sets when an entry of a cache expires, if it is as expected.
  ///
  /// - Returns: The new entry.
  func expire(_ key: String, _ request: InspectionRequest) async throws -> InspectedEntry {
    let cache = try requireCache()
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

  /// Replaces or removes an entry of a cache, if it is as expected.
  ///
  /// - Returns: The new entry; nil if nothing is cached.
  func exchange(_ key: String, _ request: InspectionRequest) async throws -> InspectedEntry? {
    let cache = try requireCache()
    return try await turns.take {
      try cache.exchange(key, request)
      return try await entry(key)
    }
  }
}

extension InspectableCache {
  /// The maximum number of attempts if the program changes the entry in the meantime.
  private static var attempts: Int { 8 }

  /// Sets when an entry expires, as given in a request.
  ///
  /// - Returns: Whether there is an entry.
  func expire(
    _ key: String, _ request: InspectionRequest, _ clock: CacheCalendar
  ) throws -> Bool {
    guard let expires = request.expires else {
      return try setRemaining(request.remaining.map(Duration.init(interval:)), of: key)
    }
    return try setExpires(clock.time(expires), of: key)
  }

  /// Replaces or removes the cached entry as given in a request, if it is as expected.
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
  /// Returns the times of the new entry; nil as if it were read now.
  fileprivate func times(_ clock: CacheCalendar) -> CachedTimes? {
    guard let expires else { return nil }
    let end = clock.time(expires)
    return CachedTimes(stored: stored.flatMap(clock.time) ?? clock.now, expires: end)
  }
}

extension InspectionRequest.Expectation {
  /// The tolerance when comparing times, in seconds.
  private static let precision = 0.001
  /// Expiries from here on are treated as never, in seconds since 1970: the year 2121.
  private static let distant = 4_765_132_800.0

  /// Whether an entry meets this expectation.
  func isMet(by entry: InspectedEntry?) -> Bool {
    guard entry?.value == value else { return false }
    guard let expires, let found = entry?.cached?.expires else { return true }
    return abs(found - expires) <= Self.precision || min(found, expires) >= Self.distant
  }
}

extension ValueCoder {
  /// Returns cached content in the form that is sent to another process.
  func encoded(_ content: CachedContent<T>) throws -> InspectedValue {
    switch content {
    case .value(let value): try encode(value)
    case .list(let values): .list(try values.map(encode))
    }
  }

  /// Returns the content to cache from the form that another process sent.
  func content(_ value: InspectedValue) throws -> CachedContent<T> {
    guard case .list(let values) = value else { return .value(try decode(value)) }
    return .list(try values.map(decode))
  }
}
