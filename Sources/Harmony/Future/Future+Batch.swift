extension Future {
  /// Waits for several futures of one type.
  ///
  /// - Parameter futures: The futures, which run concurrently.
  /// - Returns: The future of ``batch(_:)-([Future<T>])``.
  @inlinable
  public static func batch(_ futures: Future<T>...) -> Future<[T]> {
    batch(futures)
  }

  /// Waits for several futures of one type.
  ///
  /// Cancelling the result cancels all of them.
  ///
  /// - Parameter futures: The futures, which run concurrently; may be empty.
  /// - Returns: A future of the values in the order of the futures, or of the first error.
  @inlinable
  public static func batch(_ futures: [Future<T>]) -> Future<[T]> {
    if futures.allSatisfy({ $0.isSettled }) { return settledBatch(futures) }
    return pendingBatch(futures)
  }

  /// Returns the batch of futures that are all complete.
  @inlinable
  static func settledBatch(_ futures: [Future<T>]) -> Future<[T]> {
    var values: [T] = []
    values.reserveCapacity(futures.count)
    var firstError: (any Error)?
    for future in futures {
      future.markSent()
      switch future.settledResult {
      case .value(let value): values.append(value)
      case .error(let error): firstError = firstError ?? error
      }
    }
    return firstError.map { Future<[T]>($0) } ?? Future<[T]>(values)
  }

  @usableFromInline
  static func pendingBatch(_ futures: [Future<T>]) -> Future<[T]> {
    let batch = Future<[T]>()
    batch.cancelsToo(futures)
    let parts = Parts<T>(count: futures.count)
    for (index, future) in futures.enumerated() {
      future.observe { result, cascade in
        switch result {
        case .value(let value):
          guard let values = parts.add(value, at: index) else { return }
          batch.complete(.value(values), &cascade)
        case .error(let error):
          batch.complete(.error(error), &cascade)
        }
      }
    }
    return batch
  }

  /// Makes cancelling this future cancel other futures too.
  @usableFromInline
  func cancelsToo(_ futures: [any AnyFuture]) {
    // Not with cancel handlers, which would cancel futures derived from futures recursively.
    if pending?.addSources(phase, futures) ?? false { return }
    if isCancelled { for future in futures { future.cancelAll() } }
  }
}

/// The values of a batch that are available so far.
private final class Parts<T: Sendable>: Sendable {
  private let values: Locked<(missing: Int, found: [T?])>

  init(count: Int) {
    values = Locked((count, Array(repeating: nil, count: count)))
  }

  /// Adds a value, and returns all of them if it was the last.
  func add(_ value: T, at index: Int) -> [T]? {
    values.withLock { values in
      values.found[index] = .some(value)
      values.missing -= 1
      return values.missing == 0 ? values.found.compactMap { $0 } : nil
    }
  }
}
