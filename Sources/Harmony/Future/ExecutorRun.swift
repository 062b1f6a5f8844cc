import Foundation

/// The closure of a derived future while an executor has it.
///
/// An executor may run the closure immediately, later, several times or never. If it runs the
/// closure while it is called, the future is completed after it has returned, as part of the
/// calling cascade, so that chains on such an executor need no recursion either. If it releases the
/// closure without running it, the future ends too.
final class ExecutorRun<T: Sendable>: Sendable {
  private struct State: Sendable {
    /// The thread that calls the executor, until that call returns.
    var caller: pthread_t?
    var hasRun = false
    /// The outcome of a closure that ran on that thread during the call.
    var outcome: Swift.Result<Future<T>.Outcome, any Error>?
  }

  private let future: Future<T>
  private let state = Locked(State(caller: pthread_self()))

  init(_ future: Future<T>) {
    self.future = future
  }

  deinit {
    if claim() != nil { future.resolve(.error(UnresolvedFutureError())) }
  }

  /// Claims the closure and returns whether the executor is still being called on this thread; nil
  /// if it has already run.
  private func claim() -> Bool? {
    state.withLock { state in
      guard !state.hasRun else { return nil }
      state.hasRun = true
      return state.caller.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
  }

  /// Runs the closure, on the thread that the executor has chosen.
  func run(_ transform: () throws -> Future<T>.Outcome) {
    guard let isAtOnce = claim() else { return }
    guard isAtOnce else { return Cascade.run { future.complete(by: transform, &$0) } }
    guard !future.isResolved else { return }
    let outcome = Swift.Result { try transform() }
    state.withLock { $0.outcome = outcome }
  }

  /// Completes the future if the closure has run during the call, or never will.
  ///
  /// - Parameters:
  ///   - isLost: Whether the executor has released the closure.
  ///   - cascade: The cascade that the executor was called by.
  func finish(isLost: Bool, _ cascade: inout Cascade) {
    let outcome = state.withLock { state in
      defer { (state.caller, state.outcome) = (nil, nil) }
      return state.outcome
    }
    if let outcome {
      future.complete(by: { try outcome.get() }, &cascade)
    } else if isLost, claim() != nil {
      future.complete(.error(UnresolvedFutureError()), &cascade)
    }
  }
}

extension Future {
  /// Completes a derived future with a closure on an executor, once there is a result.
  @usableFromInline
  func observe<K>(
    on executor: any Executor, for derived: Future<K>,
    _ transform: @escaping @Sendable (Result) throws -> Future<K>.Outcome
  ) {
    observe { result, cascade in
      var run = ExecutorRun(derived)
      executor.submit { [run] end in
        run.run { try transform(result) }
        end()
      }
      let isLost = isKnownUniquelyReferenced(&run)
      run.finish(isLost: isLost, &cascade)
    }
  }
}
