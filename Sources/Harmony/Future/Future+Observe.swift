extension Future {
  /// Calls a closure just before the result is stored.
  ///
  /// Closures are called in the order added, before every other callback. They are not called if
  /// the future is complete already or is cancelled.
  ///
  /// - Parameter closure: What to do.
  public func onSet(_ closure: @escaping @Sendable () -> Void) {
    onSet { _, _ in closure() }
  }

  /// Lets a closure change the result just before it is stored.
  ///
  /// Closures are called in the order added, before every other callback. They are not called if
  /// the future is complete already or is cancelled.
  ///
  /// - Parameter closure: May replace the value and the error; an error comes before a value.
  public func onSet(_ closure: @escaping @Sendable (inout T?, inout (any Error)?) -> Void) {
    pending.withLock { pending in
      guard !isResolved else { return }
      pending.interceptors.append { candidate in
        let candidate = unsafeDowncast(candidate, to: Candidate<T>.self)
        closure(&candidate.value, &candidate.error)
      }
    }
  }

  /// Detaches everyone who waits for a future that is not complete.
  ///
  /// What was derived from this future ends in `CancellationError`; the future itself can still be
  /// completed, and waited for anew. A complete future stays as it is.
  ///
  /// - Returns: This future.
  @discardableResult
  public func clear() -> Future<T> {
    let waiting = pending.withLock { pending in
      var waiting = FuturePending()
      swap(&waiting.observers, &pending.observers)
      return waiting
    }
    Cascade.run { waiting.notify(nil, CancellationError(), &$0) }
    return self
  }

  /// This future, for code that turns values and futures alike into futures.
  ///
  /// - Returns: This future.
  public func toFuture() -> Future<T> {
    self
  }
}

/// A result that interceptors may still change.
///
/// One thread uses it, and then lets go of it.
final class Candidate<T: Sendable> {
  var value: T?
  var error: (any Error)?

  init(_ result: Future<T>.Result) {
    value = result.get(error: &error)
  }

  var result: Future<T>.Result { Future<T>.Result(value: value, error: error) }
}
