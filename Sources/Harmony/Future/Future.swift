import Synchronization

/// A value, or an error, that may come later.
///
/// A future is completed once; whatever tries again is ignored. Any number of callbacks, derived
/// futures, blocked threads and suspended tasks may wait for it. Callbacks run in the order in
/// which they were added, on the thread that completes the future unless an executor is given,
/// and never while a lock is held: they may use the future as they please. On a completed future
/// they run at once.
///
/// ```swift
/// let length = Future("larder").map { $0.count }
/// print(try await length.get())
/// ```
///
/// Chains of any length are completed, cancelled and released without recursion. A future that
/// nobody can complete any more because its resolver or all references to it are gone ends in
/// ``UnresolvedFutureError``, so that nothing waits forever.
///
/// - Note: Upstream allows one consumer and runs it on the main thread.
public final class Future<T: Sendable>: Sendable {
  /// A number of `FuturePhase`.
  ///
  /// It changes under the lock of `pending`, except from settled to sent.
  let phase: Atomic<UInt8>

  let pending: Locked<FuturePending>

  // Invariant of both: written at most once, before `phase` becomes settled by a releasing store
  // of the one thread that claimed the result; read only after an acquiring load of `phase`
  // that said settled.
  nonisolated(unsafe) private var value: T?
  nonisolated(unsafe) private var error: (any Error)?

  /// Creates a future without a result, to be completed by one of the `set` methods.
  public init() {
    phase = Atomic(FuturePhase.pending)
    pending = Locked(FuturePending())
  }

  /// Creates a future that has its value already.
  ///
  /// - Parameter value: The value.
  public init(_ value: T) {
    phase = Atomic(FuturePhase.settled)
    pending = Locked(FuturePending())
    self.value = value
  }

  /// Creates a future that has failed already.
  ///
  /// - Parameter error: The error.
  public init(_ error: any Error) {
    phase = Atomic(FuturePhase.settled)
    pending = Locked(FuturePending())
    self.error = error
  }

  /// Creates a future that is cancelled towards another one.
  init(source: any AnyFuture) {
    phase = Atomic(FuturePhase.pending)
    pending = Locked(FuturePending(source: source))
  }

  deinit {
    guard phase.load(ordering: .acquiring) < FuturePhase.settled else { return }
    let pending = pending.withLock { $0 }
    Cascade.run { pending.notify(nil, UnresolvedFutureError(), &$0) }
  }

  /// Whether there is a result, or one is being delivered.
  public var isResolved: Bool {
    phase.load(ordering: .acquiring) != FuturePhase.pending
  }

  /// Whether there is a result.
  var isSettled: Bool {
    phase.load(ordering: .acquiring) >= FuturePhase.settled
  }

  /// The result, of a future that is settled.
  var settledResult: Result {
    if let error { return .error(error) }
    if let value { return .value(value) }
    return .error(UnresolvedFutureError())
  }

  /// The result if there is one, which counts as handing it out.
  func takeResult() -> Result? {
    guard isSettled else { return nil }
    phase.store(FuturePhase.sent, ordering: .releasing)
    return settledResult
  }

  /// Stores the result that the caller has claimed, and returns what waited for it.
  ///
  /// The caller holds the lock, or is the only one to have claimed this future.
  func store(_ result: Result, in pending: inout FuturePending) -> FuturePending {
    switch result {
    case .value(let value): self.value = value
    case .error(let error): self.error = error
    }
    let waiting = pending
    pending = FuturePending()
    phase.store(
      waiting.observers.isEmpty ? FuturePhase.settled : FuturePhase.sent, ordering: .releasing)
    return waiting
  }

  /// Adds an observer, or runs it if there is a result.
  func observe(
    _ cascade: inout Cascade, _ observer: @escaping @Sendable (Result, inout Cascade) -> Void
  ) {
    let isPending = pending.withLock { pending in
      guard !isSettled else { return false }
      pending.observers.append { future, error, cascade in
        // Without an error it is this future, which nothing could refer to from here: that
        // would be a cycle.
        let result = future.map { unsafeDowncast($0, to: Future<T>.self).settledResult }
        observer(result ?? .error(error ?? UnresolvedFutureError()), &cascade)
      }
      return true
    }
    guard !isPending else { return }
    phase.store(FuturePhase.sent, ordering: .releasing)
    observer(settledResult, &cascade)
  }

  /// Adds an observer, or runs it and all that follows if there is a result.
  func observe(_ observer: @escaping @Sendable (Result, inout Cascade) -> Void) {
    Cascade.run { observe(&$0, observer) }
  }
}
