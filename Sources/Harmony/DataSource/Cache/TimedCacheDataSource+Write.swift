extension TimedCacheDataSource {
  /// Writes a value to the backing store and caches the value that it returns.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - query: The query to write it under.
  /// - Returns: A future of the stored value, or of the backing store's error.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    write(query) {
      dataSource.put(value, in: query)
    } kept: { value in
      query.entryKey.map { [(.value($0), .value(value))] } ?? []
    }
  }

  /// Writes a list to the backing store and caches the values that it returns.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: The query to write them under; the values of a ``KeysQuery`` are cached one by one.
  /// - Returns: A future of the stored values, or of the backing store's error.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    write(query) {
      dataSource.putAll(array, in: query)
    } kept: { values in
      if let keys = query.entryKeys {
        guard keys.count == values.count else { return [] }
        return zip(keys, values).map { (.value($0), .value($1)) }
      }
      return (query as? any KeyQuery).map { [(.list($0), .list(values))] } ?? []
    }
  }

  /// Removes values from the backing store and from the cache.
  ///
  /// - Parameter query: The query to remove; ``AllObjectsQuery`` empties the cache.
  /// - Returns: A future that completes as the backing store's does.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    write(query) {
      dataSource.delete(query)
    } kept: { _ in
      []
    }
  }

  /// Removes values from the backing store, using its deprecated method, and from the cache.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    write(query) {
      dataSource.deleteAll(query)
    } kept: { _ in
      []
    }
  }

  /// Performs a write, keeping the entries that it affects out of the cache until it has ended.
  @inlinable
  func write<Answer>(
    _ query: any Query, _ perform: () -> Future<Answer>,
    kept: @escaping @Sendable (Answer) -> [(CacheSlot, CachedContent<T>)]
  ) -> Future<Answer> {
    let keys = Self.concernedKeys(of: query)
    if let keeper {
      do {
        try keeper.beginWrite(keys)
      } catch {
        return Future(error)
      }
    }
    withState { state in
      if let keys { state.beginWrite(keys) } else { state.invalidateAll() }
    }
    let isKept = keys != nil && isCacheable(query)
    let inner = perform()
    // A backing store that has already finished needs no second future.
    if inner.isSettled {
      endWrite(keys, isKept, inner.settledResult, kept)
      return inner
    }
    let done = Future<Answer>()
    done.cancelsToo([inner])
    // Also after a canceled write, which may have been performed nevertheless.
    inner.observe { [self] result, cascade in
      endWrite(keys, isKept, result, kept)
      done.complete(result, &cascade)
    }
    return done
  }

  /// Discards the entries that the write may have changed, and caches its result if that is
  /// certain.
  @inlinable
  func endWrite<Answer>(
    _ keys: Set<StoredKey>?, _ isKept: Bool, _ result: Future<Answer>.Result,
    _ kept: (Answer) -> [(CacheSlot, CachedContent<T>)]
  ) {
    guard let keys else {
      keeper?.endWrite(nil, [])
      return withState { $0.invalidateAll() }
    }
    var stamps: [(CacheSlot, CacheStamp<T>)] = []
    if isKept, case .value(let answer) = result {
      stamps = kept(answer).map { ($0, stamp($1, $0.key)) }
    }
    let isCertain = withState { [stamps] state in
      guard state.endWrite(keys) else { return false }
      for (slot, stamp) in stamps { state.store(stamp, in: slot) }
      return true
    }
    guard let keeper else { return }
    let values = isCertain ? stamps.filter { $0.0.shape == .value } : []
    keeper.endWrite(keys, values.map { ($0.0.storedKey, $0.1.timeToLive) })
  }

  /// Returns the keys whose entries a write changes, or nil if it may change any.
  @inlinable
  static func concernedKeys(of query: any Query) -> Set<StoredKey>? {
    // A key selection may cover any key, even in a query that has a key itself.
    if query is AllObjectsQuery || query.keySelection != nil { return nil }
    let key = query.entryKey.map { StoredKey($0) }
    guard let keys = query.entryKeys else { return key.map { [$0] } }
    return Set(keys.map { StoredKey($0) }).union(key.map { [$0] } ?? [])
  }
}
