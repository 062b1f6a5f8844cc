extension TimedCacheDataSource {
  /// Writes to the inner source, and keeps the value that it returns.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - query: Where to write it.
  /// - Returns: A future of the stored value, or of the inner source's error.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    write(query) {
      dataSource.put(value, in: query)
    } kept: { value in
      query.entryKey.map { [(.value($0), .value(value))] } ?? []
    }
  }

  /// Writes to the inner source, and keeps the values that it returns.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: Where to write them; the values of a ``KeysQuery`` are kept one by one.
  /// - Returns: A future of the stored values, or of the inner source's error.
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

  /// Removes from the inner source and from the cache.
  ///
  /// - Parameter query: What to remove; ``AllObjectsQuery`` empties the cache.
  /// - Returns: A future that ends as the inner source's does.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    write(query) {
      dataSource.delete(query)
    } kept: { _ in
      []
    }
  }

  /// Removes from the inner source, by its older method, and from the cache.
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

  /// Writes, with the entries that it concerns forgotten from its start to its end.
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
    // A source that has written already needs nobody to wait for it.
    if inner.isSettled {
      endWrite(keys, isKept, inner.settledResult, kept)
      return inner
    }
    let done = Future<Answer>()
    done.cancelsToo([inner])
    // Also of a write that was cancelled: it may have been done all the same.
    inner.observe { [self] result, cascade in
      endWrite(keys, isKept, result, kept)
      done.complete(result, &cascade)
    }
    return done
  }

  /// Forgets what the write may have changed meanwhile, and keeps what it stored if that is certain.
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

  /// The keys whose entries a write changes, or nil if it may change any.
  @inlinable
  static func concernedKeys(of query: any Query) -> Set<StoredKey>? {
    // What is selected by the place of its key can be anything, also by a query that has a key itself.
    if query is AllObjectsQuery || query.keySelection != nil { return nil }
    let key = query.entryKey.map { StoredKey($0) }
    guard let keys = query.entryKeys else { return key.map { [$0] } }
    return Set(keys.map { StoredKey($0) }).union(key.map { [$0] } ?? [])
  }
}
